import { z } from "zod";
import type { Repayment as WireRepayment } from "../../proto/gen/lending/v1/repayment.js";
import { outgoing } from "../../services/shared/grpc/client.js";
import { requireUser } from "../../services/shared/grpc/context.js";
import { Refusal } from "../../services/shared/refusal.js";
import { route, type EdgeCall } from "../route.js";
import { decimalText, instant, maybe, moneyNumber, moneyNumberIn, text } from "../schema.js";
import { filled, moneyAsNumber, moneyOf, timeText } from "../wire.js";
import type { Clients } from "../clients.js";
import {
  applicationPath,
  date,
  HistoryItem,
  historyItemOf,
  idIn,
  Loan,
  loanOf,
  signedNumberIn,
  userBase,
} from "./lending-shapes.js";
import { formatMoney, money } from "../../services/shared/money.js";
import { exampleIds, repaidLoan } from "../example-ids.js";
import {
  loanHistoryAnswer,
  payoffAnswer,
  repaidAnswer,
  repaymentAnswer,
  waitingPayoffAnswer,
} from "./lending-answers.js";

const seers = ["MANAGER", "AGENT", "CUSTOMER"] as const;
const fapi = {
  idempotencyKey: "required",
  interactionId: "required",
  authDate: "required",
  customerIp: "required",
} as const;
const fapiExample = {
  "x-idempotency-key": "repayment-2026-0042",
  "x-fapi-interaction-id": "3f1c9a52-6d0e-4b8f-9a37-2c5d8e1f7b61",
  "x-fapi-auth-date": "2026-11-21T10:15:00Z",
  "x-fapi-customer-ip-address": "203.0.113.7",
};
const ownLoan = { "params.loanApplicationId": "loanHistory data.0.loanApplicationId" };

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
  tag: "Loans",
  summary: "Record a bank transfer that was made for a loan",
  access: ["CUSTOMER"],
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

const paymentMethods = ["WALLET", "BANK_TRANSFER", "CARD"] as const;

const PayoffConfirmation = z
  .object({
    repaymentId: z.string(),
    loanApplicationId: z.string(),
    payoffAmount: moneyNumber,
    remainingBalance: moneyNumber,
    loanStatus: z.string().meta({ description: "PAID_OFF or COMPLETED; ACTIVE while bank or card have not answered." }),
    transactionReference: z.string(),
    payoffDate: instant,
    currency: z.string(),
  })
  .meta({ id: "LoanPayoffConfirmation" });

/** §4.10 */
export const payoffLoan = route({
  method: "post",
  path: `${userBase}/payoff-loan`,
  operationId: "payoffLoan",
  tag: "Loans",
  summary: "Pay a loan off",
  access: ["CUSTOMER"],
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
  renames: { idempotencyKey: "headers.x-idempotency-key" },
  example: {
    as: "amina@demo.example",
    headers: fapiExample,
    body: { loanApplicationId: exampleIds.loanApplicationId, paymentMethod: "BANK_TRANSFER" },
    from: { "body.loanApplicationId": "loanHistory data.0.loanApplicationId" },
    answers: 202,
    answer: payoffAnswer,
    waitingAnswer: waitingPayoffAnswer,
  },
  run: async ({ body, headers, call, clients }) => {
    const { transactionPin = "", payoffAmount = "", cardToken = "", ...rest } = body;
    const request = {
      idempotencyKey: headers["x-idempotency-key"] ?? "",
      ...rest,
      transactionPin,
      payoffAmount,
      cardToken,
    };
    const answer = await clients.lending.payoffLoan(request, outgoing(call, { onReplayed: call.markReplayed }));
    const amount = moneyOf(answer.payoffAmount, "payoff_amount");
    if (!answer.isSettled) call.markWaiting();
    return {
      repaymentId: answer.repaymentId,
      loanApplicationId: answer.loanApplicationId,
      payoffAmount: moneyAsNumber(amount.minor, amount.currency),
      remainingBalance: moneyAsNumber(answer.remainingBalanceMinor, amount.currency),
      loanStatus: answer.loanStatus,
      transactionReference: answer.transactionReference,
      payoffDate: timeText(answer.payoffDate, "payoff_date"),
      currency: amount.currency,
    };
  },
});

const Paged = z
  .object({
    status: z.literal("SUCCESS"),
    data: z.array(HistoryItem),
    message: z.string(),
    page: z.number().int(),
    size: z.number().int(),
    totalElements: z.number().int(),
    totalPages: z.number().int(),
  })
  .meta({ id: "LoanHistoryPage" });

const wholeQuery = (most: number, fallback: number) =>
  z
    .string()
    .regex(/^\d{1,7}$/, "must be a whole number")
    .refine((value) => Number(value) >= 1 && Number(value) <= most, `must be 1 to ${most}`)
    .optional()
    .transform((value) => (value === undefined ? fallback : Number(value)))
    .meta({ override: { type: "integer", minimum: 1, maximum: most, default: fallback } });

/** §4.11 */
export const loanHistory = route({
  method: "get",
  path: `${userBase}/get-loan-history/:customerId`,
  aliases: [`${userBase}/loan-history/:customerId`],
  operationId: "loanHistory",
  tag: "Loans",
  summary: "List all loans of a customer, the newest first",
  access: seers,
  headers: { idempotencyKey: "optional" },
  params: z.object({ customerId: idIn }),
  query: z.object({ page: wholeQuery(1_000_000, 1), size: wholeQuery(100, 10) }),
  answer: Paged,
  bare: true,
  message: "Loan history",
  example: {
    as: "amina@demo.example",
    params: { customerId: exampleIds.customerId },
    from: { "params.customerId": "readProfile data.customer.customerId" },
    answer: loanHistoryAnswer,
  },
  run: async ({ params, query, call, clients }) => {
    const { page, size } = query;
    const { loans, total } = await clients.lending.listLoanHistory({ ...params, page, pageSize: size }, outgoing(call));
    const totalElements = Number(total);
    const counted = { page, size, totalElements, totalPages: Math.ceil(totalElements / size) };
    return { status: "SUCCESS" as const, data: loans.map(historyItemOf), message: "Loan history", ...counted };
  },
});

const RepaidTransaction = z
  .object({
    repaymentId: z.string(),
    loanApplicationId: z.string(),
    repaymentAmount: moneyNumber,
    paymentDate: date,
    paymentMethod: z.string(),
    status: z.string(),
    currency: z.string(),
    accountId: z.string(),
    repaymentReference: z.string(),
  })
  .meta({ id: "RepaidTransaction" });

/** §4.12 */
export const repaidTransactions = route({
  method: "get",
  path: `${userBase}/repaid-transactions/:userId`,
  operationId: "repaidTransactions",
  tag: "Loans",
  summary: "List all completed repayments over all loans of a user",
  access: seers,
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
    return repayments.map((repayment) => {
      const amount = moneyOf(repayment.amount, "repayment.amount");
      const { repaymentId, loanApplicationId, paymentDate, paymentMethod, status, accountId, reference } = repayment;
      return {
        repaymentId,
        loanApplicationId,
        repaymentAmount: moneyAsNumber(amount.minor, amount.currency),
        paymentDate,
        paymentMethod,
        status,
        currency: amount.currency,
        accountId,
        repaymentReference: reference,
      };
    });
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

export const readLoan = route({
  method: "get",
  path: `${userBase}/schedule/:loanApplicationId`,
  operationId: "readLoan",
  tag: "Loans",
  summary: "Read a loan with its schedule and what is owed by part",
  access: seers,
  params: applicationPath,
  answer: Loan,
  message: "Loan",
  example: { as: "amina@demo.example", from: ownLoan },
  run: async ({ params, call, clients }) => loanOf((await clients.lending.getLoan(params, outgoing(call))).loan),
});

const Quote = z
  .object({
    quoteId: z.string(),
    loanApplicationId: z.string(),
    payoffAmount: moneyNumber,
    currency: z.string(),
    principal: decimalText,
    interest: decimalText,
    fees: decimalText,
    penalties: decimalText,
    payoffFee: decimalText,
    businessDate: date,
    interestThrough: date,
    validUntil: instant,
    paymentMethods: z.array(z.enum(paymentMethods)).meta({ description: "What payoff-loan takes." }),
  })
  .meta({ id: "PayoffQuote" });

export const payoffQuote = route({
  method: "get",
  path: `${userBase}/payoff-quote/:loanApplicationId`,
  operationId: "payoffQuote",
  tag: "Loans",
  summary: "Read what pays a loan off, good for a time",
  access: ["CUSTOMER"],
  params: applicationPath,
  refusable: true,
  answer: Quote,
  message: "Payoff quote",
  example: { as: "amina@demo.example", from: ownLoan },
  run: async ({ params, call, clients }) => {
    const quote = filled((await clients.lending.getPayoffQuote(params, outgoing(call))).quote, "quote");
    const { minor, currency } = moneyOf(quote.amount, "quote.amount");
    const amount = (part: bigint): string => formatMoney(money(part, currency));
    return {
      quoteId: quote.quoteId,
      loanApplicationId: quote.loanApplicationId,
      payoffAmount: moneyAsNumber(minor, currency),
      currency,
      principal: amount(quote.principalMinor),
      interest: amount(quote.interestMinor),
      fees: amount(quote.feesMinor),
      penalties: amount(quote.penaltiesMinor),
      payoffFee: amount(quote.payoffFeeMinor),
      businessDate: quote.businessDate,
      interestThrough: quote.interestThrough,
      validUntil: timeText(quote.validUntil, "quote.valid_until"),
      paymentMethods: [...paymentMethods],
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

export const loanRoutes = [
  repayLoan,
  payoffLoan,
  payoffQuote,
  loanHistory,
  repaidTransactions,
  repaymentInstructions,
  readLoan,
];
