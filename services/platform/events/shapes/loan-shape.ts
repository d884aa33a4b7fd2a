import { z } from "zod";
import * as wire from "../../../../proto/gen/lending/v1/loan.js";
import { shape } from "./codec.js";
import { date, decimalText, instant, moneyNumber } from "./schema.js";

const Parts = shape(
  wire.LoanParts,
  z
    .object({ principal: decimalText, interest: decimalText, fees: decimalText, penalties: decimalText })
    .meta({ id: "LoanParts" }),
);

export const Instalment = shape(
  wire.LoanInstalment,
  z
    .object({
      number: z.number().int(),
      from: date,
      dueOn: date,
      charged: Parts,
      paid: Parts,
      outstanding: decimalText,
      balance: decimalText.meta({ description: "Principal that is left after it by the schedule." }),
    })
    .meta({ id: "LoanInstalment" }),
);

export const Offer = shape(
  wire.LoanOffer,
  z
    .object({
      productId: z.string(),
      productVersion: z.number().int(),
      loanProductName: z.string(),
      currency: z.string(),
      loanAmount: moneyNumber,
      disbursedAmount: decimalText.meta({ description: "What the customer gets: the amount less fees kept." }),
      disbursementFee: decimalText,
      totalInterest: decimalText,
      totalFees: decimalText,
      totalPayable: decimalText,
      annualRate: z.string(),
      apr: z.string().optional().meta({ description: "Percent a year, actuarial method of Regulation Z Appendix J." }),
      effectiveRate: z.string().optional().meta({ description: "Percent a year, with compounding." }),
      schedule: z.array(Instalment),
    })
    .meta({ id: "LoanOffer" }),
  {
    loanProductName: "productName",
    loanAmount: { minor: "amountMinor" },
    disbursedAmount: { minor: "disbursedMinor" },
    schedule: "instalments",
  },
);

export const Application = shape(
  wire.LoanApplication,
  z
    .object({
      loanApplicationId: z.string(),
      customerId: z.string(),
      status: z.string().meta({ description: "SUBMITTED, APPROVED, REJECTED or WITHDRAWN." }),
      reasonCode: z.string().optional(),
      reason: z.string().optional(),
      purpose: z.string().optional(),
      offer: Offer,
      outstandingRequirements: z.array(z.string()),
      accountId: z.string().optional().meta({ description: "Of the loan, once the offer is accepted." }),
      disbursementStatus: z.string().meta({
        description: "NONE, WAITING_FOR_APPROVAL, PAYING, DONE, FAILED, or RETURNED by the bank after it was paid.",
      }),
      disbursementFailure: z.string().optional(),
      createdAt: instant,
      decidedAt: instant.optional(),
      acceptedAt: instant.optional(),
    })
    .meta({ id: "LoanApplication" }),
);

const OverpaymentRefund = shape(
  wire.LoanOverpaymentRefund,
  z
    .object({
      id: z.string().meta({ description: "Also the approval's." }),
      amount: decimalText,
      status: z.string().meta({ description: "PAYING, DONE or FAILED." }),
      failure: z.string().optional(),
      paidTo: z.string().meta({ description: "WALLET or BANK." }),
      createdAt: instant,
      endedAt: instant.optional(),
    })
    .meta({ id: "LoanPayback" }),
  { id: "refundId" },
);

const historyFields = {
  loanProductName: "productName",
  loanAmount: { minor: "amountMinor" },
  outstandingBalance: { minor: "outstanding.principalMinor" },
  nextDueDate: "nextDueOn",
  nextDueAmount: { minor: "nextDueMinor", unless: "nextDueOn" },
  disbursedAt: "disbursedOn",
  closedAt: "closedOn",
  overdueAmount: { minor: "overdueMinor" },
  delinquencyBucket: "bucket",
} as const;

export const HistoryItem = shape(
  wire.Loan,
  z
    .object({
      loanApplicationId: z.string(),
      loanProductName: z.string(),
      loanAmount: moneyNumber,
      status: z
        .string()
        .meta({ description: "PENDING_DISBURSEMENT, ACTIVE, PAID_OFF, COMPLETED, WRITTEN_OFF or CANCELLED." }),
      accountId: z.string(),
      currency: z.string(),
      outstandingBalance: decimalText.meta({ description: "Principal that is owed." }),
      totalPayable: decimalText.meta({ description: "All that is still to be paid by the schedule." }),
      nextDueDate: date.optional(),
      nextDueAmount: decimalText.optional(),
      disbursedAt: date.optional(),
      closedAt: date.optional(),
      overdueAmount: decimalText,
      daysPastDue: z.number().int(),
      delinquencyBucket: z.string(),
      thirdPartyCollection: z.boolean(),
    })
    .meta({ id: "LoanHistoryItem" }),
  historyFields,
);

export const Loan = shape(
  wire.Loan,
  HistoryItem.extend({
    customerId: z.string(),
    outstanding: Parts,
    waitingForVerification: decimalText,
    accruedInterest: decimalText,
    overpaid: decimalText,
    writtenOff: decimalText,
    recovered: decimalText,
    delinquencyPaused: z.boolean(),
    apr: z.string().optional(),
    effectiveRate: z.string().optional(),
    schedule: z.array(Instalment),
    paybacks: z
      .array(OverpaymentRefund)
      .meta({ description: "Of what was overpaid, the newest first; where one loan is read." }),
  }).meta({ id: "Loan" }),
  {
    ...historyFields,
    waitingForVerification: { minor: "pendingMinor" },
    schedule: "instalments",
    paybacks: "overpaymentRefunds",
  },
);
