import { z } from "zod";
import { DisburseLoanResponse } from "../../proto/gen/lending/v1/lending.js";
import * as repayment from "../../proto/gen/lending/v1/repayment.js";
import { PayBackOverpaymentResponse, WriteOffLoanResponse } from "../../proto/gen/lending/v1/servicing.js";
import { JsonNumber } from "../../services/kernel/json.js";
import { Application, Loan } from "../../services/platform/events/shapes/loan-shape.js";
import { date } from "../../services/platform/events/shapes/schema.js";
import { beside, shape } from "../codec.js";
import { decimalText, instant, moneyNumber, text } from "../schema.js";
import { reasonIn } from "../operations/cursor-pages.js";

/** Address family of loan operations. */
export const v1 = "/api/v1/services";
export const userBase = `${v1}/user`;
export const staffBase = `${v1}/staff`;

export const idIn = text(128);
export const applicationPath = z.object({ loanApplicationId: idIn });
export const loanPath = z.object({ accountId: idIn });
export const keyed = { idempotencyKey: "required" } as const;
export const keyRename = { idempotencyKey: "headers.x-idempotency-key" } as const;
export const reasonBody = (id: string) => z.object({ reason: reasonIn }).meta({ id });

/** A date of the body. */
export const dateIn = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d$/, "must be a date such as 2026-11-30")
  .meta({ format: "date" });

/**
 * A money number of the body, with a sign: what is below zero is refused by the rule, not by the
 * form.
 */
export const signedNumberIn = z
  .custom<JsonNumber>((value) => value instanceof JsonNumber && /^-?(0|[1-9]\d{0,39})(\.\d{1,20})?$/.test(value.text), {
    error: ({ input }) =>
      input === undefined ? "is required" : "must be a JSON number, such as 25 or 25.00, without an exponent",
  })
  .meta({ override: { type: "number", examples: [106.62] } })
  .transform((number) => (number.text.includes(".") ? number.text.replace(/\.?0+$/, "") : number.text));

/** Pages of lending are read on by a cursor that its service calls a token. */
export const cursorFields = { cursor: "pageToken" } as const;
export const nextCursorFields = { cursor: "nextPageToken" } as const;

const asked = { approvalId: z.string() };

export const DisbursementAsked = beside(
  DisburseLoanResponse,
  "application",
  Application,
  Application.extend(asked).meta({ id: "DisbursementAsked" }),
);

export const WriteOffAsked = beside(
  WriteOffLoanResponse,
  "loan",
  Loan,
  Loan.extend(asked).meta({ id: "WriteOffAsked" }),
);

export const PaybackAsked = beside(
  PayBackOverpaymentResponse,
  "loan",
  Loan,
  Loan.extend(asked).meta({ id: "PaybackAsked" }),
);

const ofAmount = { currency: "amount.currency" } as const;

export const RepaymentConfirmation = shape(
  repayment.Repayment,
  z
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
    .meta({ id: "LoanRepaymentConfirmation" }),
  {
    ...ofAmount,
    id: "repaymentId",
    repaymentAmount: "amount",
    repaymentReference: "reference",
    verificationStatus: "status",
    message: { from: () => "The repayment is recorded and counts once it is verified.", to: () => ({}) },
  },
);

export const Repayment = shape(
  repayment.Repayment,
  z
    .object({
      id: z.string(),
      loanApplicationId: z.string(),
      accountId: z.string(),
      customerId: z.string(),
      customerName: z.string(),
      amount: decimalText,
      currency: z.string(),
      verificationStatus: z.string(),
      repaymentReference: z.string(),
      paymentMethod: z.string(),
      paymentDate: date,
      paymentNarration: z.string().optional(),
      reason: z.string().optional(),
      createdAt: instant,
    })
    .meta({ id: "LoanRepayment" }),
  {
    ...ofAmount,
    id: "repaymentId",
    verificationStatus: "status",
    repaymentReference: "reference",
    paymentNarration: "narration",
  },
);

export const VerificationAsked = beside(
  repayment.AskRepaymentVerificationResponse,
  "repayment",
  Repayment,
  Repayment.extend(asked).meta({ id: "VerificationAsked" }),
);

export const SuspenseCredit = shape(
  repayment.SuspenseCredit,
  z
    .object({
      creditId: z.string(),
      reference: z.string(),
      amount: decimalText,
      currency: z.string(),
      senderName: z.string(),
      receivedAt: instant,
    })
    .meta({ id: "SuspenseCredit" }),
  ofAmount,
);

export const RepaymentInstructions = shape(
  repayment.GetRepaymentInstructionsResponse,
  z
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
    .meta({ id: "RepaymentInstructions" }),
  {
    repaymentReference: "reference",
    nextDueDate: "nextDueOn",
    nextDueAmount: { minor: "nextDueMinor", unless: "nextDueOn" },
  },
);

export const paymentMethods = ["WALLET", "BANK_TRANSFER", "CARD"] as const;

export const PayoffConfirmation = shape(
  repayment.PayoffLoanResponse,
  z
    .object({
      repaymentId: z.string(),
      loanApplicationId: z.string(),
      payoffAmount: moneyNumber,
      remainingBalance: moneyNumber,
      loanStatus: z
        .string()
        .meta({ description: "PAID_OFF or COMPLETED; ACTIVE while bank or card have not answered." }),
      transactionReference: z.string(),
      payoffDate: instant,
      currency: z.string(),
    })
    .meta({ id: "LoanPayoffConfirmation" }),
  {
    currency: "payoffAmount.currency",
    remainingBalance: { minor: "remainingBalanceMinor", currency: "payoffAmount.currency" },
  },
);

const ofQuote = <M extends string>(minor: M) => ({ minor, ...ofAmount }) as const;

export const PayoffQuote = shape(
  repayment.PayoffQuote,
  z
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
    .meta({ id: "PayoffQuote" }),
  {
    ...ofAmount,
    payoffAmount: "amount",
    principal: ofQuote("principalMinor"),
    interest: ofQuote("interestMinor"),
    fees: ofQuote("feesMinor"),
    penalties: ofQuote("penaltiesMinor"),
    payoffFee: ofQuote("payoffFeeMinor"),
    paymentMethods: () => [...paymentMethods],
  },
);

export const AccrualProgress = z
  .object({
    date: date.optional(),
    loansDone: z.number().int(),
    rangesDone: z.number().int(),
    ranges: z.number().int(),
    startedAt: instant.optional(),
    finishedAt: instant.optional(),
  })
  .meta({ id: "AccrualProgress" });
