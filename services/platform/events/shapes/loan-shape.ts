import { z } from "zod";
import type {
  Loan as WireLoan,
  LoanApplication as WireApplication,
  LoanInstalment,
  LoanOffer,
  LoanParts,
  LoanOverpaymentRefund,
} from "../../../../proto/gen/lending/v1/loan.js";
import { formatMoney, money } from "../../../kernel/money.js";
import { date, decimalText, instant, moneyNumber } from "./schema.js";
import { absentIfEmpty, filled, moneyAsNumber, timeText } from "./wire.js";

const Parts = z
  .object({ principal: decimalText, interest: decimalText, fees: decimalText, penalties: decimalText })
  .meta({ id: "LoanParts" });

export const Instalment = z
  .object({
    number: z.number().int(),
    from: date,
    dueOn: date,
    charged: Parts,
    paid: Parts,
    outstanding: decimalText,
    balance: decimalText.meta({ description: "Principal that is left after it by the schedule." }),
  })
  .meta({ id: "LoanInstalment" });

export const Offer = z
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
  .meta({ id: "LoanOffer" });

export const Application = z
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
  .meta({ id: "LoanApplication" });

const OverpaymentRefund = z
  .object({
    id: z.string().meta({ description: "Also the approval's." }),
    amount: decimalText,
    status: z.string().meta({ description: "PAYING, DONE or FAILED." }),
    failure: z.string().optional(),
    paidTo: z.string().meta({ description: "WALLET or BANK." }),
    createdAt: instant,
    endedAt: instant.optional(),
  })
  .meta({ id: "LoanPayback" });

export const HistoryItem = z
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
  .meta({ id: "LoanHistoryItem" });

export const Loan = HistoryItem.extend({
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
}).meta({ id: "Loan" });

function texts(currency: string) {
  return (minor: bigint): string => formatMoney(money(minor, currency));
}

function partsOf(parts: LoanParts | undefined, currency: string): z.output<typeof Parts> {
  const amount = texts(currency);
  const { principalMinor, interestMinor, feesMinor, penaltiesMinor } = filled(parts, "parts");
  return {
    principal: amount(principalMinor),
    interest: amount(interestMinor),
    fees: amount(feesMinor),
    penalties: amount(penaltiesMinor),
  };
}

const none: LoanParts = { principalMinor: 0n, interestMinor: 0n, feesMinor: 0n, penaltiesMinor: 0n };

function instalmentOf(instalment: LoanInstalment, currency: string): z.output<typeof Instalment> {
  const { number, from, dueOn, charged, paid, outstandingMinor, balanceMinor } = instalment;
  const amount = texts(currency);
  return {
    number,
    from,
    dueOn,
    charged: partsOf(charged, currency),
    paid: partsOf(paid ?? none, currency),
    outstanding: amount(outstandingMinor),
    balance: amount(balanceMinor),
  };
}

export function offerOf(offer: LoanOffer): z.output<typeof Offer> {
  const { productId, productVersion, productName, currency, annualRate, apr, effectiveRate } = offer;
  const amount = texts(currency);
  return {
    productId,
    productVersion,
    loanProductName: productName,
    currency,
    loanAmount: moneyAsNumber(offer.amountMinor, currency),
    disbursedAmount: amount(offer.disbursedMinor),
    disbursementFee: amount(offer.disbursementFeeMinor),
    totalInterest: amount(offer.totalInterestMinor),
    totalFees: amount(offer.totalFeesMinor),
    totalPayable: amount(offer.totalPayableMinor),
    annualRate,
    apr: absentIfEmpty(apr),
    effectiveRate: absentIfEmpty(effectiveRate),
    schedule: offer.instalments.map((instalment) => instalmentOf(instalment, currency)),
  };
}

export function applicationOf(application: WireApplication | undefined): z.output<typeof Application> {
  const { offer, createdAt, decidedAt, acceptedAt, outstandingRequirements, ...rest } = filled(
    application,
    "application",
  );
  return {
    loanApplicationId: rest.loanApplicationId,
    customerId: rest.customerId,
    status: rest.status,
    reasonCode: absentIfEmpty(rest.reasonCode),
    reason: absentIfEmpty(rest.reason),
    purpose: absentIfEmpty(rest.purpose),
    offer: offerOf(filled(offer, "application.offer")),
    outstandingRequirements,
    accountId: absentIfEmpty(rest.accountId),
    disbursementStatus: rest.disbursementStatus,
    disbursementFailure: absentIfEmpty(rest.disbursementFailure),
    createdAt: timeText(createdAt, "application.created_at"),
    ...(decidedAt && { decidedAt: decidedAt.toISOString() }),
    ...(acceptedAt && { acceptedAt: acceptedAt.toISOString() }),
  };
}

export function historyItemOf(loan: WireLoan): z.output<typeof HistoryItem> {
  const { currency } = loan;
  const amount = texts(currency);
  return {
    loanApplicationId: loan.loanApplicationId,
    loanProductName: loan.productName,
    loanAmount: moneyAsNumber(loan.amountMinor, currency),
    status: loan.status,
    accountId: loan.accountId,
    currency,
    outstandingBalance: amount(filled(loan.outstanding, "loan.outstanding").principalMinor),
    totalPayable: amount(loan.totalPayableMinor),
    nextDueDate: absentIfEmpty(loan.nextDueOn),
    nextDueAmount: loan.nextDueOn === "" ? undefined : amount(loan.nextDueMinor),
    disbursedAt: absentIfEmpty(loan.disbursedOn),
    closedAt: absentIfEmpty(loan.closedOn),
    overdueAmount: amount(loan.overdueMinor),
    daysPastDue: loan.daysPastDue,
    delinquencyBucket: loan.bucket,
    thirdPartyCollection: loan.thirdPartyCollection,
  };
}

export function loanOf(loan: WireLoan | undefined): z.output<typeof Loan> {
  const known = filled(loan, "loan");
  const { currency, customerId } = known;
  const amount = texts(currency);
  return {
    ...historyItemOf(known),
    customerId,
    outstanding: partsOf(known.outstanding, currency),
    waitingForVerification: amount(known.pendingMinor),
    accruedInterest: amount(known.accruedInterestMinor),
    overpaid: amount(known.overpaidMinor),
    writtenOff: amount(known.writtenOffMinor),
    recovered: amount(known.recoveredMinor),
    delinquencyPaused: known.delinquencyPaused,
    apr: absentIfEmpty(known.apr),
    effectiveRate: absentIfEmpty(known.effectiveRate),
    schedule: known.instalments.map((instalment) => instalmentOf(instalment, currency)),
    paybacks: known.overpaymentRefunds.map((refund) => overpaymentRefundOf(refund, currency)),
  };
}

function overpaymentRefundOf(refund: LoanOverpaymentRefund, currency: string): z.output<typeof OverpaymentRefund> {
  const { refundId: id, amountMinor, status, failure, paidTo, createdAt, endedAt } = refund;
  return {
    id,
    amount: formatMoney(money(amountMinor, currency)),
    status,
    failure: absentIfEmpty(failure),
    paidTo,
    createdAt: timeText(createdAt, "overpayment_refund.created_at"),
    ...(endedAt && { endedAt: endedAt.toISOString() }),
  };
}
