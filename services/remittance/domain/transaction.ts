import { addMoney, compareMoney, formatMoney, type Money } from "../../shared/money.js";
import { passing, Refusal } from "../../shared/refusal.js";
import type { DeliveryMethod } from "./corridor.js";
import type { KeyValue } from "./credit-party.js";
import type { OfferTerms } from "./offers.js";
import type { Payout } from "./payout.js";
import type { Pickup } from "./pickup.js";
import type { Price } from "./pricing.js";
import type { RecipientWallet } from "../clients/recipient-wallet.js";
import type { Refund } from "./refund.js";

/** States of a transaction (docs/decisions/0006). What follows PAID: payout.ts (docs/decisions/0012). */
export type TransactionStatus =
  | "AWAITING_COMPLIANCE"
  | "AWAITING_PAYMENT"
  | "PAYING"
  | "PAID"
  | "PROCESSING"
  | "READY_FOR_PICKUP"
  | "COMPLETED"
  | "FAILED"
  | "RETURNED"
  | "CANCELLING"
  | "REFUNDED"
  | "PARTIALLY_REFUNDED"
  | "CANCELLED"
  | "EXPIRED"
  | "REJECTED";

// People or time end these; the others go on by themselves, within moments or when a partner answers.
const resting: ReadonlySet<TransactionStatus> = new Set([
  "AWAITING_PAYMENT",
  "COMPLETED",
  "REFUNDED",
  "PARTIALLY_REFUNDED",
  "CANCELLED",
  "EXPIRED",
  "REJECTED",
] as const);

/** The refusal of what the state does not allow; it passes by itself while the transaction is under way. */
export function refusedInState(status: TransactionStatus, hint = ""): Refusal {
  const message = `the transaction is ${status}${hint}`;
  return resting.has(status) ? new Refusal("STATE_CONFLICT", message) : passing("STATE_CONFLICT", message);
}

export type ProcessingMode = "REAL_TIME" | "NONE_AGGREGATION" | "AGGREGATION";

export interface Party {
  customerId: string;
  customerCode: string;
  name: string;
  /** Alpha-3. */
  country: string;
}

export interface StatusChange {
  status: TransactionStatus;
  at: Date;
  /** A user's id, or a service's name. */
  actor: string;
  reason: string;
}

export interface TransferInformation {
  originCountry: string;
  receivingCountry: string;
  remittancePurpose: string;
  sourceOfFunds: string;
}

export interface ComplianceOutcome {
  decision: "PENDING" | "APPROVED" | "REVIEW" | "REJECTED";
  reasonCode: string;
  message: string;
  outstandingRequirements: string[];
  policyVersion: number;
}

export interface Transaction {
  transactionId: string;
  /** What people read to each other; unique in the tenant. */
  transactionCode: string;
  /** Raised by every change; outbox rows of the transaction run in its order. */
  version: number;
  status: TransactionStatus;
  deliveryMethod: DeliveryMethod;
  processingMode: ProcessingMode;
  price: Price;
  rateId: string;
  corridorVersion: number;
  /** How the price came about; absent before markups and promotions were kept. */
  terms?: OfferTerms;
  quoteId?: string;
  sender: Party;
  /** The code is the beneficiary's. */
  recipient: Party;
  beneficiaryId: string;
  creditParty: KeyValue[];
  /** GIVEN where the request's details differ from what the beneficiary has on file. */
  creditPartySource: "BENEFICIARY" | "GIVEN";
  transferInformation: TransferInformation;
  descriptionText: string;
  /** JSON text: its keys are the client's. */
  dynamicFields?: string;
  eligibleDocuments?: string;
  ipAddress: string;
  /** Absent until compliance has decided. */
  compliance?: ComplianceOutcome;
  /** Who claimed it last; it holds the claim while the status is PAYING. */
  paymentId?: string;
  /** Payments that gave their claim back, or failed before they had one: they never get it again. */
  releasedPayments: string[];
  paidAt?: Date;
  /** Cash that a cashier of ours hands out; absent for every other way. */
  pickup?: Pickup;
  /** Delivery WALLET: who gets it in the same books; absent for every other way. */
  recipientWallet?: RecipientWallet;
  /** Money back on somebody's request, the oldest first. */
  refunds?: Refund[];
  /** The agent who managed the sender then; absent where nobody did, or before it was kept. */
  agentId?: string;
  createdByRole?: string;
  /** Words of names and codes, lower case, that it is found by. */
  searchWords?: string[];
  /** Absent until it was paid for. */
  payout?: Payout;
  interactionId: string;
  createdAt: Date;
  createdBy: string;
  /** Until when it may be paid; absent before it may be. */
  expiresAt?: Date;
  timeline: StatusChange[];
  /** Whose request made it, to complete that request's record. */
  request: { caller: string; key: string; fingerprint: string };
}

/** What a step changes. Without a status the transaction stays where it is and its timeline says nothing. */
export interface Change {
  status?: TransactionStatus;
  reason?: string;
  set?: Partial<
    Pick<Transaction, "compliance" | "expiresAt" | "paymentId" | "paidAt" | "payout" | "pickup" | "refunds">
  >;
  /** Added to releasedPayments. */
  released?: string;
}

/** How long a transaction waits for its payment, unless the operator says otherwise. */
export const payableForMs = 30 * 60_000;

// A person may have to look at it.
const waitForComplianceS = 30;

/** What compliance's answer makes of a transaction that waits for it. */
export function afterCompliance(compliance: ComplianceOutcome, now: Date, waitsMs = payableForMs): Change {
  const { decision, reasonCode } = compliance;
  switch (decision) {
    case "APPROVED": {
      const expiresAt = new Date(now.getTime() + waitsMs);
      return { status: "AWAITING_PAYMENT", reason: "", set: { compliance, expiresAt } };
    }
    case "REJECTED":
      return { status: "REJECTED", reason: reasonCode, set: { compliance } };
    case "REVIEW":
    case "PENDING":
      return { set: { compliance } };
  }
}

/** What the customer is told of a rejection: a limit and a missing confirmation by name, all else neutrally. */
export function rejectionOf({ reasonCode, message }: ComplianceOutcome): Refusal {
  switch (reasonCode) {
    case "DAILY_LIMIT_EXCEEDED":
    case "CUSTOMER_NOT_CONFIRMED":
      return new Refusal(reasonCode, message);
    default:
      return new Refusal("COMPLIANCE_REJECTED", "compliance refuses this transaction");
  }
}

export interface ClaimRequest {
  paymentId: string;
  customerId: string;
  total: Money;
}

/**
 * AWAITING_PAYMENT → PAYING by a payment; undefined when that payment has it already. Refuses PAYER_NOT_SENDER,
 * PAYABLE_ALREADY_PAID, TRANSACTION_EXPIRED, TRANSACTION_NOT_PAYABLE, CURRENCY_MISMATCH, AMOUNT_MISMATCH.
 */
export function claim(transaction: Transaction, request: ClaimRequest, now: Date): Change | undefined {
  const { paymentId } = request;
  if (request.customerId !== transaction.sender.customerId) {
    throw new Refusal("PAYER_NOT_SENDER", "only the sender can pay for this transaction");
  }
  if (isHeldBy(transaction, paymentId)) return undefined;
  if (transaction.releasedPayments.includes(paymentId)) {
    throw new Refusal("TRANSACTION_NOT_PAYABLE", "this payment has given the transaction back");
  }
  assertPayable(transaction, now);
  const due = transaction.price.total;
  if (request.total.currency !== due.currency) {
    throw new Refusal("CURRENCY_MISMATCH", `the transaction is paid in ${due.currency}`);
  }
  if (compareMoney(request.total, due) !== 0) {
    const text = formatMoney(due);
    throw new Refusal("AMOUNT_MISMATCH", `${text} ${due.currency} is due`, {
      figures: { totalAmount: text, currency: due.currency },
    });
  }
  return { status: "PAYING", reason: `payment ${paymentId}`, set: { paymentId } };
}

/** Not payable now, but perhaps later: a claim that is refused here must be remembered, or it could be granted another time. */
export const notYetPayable: readonly TransactionStatus[] = ["AWAITING_COMPLIANCE", "PAYING"];

/**
 * PAYING(payment) → AWAITING_PAYMENT; undefined when it was released before. A payment that never got its claim is noted
 * too, so that a claim which arrives late finds it over. Refuses STATE_CONFLICT when this payment paid.
 */
export function release(transaction: Transaction, paymentId: string, reason: string): Change | undefined {
  if (isHeldBy(transaction, paymentId)) {
    if (transaction.status === "PAYING") return { status: "AWAITING_PAYMENT", reason, released: paymentId };
    throw new Refusal("STATE_CONFLICT", "this payment has paid for the transaction");
  }
  return transaction.releasedPayments.includes(paymentId) ? undefined : { released: paymentId };
}

/** PAYING(payment) → PAID; undefined when this payment paid before. Refuses STATE_CONFLICT where it holds no claim. */
export function markPaid(
  transaction: Transaction,
  paymentId: string,
  paidAt: Date,
  interactionId: string,
): Change | undefined {
  if (!isHeldBy(transaction, paymentId)) {
    throw new Refusal("STATE_CONFLICT", "the transaction is not being paid by this payment");
  }
  if (transaction.status !== "PAYING") return undefined;
  return { status: "PAID", reason: `payment ${paymentId}`, set: { paidAt, payout: { interactionId } } };
}

/** Whether this payment has paid for it, whatever became of it since. */
export function isPaidBy(transaction: Transaction, paymentId: string): boolean {
  return transaction.status !== "PAYING" && isHeldBy(transaction, paymentId);
}

/** AWAITING_PAYMENT → EXPIRED once its time is over; undefined otherwise. A claim cannot expire. */
export function expire(transaction: Transaction, now: Date): Change | undefined {
  if (transaction.status !== "AWAITING_PAYMENT" || !isOver(transaction, now)) return undefined;
  return { status: "EXPIRED", reason: "not paid in time" };
}

/** The transaction after a change, as the store writes it. */
export function changed(transaction: Transaction, change: Change, by: Pick<StatusChange, "at" | "actor">): Transaction {
  const { status, reason = "", set, released } = change;
  const { releasedPayments, timeline } = transaction;
  return {
    ...transaction,
    ...set,
    version: transaction.version + 1,
    status: status ?? transaction.status,
    releasedPayments: released === undefined ? releasedPayments : [...releasedPayments, released],
    timeline: status === undefined ? timeline : [...timeline, { status, ...by, reason }],
  };
}

/** What the sender pays, part by part; the parts are what the payment's ledger legs are made of. */
export function dueOf({ price }: Transaction): { principal: Money; totalFees: Money; totalTaxes: Money } {
  const { principal, totalFees, totalTaxes, total } = price;
  if (compareMoney(addMoney(addMoney(principal, totalFees), totalTaxes), total) !== 0) {
    throw new Error("the parts of a price do not add up to its total");
  }
  return { principal, totalFees, totalTaxes };
}

// After PAID only refunds and payouts follow, which keep the payment's id.
const claimed: ReadonlySet<TransactionStatus> = new Set([
  "PAYING",
  "PAID",
  "PROCESSING",
  "READY_FOR_PICKUP",
  "COMPLETED",
  "FAILED",
  "RETURNED",
  "CANCELLING",
  "REFUNDED",
  "PARTIALLY_REFUNDED",
] as const);

function isHeldBy({ status, paymentId, releasedPayments }: Transaction, candidate: string): boolean {
  return claimed.has(status) && paymentId === candidate && !releasedPayments.includes(candidate);
}

function assertPayable(transaction: Transaction, now: Date): void {
  switch (transaction.status) {
    case "AWAITING_PAYMENT":
      if (isOver(transaction, now)) throw expired();
      return;
    case "EXPIRED":
      throw expired();
    case "PAID":
    case "PROCESSING":
    case "READY_FOR_PICKUP":
    case "COMPLETED":
    case "FAILED":
    case "RETURNED":
    case "CANCELLING":
    case "REFUNDED":
    case "PARTIALLY_REFUNDED":
      throw new Refusal("PAYABLE_ALREADY_PAID", "the transaction is paid already");
    case "CANCELLED":
      throw new Refusal("TRANSACTION_NOT_PAYABLE", "the transaction was cancelled");
    case "PAYING":
      throw passing("TRANSACTION_NOT_PAYABLE", "another payment for this transaction is under way");
    case "AWAITING_COMPLIANCE":
      throw passing("TRANSACTION_NOT_PAYABLE", "the transaction waits for compliance", waitForComplianceS);
    case "REJECTED":
      throw new Refusal("TRANSACTION_NOT_PAYABLE", "the transaction was refused");
  }
}

function isOver({ expiresAt }: Transaction, now: Date): boolean {
  return expiresAt !== undefined && now.getTime() >= expiresAt.getTime();
}

function expired(): Refusal {
  return new Refusal("TRANSACTION_EXPIRED", "the time to pay for this transaction is over");
}

/**
 * What a cashier of the organisation reads, prints and verifies, whoever of them made it: what was made at a desk, what may still be paid
 * for at one, and cash that is collected there.
 */
export function isAtTheDesk({ createdByRole, deliveryMethod, status, pickup }: Transaction): boolean {
  if (createdByRole === "CASHIER" || status === "AWAITING_PAYMENT") return true;
  return deliveryMethod === "CASH_PICKUP" && (status === "READY_FOR_PICKUP" || pickup?.paidOutBy !== undefined);
}
