import { z } from "zod";
import * as wire from "../../../../proto/gen/lending/v1/loan.js";
import { shape } from "./codec.js";
import { date, decimalText, instant, shown } from "./schema.js";
import * as leaf from "./leaves.js";

const Parts = shape(
  wire.LoanParts,
  z
    .object({
      principal: shown(decimalText, "97.53"),
      interest: shown(decimalText, "6.00"),
      fees: leaf.zero,
      penalties: leaf.zero,
    })
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
      outstanding: shown(decimalText, "103.53"),
      balance: shown(decimalText, "502.47").meta({ description: "Principal that is left after it by the schedule." }),
    })
    .meta({ id: "LoanInstalment" }),
);

export const Offer = shape(
  wire.LoanOffer,
  z
    .object({
      productId: leaf.productId,
      productVersion: z.number().int(),
      loanProductName: leaf.loanProductName,
      currency: z.string(),
      loanAmount: leaf.loanAmount,
      disbursedAmount: shown(decimalText, "594.00").meta({
        description: "What the customer gets: the amount less fees kept.",
      }),
      disbursementFee: shown(decimalText, "6.00"),
      totalInterest: shown(decimalText, "21.16"),
      totalFees: leaf.zero,
      totalPayable: leaf.totalPayable,
      annualRate: leaf.annualRate,
      apr: leaf.apr.optional().meta({ description: "Percent a year, actuarial method of Regulation Z Appendix J." }),
      effectiveRate: leaf.apr.optional().meta({ description: "Percent a year, with compounding." }),
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
      loanApplicationId: leaf.loanApplicationId,
      customerId: leaf.customerId,
      status: shown(z.string(), "SUBMITTED").meta({ description: "SUBMITTED, APPROVED, REJECTED or WITHDRAWN." }),
      reasonCode: shown(z.string(), "STAFF").optional(),
      reason: leaf.reason.optional(),
      purpose: shown(z.string(), "a laptop").optional(),
      offer: Offer,
      outstandingRequirements: z.array(leaf.requirement),
      accountId: leaf.accountId.optional().meta({ description: "Of the loan, once the offer is accepted." }),
      disbursementStatus: shown(z.string(), "NONE").meta({
        description: "NONE, WAITING_FOR_APPROVAL, PAYING, DONE, FAILED, or RETURNED by the bank after it was paid.",
      }),
      disbursementFailure: leaf.failure.optional(),
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
      id: shown(z.string(), "0199d0c2-0000-7000-8000-004324bc2e5f").meta({ description: "Also the approval's." }),
      amount: shown(decimalText, "10.00"),
      status: shown(z.string(), "PAYING").meta({ description: "PAYING, DONE or FAILED." }),
      failure: leaf.failure.optional(),
      paidTo: shown(z.string(), "WALLET").meta({ description: "WALLET or BANK." }),
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
      loanApplicationId: leaf.loanApplicationId,
      loanProductName: leaf.loanProductName,
      loanAmount: leaf.loanAmount,
      status: shown(z.string(), "ACTIVE").meta({
        description: "PENDING_DISBURSEMENT, ACTIVE, PAID_OFF, COMPLETED, WRITTEN_OFF or CANCELLED.",
      }),
      accountId: leaf.accountId,
      currency: z.string(),
      outstandingBalance: shown(decimalText, "600.00").meta({ description: "Principal that is owed." }),
      totalPayable: leaf.totalPayable.meta({ description: "All that is still to be paid by the schedule." }),
      nextDueDate: date.optional(),
      nextDueAmount: shown(decimalText, "103.53").optional(),
      disbursedAt: date.optional(),
      closedAt: date.optional(),
      overdueAmount: leaf.zero,
      daysPastDue: shown(z.number().int(), 0),
      delinquencyBucket: shown(z.string(), "CURRENT"),
      thirdPartyCollection: leaf.no,
    })
    .meta({ id: "LoanHistoryItem" }),
  historyFields,
);

export const Loan = shape(
  wire.Loan,
  HistoryItem.extend({
    customerId: leaf.customerId,
    outstanding: Parts,
    waitingForVerification: leaf.zero,
    accruedInterest: shown(decimalText, "2.20"),
    overpaid: leaf.zero,
    writtenOff: leaf.zero,
    recovered: leaf.zero,
    delinquencyPaused: leaf.no,
    apr: leaf.apr.optional(),
    effectiveRate: leaf.apr.optional(),
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
