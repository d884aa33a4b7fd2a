import { z } from "zod";
import type { Repayment as WireRepayment } from "../../proto/gen/lending/v1/repayment.js";
import { RepaidTransaction, repaidFromWire } from "../../services/platform/events/shapes/repayment-shape.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { requireUser } from "../../services/kernel/grpc/context.js";
import { Refusal } from "../../services/kernel/refusal.js";
import { route, type EdgeCall } from "../route.js";
import { decimalText, maybe, moneyNumber, text } from "../schema.js";
import { filled, moneyAsNumber, moneyOf } from "../wire.js";
import type { Clients } from "../clients.js";
import { applicationPath, date, idIn, signedNumberIn, userBase } from "./loan-shapes.js";
import { formatMoney, money } from "../../services/kernel/money.js";
import { exampleIds, repaidLoan } from "../example-ids.js";
import { repaidAnswer, repaymentAnswer } from "./loan-answers.js";
import { readerRoles, ownLoan } from "./loans.js";
import { fapi, fapiExample } from "./fapi-headers.js";

const RepaymentConfirmation = z
  .object({
    id: z.string(),
    repaymentAmount: moneyNumber,
    customerName: z.string(),
    email: z.string(),
    loanProductName: z.string(),
    repaymentReference: z.string(),
    verificationStatus: z.string().meta({ description: "PENDING_VERIFICATION, VERIFIED or REJECTED." }),
    message: z.string(),
    currency: z.string(),
    paymentDate: date,
  })
  .meta({ id: "LoanRepaymentConfirmation" });

/** §4.9 */
export const repayLoan = route({
  method: "post",
  path: `${userBase}/repay-loan/:userId`,
  operationId: "repayLoan",
  contract: true,
  tag: "Loans",
  summary: "Record a bank transfer that was made for a loan",
  access: ["CUSTOMER"],
  scopes: ["loans:repay"],
  headers: fapi,
  params: z.object({ userId: idIn }),
  body: z
    .object({
      repaymentAmount: signedNumberIn,
      customerId: idIn,
      accountId: idIn,
      bankAccountId: idIn,
      repaymentReference: maybe(text(128, 0)),
      paymentDate: maybe(text(40, 0)).meta({ description: "ISO 8601; the current date when omitted." }),
      paymentNarration: maybe(text(200, 0)),
    })
    .meta({ id: "LoanRepaymentRequest" }),
  answer: RepaymentConfirmation,
  message: "Repayment recorded; it counts once it is verified",
  renames: { userId: "path.userId", idempotencyKey: "headers.x-idempotency-key" },
  example: {
    as: "amina@demo.example",
    headers: fapiExample,
    params: { userId: exampleIds.userId },
    body: {
      repaymentAmount: 10,
      customerId: exampleIds.customerId,
      accountId: repaidLoan.accountId,
      bankAccountId: exampleIds.bankAccountId,
    },
    answer: repaymentAnswer,
    from: {
      "params.userId": "readProfile data.user.userId",
      "body.customerId": "readProfile data.customer.customerId",
      "body.accountId": "loanHistory data.1.accountId",
      "body.bankAccountId": "listBankAccounts data.0.bankAccountId",
    },
  },
  run: async ({ params, body, headers, call, clients }) => {
    const { repaymentReference = "", paymentDate = "", paymentNarration = "", ...rest } = body;
    const given = { ...rest, repaymentReference, paymentDate, paymentNarration };
    const request = { idempotencyKey: headers["x-idempotency-key"] ?? "", ...params, ...given };
    const { repayment } = await clients.lending.repayLoan(request, outgoing(call, { onReplayed: call.markReplayed }));
    return confirmationOf(filled(repayment, "repayment"));
  },
});

/** §4.12 */
export const repaidTransactions = route({
  method: "get",
  path: `${userBase}/repaid-transactions/:userId`,
  operationId: "repaidTransactions",
  contract: true,
  tag: "Loans",
  summary: "List all completed repayments over all loans of a user",
  access: readerRoles,
  scopes: ["loans:read"],
  headers: { idempotencyKey: "optional" },
  params: z.object({ userId: idIn }),
  answer: z.array(RepaidTransaction),
  message: "Repaid transactions",
  example: {
    as: "amina@demo.example",
    params: { userId: exampleIds.userId },
    from: { "params.userId": "readProfile data.user.userId" },
    answer: repaidAnswer,
  },
  run: async ({ params, call, clients }) => {
    const customerId = await customerOf(params.userId, call, clients);
    const { repayments } = await clients.lending.listRepaidTransactions({ customerId }, outgoing(call));
    return repayments.map(repaidFromWire);
  },
});

async function customerOf(userId: string, call: EdgeCall, clients: Clients): Promise<string> {
  const user = requireUser(call);
  if (user.userId === userId && user.customerId !== undefined) return user.customerId;
  const { customer } = await clients.identity.getCustomer({ userId }, outgoing(call));
  if (customer === undefined) throw new Refusal("CUSTOMER_NOT_FOUND", "no such customer");
  return customer.customerId;
}

const Instructions = z
  .object({
    repaymentReference: z.string(),
    bankName: z.string(),
    bankCode: z.string(),
    accountNumber: z.string(),
    accountHolderName: z.string(),
    currency: z.string(),
    totalPayable: decimalText.meta({ description: "Without what waits for verification." }),
    nextDueDate: date.optional(),
    nextDueAmount: decimalText.optional(),
  })
  .meta({ id: "RepaymentInstructions" });

export const repaymentInstructions = route({
  method: "get",
  path: `${userBase}/repayment-instructions/:loanApplicationId`,
  operationId: "repaymentInstructions",
  tag: "Loans",
  summary: "Read where to repay a loan and with which reference",
  access: ["CUSTOMER"],
  scopes: ["loans:read", "loans:repay"],
  params: applicationPath,
  refusable: true,
  answer: Instructions,
  message: "Repayment instructions",
  example: { as: "amina@demo.example", from: ownLoan },
  run: async ({ params, call, clients }) => {
    const answer = await clients.lending.getRepaymentInstructions(params, outgoing(call));
    const { bankName, bankCode, accountNumber, accountHolderName, currency, nextDueOn } = answer;
    return {
      repaymentReference: answer.reference,
      bankName,
      bankCode,
      accountNumber,
      accountHolderName,
      currency,
      totalPayable: formatMoney(money(answer.totalPayableMinor, currency)),
      ...(nextDueOn !== "" && {
        nextDueDate: nextDueOn,
        nextDueAmount: formatMoney(money(answer.nextDueMinor, currency)),
      }),
    };
  },
});

function confirmationOf(repayment: WireRepayment): z.output<typeof RepaymentConfirmation> {
  const amount = moneyOf(repayment.amount, "repayment.amount");
  return {
    id: repayment.repaymentId,
    repaymentAmount: moneyAsNumber(amount.minor, amount.currency),
    customerName: repayment.customerName,
    email: repayment.email,
    loanProductName: repayment.loanProductName,
    repaymentReference: repayment.reference,
    verificationStatus: repayment.status,
    message: "The repayment is recorded and counts once it is verified.",
    currency: amount.currency,
    paymentDate: repayment.paymentDate,
  };
}
