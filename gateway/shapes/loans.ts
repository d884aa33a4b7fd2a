import { z } from "zod";
import { DisburseLoanResponse } from "../../proto/gen/lending/v1/lending.js";
import * as repayment from "../../proto/gen/lending/v1/repayment.js";
import { PayBackOverpaymentResponse, WriteOffLoanResponse } from "../../proto/gen/lending/v1/servicing.js";
import { JsonNumber } from "../../services/kernel/json.js";
import { Application, Loan } from "../../services/platform/events/shapes/loan-shape.js";
import { date } from "../../services/platform/events/shapes/schema.js";
import { beside, shape } from "../codec.js";
import { decimalText, instant, moneyNumber, text, shown, reasonIn } from "../schema.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

/** Address family of loan operations. */
export const v1 = "/api/v1/services";
export const userBase = `${v1}/user`;
export const staffBase = `${v1}/staff`;

export const idIn = text(128);
export const applicationPath = z.object({ loanApplicationId: idIn });
export const loanPath = z.object({ accountId: idIn });
export const keyed = { idempotencyKey: "required" } as const;
export const reasonBody = (id: string) => z.object({ reason: reasonIn }).meta({ id });

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
      id: shown(z.string(), "0199d0c2-4899-7049-845a-f9cd161a9e41"),
      repaymentAmount: leaf.repaymentAmount,
      customerName: leaf.name,
      email: leaf.email,
      loanProductName: leaf.loanProductName,
      repaymentReference: leaf.repaymentReference,
      verificationStatus: leaf.verificationStatus.meta({ description: "PENDING_VERIFICATION, VERIFIED or REJECTED." }),
      message: shown(z.string(), "The repayment is recorded and counts once it is verified."),
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
      id: shown(z.string(), "0199d0c2-0000-7000-8000-00b1d2016d43"),
      loanApplicationId: leaf.loanApplicationId,
      accountId: leaf.accountId,
      customerId: leaf.customerId,
      customerName: leaf.name,
      amount: shown(decimalText, "10.00"),
      currency: z.string(),
      verificationStatus: leaf.verificationStatus,
      repaymentReference: leaf.repaymentReference,
      paymentMethod: leaf.paymentMethod,
      paymentDate: date,
      paymentNarration: shown(z.string(), "Loan repayment").optional(),
      reason: leaf.reason.optional(),
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
  Repayment.extend({
    ...asked,
    id: shown(z.string(), "0199d0c2-0000-7000-8000-00668d50df5d"),
    amount: decimalText,
  }).meta({
    id: "VerificationAsked",
  }),
);

export const SuspenseCredit = shape(
  repayment.SuspenseCredit,
  z
    .object({
      creditId: z.string(),
      reference: leaf.reference,
      amount: decimalText,
      currency: z.string(),
      senderName: leaf.name,
      receivedAt: instant,
    })
    .meta({ id: "SuspenseCredit" }),
  ofAmount,
);

export const RepaymentInstructions = shape(
  repayment.GetRepaymentInstructionsResponse,
  z
    .object({
      repaymentReference: leaf.repaymentReference,
      bankName: leaf.bankName,
      bankCode: leaf.bankCode,
      accountNumber: leaf.accountNumber,
      accountHolderName: leaf.name,
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
      repaymentId: shown(z.string(), "0199d0c2-48f1-7571-9be7-858948270951"),
      loanApplicationId: leaf.loanApplicationId,
      payoffAmount: leaf.payoffAmount,
      remainingBalance: shown(moneyNumber, 0),
      loanStatus: shown(z.string(), "PAID_OFF").meta({
        description: "PAID_OFF or COMPLETED; ACTIVE while bank or card have not answered.",
      }),
      transactionReference: shown(z.string(), "LN08460318259P"),
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
      loanApplicationId: leaf.loanApplicationId,
      payoffAmount: leaf.payoffAmount,
      currency: z.string(),
      principal: shown(decimalText, "600.00"),
      interest: shown(decimalText, "2.20"),
      fees: leaf.zero,
      penalties: leaf.zero,
      payoffFee: leaf.zero,
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
