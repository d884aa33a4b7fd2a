import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { route } from "../route.js";
import { decimalText, instant, maybe, moneyNumber, moneyNumberIn, text } from "../schema.js";
import { filled, moneyAsNumber, moneyOf, timeText } from "../wire.js";
import { applicationPath, date, idIn, userBase } from "./loan-shapes.js";
import { formatMoney, money } from "../../services/kernel/money.js";
import { exampleIds } from "../example-ids.js";
import { payoffAnswer, waitingPayoffAnswer } from "./loan-answers.js";
import { fapi, fapiExample } from "./fapi-headers.js";
import { ownLoan } from "./loans.js";

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
  scopes: ["loans:read", "loans:repay"],
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
