import { addMoney, compareMoney, formatMoney, type Money } from "../../kernel/money.js";
import { passing, Refusal } from "../../kernel/refusal.js";
import { shownStatus } from "./block-view.js";
import { blockedBehind } from "./block.js";
import type { ComplianceOutcome } from "./compliance-outcome.js";
import { isPaymentWindowOver, paymentWindowOver } from "./payment-window.js";
import type { Change, Transaction, TransactionStatus } from "./transaction.js";
import { transparencyIncomplete, type Funding, type OrderTransparency } from "./transparency.js";

// A person may have to look at it.
const waitForComplianceS = 30;

export interface ClaimRequest {
  paymentId: string;
  customerId: string;
  total: Money;
  /** Of the account that is debited; empty where none is. */
  accountNumber: string;
  /** Takes cash for it. */
  tillId?: string;
  /** Takes cash for it, and pays out of an account of their own. */
  agentId?: string;
}

/**
 * AWAITING_PAYMENT → PAYING by a payment; undefined when that payment has it already. Refuses
 * PAYER_NOT_SENDER, PAYABLE_ALREADY_PAID, TRANSACTION_EXPIRED, TRANSACTION_NOT_PAYABLE,
 * CURRENCY_MISMATCH, AMOUNT_MISMATCH, TRANSPARENCY_INCOMPLETE where it was refused so before.
 */
export function claim(transaction: Transaction, request: ClaimRequest, now: Date): Change | undefined {
  const { paymentId } = request;
  if (request.customerId !== transaction.sender.customerId) {
    throw new Refusal("PAYER_NOT_SENDER", "only the sender can pay for this transaction");
  }
  if (isHeldBy(transaction, paymentId)) return undefined;
  if (transaction.releasedPayments.includes(paymentId)) {
    const { refusedClaim } = transaction;
    if (refusedClaim?.paymentId === paymentId) throw transparencyIncomplete(refusedClaim.missing);
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
  const { accountNumber, tillId, agentId } = request;
  const payer = {
    accountNumber,
    ...(tillId !== undefined && { tillId }),
    ...(agentId !== undefined && { agentId }),
  };
  return { status: "PAYING", reason: `payment ${paymentId}`, set: { paymentId, payer } };
}

/** What the transparency policy asks of a transaction, now that it is known how it is paid for. */
export interface AskedAtClaim {
  /** There or missing. */
  members: readonly string[];
  missing: readonly string[];
  funding: Funding;
  /** What compliance was told of the order for it. */
  kept?: OrderTransparency;
}

/**
 * A claim as the transparency policy lets it. Where something is missing the payment is over
 * instead: it is never granted afterwards, as it would be once somebody else has asked for it anew.
 */
export function claimAsked(
  transaction: Pick<Transaction, "compliance" | "transparency">,
  claimed: Change,
  { paymentId }: Pick<ClaimRequest, "paymentId">,
  asked: AskedAtClaim,
): Change {
  const { missing } = asked;
  if (missing.length > 0) {
    return { released: paymentId, set: { refusedClaim: { paymentId, missing: [...missing] } } };
  }
  return { ...claimed, set: { ...claimed.set, ...keptOfAsked(transaction, asked) } };
}

/** What a transaction keeps of what the transparency policy asked of it: its members are told. */
export function keptOfAsked(
  { compliance, transparency }: Pick<Transaction, "compliance" | "transparency">,
  { members, funding, kept = transparency }: AskedAtClaim,
): Pick<NonNullable<Change["set"]>, "compliance" | "transparency"> {
  const { transparencyMembers: before = [], ...outcome } = compliance ?? {};
  const all = [...new Set([...before, ...members])];
  const isMore = compliance !== undefined && all.length > before.length;
  return {
    ...(isMore && { compliance: { ...(outcome as ComplianceOutcome), transparencyMembers: all } }),
    ...(kept !== undefined && { transparency: { ...kept, funding } }),
  };
}

/**
 * Not payable now, but perhaps later: a claim that is refused here must be remembered, or it could
 * be granted another time.
 */
export const notYetPayable: readonly TransactionStatus[] = ["AWAITING_COMPLIANCE", "PAYING", "BLOCKED"];

/**
 * PAYING(payment) → AWAITING_PAYMENT (BLOCKED under a block); undefined when it was released
 * before. A payment that never got its claim is noted too, so that a claim which arrives late finds
 * it over. Refuses STATE_CONFLICT when this payment paid.
 */
export function release(transaction: Transaction, paymentId: string, reason: string): Change | undefined {
  if (isHeldBy(transaction, paymentId)) {
    if (transaction.status === "PAYING") {
      return blockedBehind(transaction, { status: "AWAITING_PAYMENT", reason, released: paymentId });
    }
    throw new Refusal("STATE_CONFLICT", "this payment has paid for the transaction");
  }
  return transaction.releasedPayments.includes(paymentId) ? undefined : { released: paymentId };
}

/**
 * PAYING(payment) → PAID, or behind it BLOCKED; undefined when this payment paid before. Refuses
 * STATE_CONFLICT where it holds no claim.
 */
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
  const change = {
    status: "PAID",
    reason: `payment ${paymentId}`,
    set: { paidAt, payout: { interactionId } },
  } as const;
  return blockedBehind(transaction, change);
}

/** Whether this payment has paid for it, whatever became of it since. */
export function isPaidBy(transaction: Transaction, paymentId: string): boolean {
  return transaction.status !== "PAYING" && isHeldBy(transaction, paymentId);
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
  // What was not paid has none, or one that gave its claim back.
  "BLOCKED",
] as const);

function isHeldBy({ status, paymentId, releasedPayments }: Transaction, candidate: string): boolean {
  return claimed.has(status) && paymentId === candidate && !releasedPayments.includes(candidate);
}

/**
 * Refuses a transaction that nobody can pay for as it is: PAYABLE_ALREADY_PAID,
 * TRANSACTION_EXPIRED, TRANSACTION_NOT_PAYABLE.
 */
export function assertPayable(transaction: Transaction, now: Date): void {
  switch (shownStatus(transaction)) {
    case "AWAITING_PAYMENT":
      if (isPaymentWindowOver(transaction, now)) throw paymentWindowOver();
      return;
    case "EXPIRED":
      throw paymentWindowOver();
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
