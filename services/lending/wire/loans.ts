import type {
  Loan as WireLoan,
  LoanApplication,
  LoanInstalment,
  LoanOffer,
  LoanParts,
  LoanOverpaymentRefund,
} from "../../../proto/gen/lending/v1/loan.js";
import type { LoanProduct } from "../../../proto/gen/lending/v1/product.js";
import type { Repayment as WireRepayment } from "../../../proto/gen/lending/v1/repayment.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import { formatMoney } from "../../kernel/money.js";
import { dueOfLine, sumOfPart, type Line, type PartAmounts } from "../domain/line.js";
import type { Application } from "../domain/application.js";
import { viewOf, type Loan } from "../domain/loan.js";
import type { OverpaymentRefund } from "../domain/overpayment-refund.js";
import { totalsOf, type Offer, type Product } from "../domain/product.js";
import type { Repayment } from "../domain/repayment.js";
import { dayCountToWire } from "./day-count.js";

export function productToWire(product: Product): WirePartial<LoanProduct> {
  const { currency, penalty, payoff } = product;
  const text = (minor: bigint): string => formatMoney({ minor, currency });
  return {
    ...product,
    dayCount: dayCountToWire(product.dayCount),
    minimumAmount: text(product.minimumMinor),
    maximumAmount: text(product.maximumMinor),
    disbursementFee: text(product.disbursementFeeMinor),
    instalmentFee: text(product.instalmentFeeMinor),
    penaltyGraceDays: penalty.graceDays,
    penalty: text(penalty.flatMinor),
    penaltyPercent: penalty.percent,
    payoffInterest: payoff.interest,
    payoffFee: text(payoff.feeMinor),
    payoffFeePercent: payoff.feePercent,
    allocationOrder: [...product.allocationOrder],
    bucketStarts: [...product.bucketStarts],
  };
}

const nothing: LoanParts = { principalMinor: 0n, interestMinor: 0n, feesMinor: 0n, penaltiesMinor: 0n };

export function offerToWire(product: Product, offer: Offer): WirePartial<LoanOffer> {
  const { terms, instalments, disbursementFeeMinor, cost } = offer;
  const totals = totalsOf(offer);
  return {
    productId: product.productId,
    productVersion: product.version,
    productName: product.name,
    currency: terms.currency,
    amountMinor: terms.principalMinor,
    disbursedMinor: terms.principalMinor - disbursementFeeMinor,
    disbursementFeeMinor,
    totalInterestMinor: totals.interestMinor,
    totalFeesMinor: totals.feesMinor,
    totalPayableMinor: totals.payableMinor,
    annualRate: terms.annualRate,
    apr: cost?.apr ?? "",
    effectiveRate: cost?.effectiveRate ?? "",
    instalments: instalments.map((instalment) => {
      const { number, from, dueOn, principalMinor, interestMinor, feeMinor: feesMinor, balanceMinor } = instalment;
      const charged = { principalMinor, interestMinor, feesMinor, penaltiesMinor: 0n };
      return {
        number,
        from,
        dueOn,
        charged,
        paid: nothing,
        outstandingMinor: principalMinor + interestMinor + feesMinor,
        balanceMinor,
      };
    }),
  };
}

export function applicationToWire(
  application: Application,
  product: Product,
  offer: Offer,
): WirePartial<LoanApplication> {
  const { disbursement, accountId = "", outstandingRequirements, decidedAt, acceptedAt, ...rest } = application;
  const { loanApplicationId, customerId, status, reasonCode, reason, purpose, createdAt } = rest;
  return {
    loanApplicationId,
    customerId,
    status,
    reasonCode,
    reason,
    purpose,
    createdAt,
    decidedAt,
    acceptedAt,
    accountId,
    offer: offerToWire(product, offer),
    outstandingRequirements: [...outstandingRequirements],
    disbursementStatus: disbursement?.status ?? "NONE",
    disbursementFailure: disbursement?.failure ?? "",
  };
}

function partsToWire({ PRINCIPAL, INTEREST, FEE, PENALTY }: PartAmounts): LoanParts {
  return { principalMinor: PRINCIPAL, interestMinor: INTEREST, feesMinor: FEE, penaltiesMinor: PENALTY };
}

function lineToWire(line: Line, balanceMinor: bigint): WirePartial<LoanInstalment> {
  const { number, from, dueOn, charged, paid } = line;
  return {
    number,
    from,
    dueOn,
    charged: partsToWire(charged),
    paid: partsToWire(paid),
    outstandingMinor: dueOfLine(line),
    balanceMinor,
  };
}

/** A loan as it is booked, and how late it is today. Its schedule is left out of lists. */
export function loanToWire(loan: Loan, today: string, { withSchedule = false } = {}): WirePartial<WireLoan> {
  const { position, outstanding, delinquency, nextDueOn = "", nextDueMinor, overdueMinor } = viewOf(loan, today);
  const isBegun = loan.status !== "PENDING_DISBURSEMENT" && loan.status !== "CANCELLED";
  const none = { PRINCIPAL: 0n, INTEREST: 0n, FEE: 0n, PENALTY: 0n };
  const { accountId, loanApplicationId = "", customerId, productId, productName, currency, status } = loan;
  let balance = loan.terms.principalMinor;
  const writtenOffMinor = (["PRINCIPAL", "INTEREST", "FEE", "PENALTY"] as const).reduce(
    (sum, part) => sum + sumOfPart(position.lines, "writtenOff", part),
    0n,
  );
  return {
    accountId,
    loanApplicationId,
    customerId,
    productId,
    productName,
    currency,
    status,
    amountMinor: loan.terms.principalMinor,
    disbursedOn: loan.disbursedOn ?? "",
    closedOn: loan.closedOn ?? "",
    outstanding: partsToWire(isBegun ? outstanding : none),
    totalPayableMinor: isBegun ? position.totalPayableMinor : 0n,
    pendingMinor: loan.pendingMinor,
    nextDueOn,
    nextDueMinor,
    overdueMinor,
    daysPastDue: delinquency.daysPastDue,
    bucket: delinquency.bucket,
    delinquencyPaused: delinquency.isPaused,
    accruedInterestMinor: loan.accrual.accruedMinor,
    overpaidMinor: position.overpaidMinor,
    writtenOffMinor,
    recoveredMinor: position.recoveredMinor,
    thirdPartyCollection: loan.thirdPartyCollection,
    apr: loan.apr,
    effectiveRate: loan.effectiveRate,
    createdAt: loan.createdAt,
    instalments: withSchedule
      ? position.lines.map((line) => lineToWire(line, (balance -= line.charged.PRINCIPAL)))
      : [],
  };
}

export function overpaymentRefundToWire(refund: OverpaymentRefund): WirePartial<LoanOverpaymentRefund> {
  const { refundId, amountMinor, status, failure = "", payTo, createdAt, endedAt } = refund;
  return { refundId, amountMinor, status, failure, paidTo: payTo.kind, createdAt, endedAt };
}

export function repaymentToWire(repayment: Repayment): WirePartial<WireRepayment> {
  const { amountMinor, currency, method, paidOn, productName, ...rest } = repayment;
  const { repaymentId, loanApplicationId, accountId, customerId, status, reference, narration, customerName } = rest;
  return {
    repaymentId,
    loanApplicationId,
    accountId,
    customerId,
    status,
    reference,
    narration,
    customerName,
    email: rest.email,
    reason: rest.reason,
    createdAt: rest.createdAt,
    decidedAt: rest.decidedAt,
    amount: { amountMinor, currency },
    paymentMethod: method,
    paymentDate: paidOn,
    loanProductName: productName,
  };
}
