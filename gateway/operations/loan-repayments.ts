import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { requireUser } from "../../services/kernel/grpc/context.js";
import { Refusal } from "../../services/kernel/refusal.js";
import { RepaidTransaction } from "../../services/platform/events/shapes/repayment-shape.js";
import type { Clients } from "../clients.js";
import { readerOf } from "../codec.js";
import { operation } from "../operation.js";
import { route, type EdgeCall } from "../route.js";
import { maybe, moneyNumberIn, text } from "../schema.js";
import {
  PayoffConfirmation,
  PayoffQuote,
  RepaymentConfirmation,
  RepaymentInstructions,
  applicationPath,
  idIn,
  paymentMethods,
  signedNumberIn,
  userBase,
} from "../shapes/loans.js";
import { ownLoan, readerRoles } from "./loans.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

/** Headers that the contract asks of a repayment and a payoff. */
const fapi = {
  idempotencyKey: "required",
  interactionId: "required",
  authDate: "required",
  customerIp: "required",
} as const;

/** The same in an example. */
const fapiExample = {
  "x-idempotency-key": "repayment-2026-0042",
  "x-fapi-interaction-id": "3f1c9a52-6d0e-4b8f-9a37-2c5d8e1f7b61",
  "x-fapi-auth-date": "2026-11-21T10:15:00Z",
  "x-fapi-customer-ip-address": "203.0.113.7",
};

/** §4.9 */
export const repayLoan = operation({
  method: "post",
  path: `${userBase}/repay-loan/:userId`,
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
  renames: { userId: "path.userId" },
  example: {
    as: "amina@demo.example",
    headers: fapiExample,
    params: { userId: leaf.ids.userId },
    body: {
      repaymentAmount: 10,
      customerId: leaf.ids.customerId,
      accountId: leaf.ids.repaidAccountId,
      bankAccountId: leaf.ids.bankAccountId,
    },
    from: {
      "params.userId": "readProfile data.user.userId",
      "body.customerId": "readProfile data.customer.customerId",
      "body.accountId": "loanHistory data.1.accountId",
      "body.bankAccountId": "listBankAccounts data.0.bankAccountId",
    },
  },
  rpc: "lending.repayLoan",
});

const repaidOf = readerOf(z.array(RepaidTransaction));

/** §4.12 */
export const repaidTransactions = route({
  method: "get",
  path: `${userBase}/repaid-transactions/:userId`,
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
    params: { userId: leaf.ids.userId },
    from: { "params.userId": "readProfile data.user.userId" },
  },
  run: async ({ params, call, clients }) => {
    const customerId = await customerOf(params.userId, call, clients);
    const { repayments } = await clients.lending.listRepaidTransactions({ customerId }, outgoing(call));
    return repaidOf(repayments);
  },
});

async function customerOf(userId: string, call: EdgeCall, clients: Clients): Promise<string> {
  const user = requireUser(call);
  if (user.userId === userId && user.customerId !== undefined) return user.customerId;
  const { customer } = await clients.identity.getCustomer({ userId }, outgoing(call));
  if (customer === undefined) throw new Refusal("CUSTOMER_NOT_FOUND", "no such customer");
  return customer.customerId;
}

export const repaymentInstructions = operation({
  method: "get",
  path: `${userBase}/repayment-instructions/:loanApplicationId`,
  tag: "Loans",
  summary: "Read where to repay a loan and with which reference",
  access: ["CUSTOMER"],
  scopes: ["loans:read", "loans:repay"],
  params: applicationPath,
  refusable: true,
  answer: RepaymentInstructions,
  message: "Repayment instructions",
  example: { as: "amina@demo.example", from: ownLoan },
  rpc: "lending.getRepaymentInstructions",
});

/** §4.10 */
export const payoffLoan = operation({
  method: "post",
  path: `${userBase}/payoff-loan`,
  contract: true,
  tag: "Loans",
  summary: "Pay a loan off",
  access: ["CUSTOMER"],
  scopes: ["loans:repay"],
  headers: fapi,
  body: z
    .object({
      loanApplicationId: idIn,
      paymentMethod: z.enum(paymentMethods),
      transactionPin: maybe(text(64, 0)),
      payoffAmount: maybe(moneyNumberIn),
      cardToken: maybe(text(200, 0)).meta({
        description:
          "For CARD: what the acquirer gave for a card. Without it, the card that the customer has stored there.",
      }),
    })
    .meta({ id: "LoanPayoffRequest" }),
  answer: PayoffConfirmation,
  message: "Payoff",
  waits: true,
  example: {
    as: "amina@demo.example",
    headers: fapiExample,
    body: { loanApplicationId: leaf.ids.loanApplicationId, paymentMethod: "BANK_TRANSFER" },
    from: { "body.loanApplicationId": "loanHistory data.0.loanApplicationId" },
    answers: 202,
    waitingAnswer: { remainingBalance: 602.2, loanStatus: "ACTIVE" },
  },
  rpc: "lending.payoffLoan",
  isWaiting: (_answer, _asked, { isSettled }) => !isSettled,
});

export const payoffQuote = operation({
  method: "get",
  path: `${userBase}/payoff-quote/:loanApplicationId`,
  tag: "Loans",
  summary: "Read what pays a loan off, good for a time",
  access: ["CUSTOMER"],
  scopes: ["loans:read", "loans:repay"],
  params: applicationPath,
  refusable: true,
  answer: PayoffQuote,
  message: "Payoff quote",
  example: { as: "amina@demo.example", from: ownLoan },
  rpc: "lending.getPayoffQuote",
});
