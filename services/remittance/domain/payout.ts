import { formatMoney, type Money } from "../../shared/money.js";
import { passing, Refusal } from "../../shared/refusal.js";
import type { Change, Transaction } from "./transaction.js";

/** What is kept with a transaction once it was paid for: how its money leaves clearing, one way or the other. */
export interface Payout {
  /** Of the payment. Everything that the payout does, entries in the ledger too, carries it. */
  interactionId: string;
  /** NONE_AGGREGATION: the partner's window that it waits for. */
  windowAt?: Date;
  /** AGGREGATION: the batch it goes out with; that batch drives it until it is sent. */
  batchId?: string;
  /** Stored before the partner is first asked: from then on the partner may know of it. */
  sentAt?: Date;
  /** When the partner said first that it has it. */
  acceptedAt?: Date;
  /** How it ended: PAID settles, the others refund. NOT_SENT: cancelled before the partner was asked. */
  outcome?: "PAID" | "REFUSED" | "RECALLED" | "NOT_SENT" | "RETURNED";
  settledAt?: Date;
  /** What a bank kept of a payout that came back, in the receiving currency. */
  kept?: Money;
  refundedAt?: Date;
  /** What went back into the wallet, in the send currency. */
  refunded?: Money;
}

/** What the payout partner says about a payout. PAID, REFUSED, RECALLED are final, but that PAID may become RETURNED. */
export interface PartnerPayout {
  status: "ACCEPTED" | "PAID" | "REFUSED" | "RECALLED" | "RETURNED";
  reason: string;
  /** Absent where the partner recalled what it had never got. */
  amount?: Money;
  /** With RETURNED. */
  kept?: Money;
}

/** What has to be done next for a transaction; the state alone decides. */
export type Action =
  | { do: "FIND_WINDOW" }
  | { do: "JOIN_BATCH" }
  /** Not before this time. */
  | { do: "WAIT"; until: Date }
  /** Cash of our own: it lies ready from now on, and a cashier hands it out. */
  | { do: "HOLD_FOR_PICKUP" }
  /** Store PROCESSING; only then the partner may be asked to pay. */
  | { do: "START" }
  /** Ask the partner what became of it, and to pay it where the partner does not know it. */
  | { do: "ASK" }
  | { do: "RECALL" }
  /** Credit the recipient's wallet in the ledger. */
  | { do: "CREDIT_WALLET" }
  /** Take the money back from the wallet's account in the ledger, unless the wallet has it. */
  | { do: "RECALL_FROM_WALLET" }
  | { do: "REFUND" }
  | { do: "NOTHING" };

/** News that follow from a step, told by the outbox. */
export type News =
  | "RESERVATION_CONFIRMED"
  | "RESERVATION_RELEASED"
  | "RESERVATION_GIVEN_BACK"
  | "PAYMENT_REFUNDED"
  | "PAYMENT_PARTLY_REFUNDED"
  | "CASH_HANDED_OUT"
  | "REFUND_APPROVED";

/** A change of state with the work that follows from it, in one commit. */
export interface Step {
  change: Change;
  /**
   * What comes in the place of the transaction's one driving row: another at this time, or none. Every step replaces it, so that
   * whoever has lost the row cannot take the transaction on, and then leave it without one. KEEP, for what lies beside the payout.
   */
  drive: "NONE" | "KEEP" | { at: Date };
  news?: readonly News[];
}

/** How long after the payment a transaction may be cancelled. */
export const cancellableForMs = 30 * 60_000;

const shortestPauseMs = 1_000;
const maxPauseMs = 15 * 60_000;

/** What the driver does with a transaction as it stands. */
export function nextAction(transaction: Transaction, now: Date): Action {
  const payout = payoutOf(transaction);
  const isToWallet = transaction.recipientWallet !== undefined;
  switch (transaction.status) {
    case "PAID":
      return isToWallet ? { do: "START" } : whenToStart(transaction, now);
    case "PROCESSING":
      if (isToWallet) return { do: "CREDIT_WALLET" };
      return { do: asksPartner(transaction) ? "ASK" : "NOTHING" };
    case "READY_FOR_PICKUP":
    case "COMPLETED":
    case "PARTIALLY_REFUNDED":
      return { do: asksPartner(transaction) ? "ASK" : "NOTHING" };
    case "CANCELLING":
      if (payout.outcome !== undefined) return { do: "REFUND" };
      return { do: isToWallet ? "RECALL_FROM_WALLET" : "RECALL" };
    case "FAILED":
    case "RETURNED":
      return { do: "REFUND" };
    default:
      return { do: "NOTHING" };
  }
}

/** No partner has heard of what our own cashiers hand out, nor of what goes into a wallet in the same books. */
function asksPartner({ pickup, recipientWallet }: Transaction): boolean {
  return pickup === undefined && recipientWallet === undefined;
}

function whenToStart(transaction: Transaction, now: Date): Action {
  if (transaction.pickup !== undefined) return { do: "HOLD_FOR_PICKUP" };
  const { windowAt, batchId } = payoutOf(transaction);
  switch (transaction.processingMode) {
    case "REAL_TIME":
      return { do: "START" };
    case "NONE_AGGREGATION":
      if (windowAt === undefined) return { do: "FIND_WINDOW" };
      return windowAt > now ? { do: "WAIT", until: windowAt } : { do: "START" };
    case "AGGREGATION":
      return batchId === undefined ? { do: "JOIN_BATCH" } : { do: "NOTHING" };
  }
}

/** PAID by a version that kept no payout, and so has nobody who drives it; undefined where it has. */
export function adopt(transaction: Transaction, now: Date): Step | undefined {
  if (transaction.status !== "PAID" || transaction.payout !== undefined) return undefined;
  return { change: changing(transaction, {}), drive: { at: now } };
}

/** PAID waits for the partner's next window; undefined where it does not any more. */
export function awaitWindow(transaction: Transaction, windowAt: Date): Step | undefined {
  if (transaction.status !== "PAID") return undefined;
  return { change: changing(transaction, { windowAt }), drive: { at: windowAt } };
}

/** PAID goes out with a batch, whose own row drives it from now on; undefined where it does not any more. */
export function joinBatch(transaction: Transaction, batchId: string): Step | undefined {
  if (transaction.status !== "PAID" || payoutOf(transaction).batchId !== undefined) return undefined;
  return { change: changing(transaction, { batchId }), drive: "NONE" };
}

/** PAID → PROCESSING, before the partner hears of it; undefined where that is not to be done any more. Its driver goes on. */
export function start(transaction: Transaction, now: Date): Change | undefined {
  if (transaction.status !== "PAID") return undefined;
  const change = changing(transaction, { sentAt: now });
  return { ...change, status: "PROCESSING", reason: "" };
}

/** PAID → READY_FOR_PICKUP, for what our own cashiers hand out; undefined where that is not to be done any more. */
export function holdForPickup(transaction: Transaction): Step | undefined {
  if (transaction.status !== "PAID" || transaction.pickup === undefined) return undefined;
  return { change: { ...changing(transaction, {}), status: "READY_FOR_PICKUP", reason: "" }, drive: "NONE" };
}

/** READY_FOR_PICKUP → COMPLETED by a cashier; the ledger follows by outbox. Undefined where it is not ready any more. */
export function handOut(transaction: Transaction, cashier: string, now: Date): Step | undefined {
  const { status, pickup } = transaction;
  if (status !== "READY_FOR_PICKUP" || pickup === undefined) return undefined;
  const paidOut = { ...pickup, paidOutBy: cashier, paidOutAt: now };
  const { set } = changing(transaction, { outcome: "PAID", settledAt: now });
  return {
    change: { set: { ...set, pickup: paidOut }, status: "COMPLETED", reason: "handed out in cash" },
    drive: "NONE",
    news: ["CASH_HANDED_OUT"],
  };
}

/** The batch has gone out: each of its transactions drives itself from now on. */
export function leaveBatch(transaction: Transaction, at: Date): Step | undefined {
  if (transaction.status !== "PROCESSING") return undefined;
  return { change: {}, drive: { at } };
}

/** The settlement is posted: COMPLETED, also where a cancellation was asked and the payout was faster. */
export function settle(transaction: Transaction, said: PartnerPayout, now: Date): Step | undefined {
  const { status } = transaction;
  if (status !== "PROCESSING" && status !== "READY_FOR_PICKUP" && status !== "CANCELLING") return undefined;
  if (payoutOf(transaction).outcome !== undefined) return undefined;
  const change = changing(transaction, { outcome: "PAID", settledAt: now });
  const reason = status === "CANCELLING" ? "paid out before it could be recalled" : "";
  const drive = said.status === "RETURNED" ? { at: now } : "NONE";
  return { change: { ...change, status: "COMPLETED", reason }, drive };
}

/**
 * How the money goes back: out of clearing, or from the partner through the exchange less what a bank kept. The key of clearing is spent where
 * the ledger itself refused to credit a wallet: that is its answer for ever, so nothing else can take the money out by it.
 */
export type RefundTerms =
  | { from: "CLEARING"; isKeySpent: boolean }
  | { from: "PARTNER"; kept: Money }
  /** The wallet that it was delivered to has given it back. */
  | { from: "WALLET" };

/** Throws, as a bug, where the state does not allow a refund. */
export function refundTerms(transaction: Transaction): RefundTerms {
  const { outcome, settledAt, kept } = payoutOf(transaction);
  const { status } = transaction;
  const isUnpaid =
    outcome === "REFUSED" || outcome === "RECALLED" || (outcome === "NOT_SENT" && status === "CANCELLING");
  if ((status === "FAILED" || status === "CANCELLING") && isUnpaid && settledAt === undefined)
    return { from: "CLEARING", isKeySpent: outcome === "REFUSED" && transaction.recipientWallet !== undefined };
  if (status === "RETURNED" && outcome === "RETURNED" && transaction.recipientWallet !== undefined) {
    return { from: "WALLET" };
  }
  if (status === "RETURNED" && outcome === "RETURNED" && settledAt !== undefined && kept !== undefined) {
    return { from: "PARTNER", kept };
  }
  throw new Error(`transaction ${transaction.transactionId} is ${status} and cannot be refunded`);
}

/** The refund is posted: REFUNDED; wallet and compliance are told. */
export function refund(transaction: Transaction, refunded: Money, now: Date): Step | undefined {
  const { status } = transaction;
  if (status !== "FAILED" && status !== "CANCELLING" && status !== "RETURNED") return undefined;
  const change = changing(transaction, { refundedAt: now, refunded });
  return {
    change: { ...change, status: "REFUNDED", reason: `${formatMoney(refunded)} ${refunded.currency} to the wallet` },
    drive: "NONE",
    news: ["PAYMENT_REFUNDED", "RESERVATION_GIVEN_BACK"],
  };
}

/**
 * Somebody who may cancels it. Undefined where that was asked before. Refuses STATE_CONFLICT while it is being paid, once it is
 * paid out or refunded, and more than 30 minutes after its payment.
 */
export function cancel(transaction: Transaction, reason: string, now: Date): Step | undefined {
  const { status, compliance, paidAt } = transaction;
  switch (status) {
    case "AWAITING_COMPLIANCE":
      if (compliance === undefined) throw passing("STATE_CONFLICT", "the transaction is still being created");
      return { change: { status: "CANCELLED", reason }, drive: "NONE", news: ["RESERVATION_RELEASED"] };
    case "AWAITING_PAYMENT":
      return { change: { status: "CANCELLED", reason }, drive: "NONE", news: ["RESERVATION_RELEASED"] };
    case "PAYING":
      throw passing("STATE_CONFLICT", "the transaction is being paid at this moment");
    case "PAID":
    case "PROCESSING":
    case "READY_FOR_PICKUP": {
      if (paidAt === undefined || now.getTime() - paidAt.getTime() > cancellableForMs) {
        throw conflict("a transaction can be cancelled up to 30 minutes after its payment");
      }
      // PROCESSING is stored before the partner is asked: while it is PAID, the partner has not heard of it.
      const isOurs = status === "PAID" || transaction.pickup !== undefined;
      const change = isOurs ? changing(transaction, { outcome: "NOT_SENT" }) : {};
      return { change: { ...change, status: "CANCELLING", reason }, drive: { at: now } };
    }
    case "CANCELLING":
    case "CANCELLED":
      return undefined;
    default:
      throw conflict(`the transaction is ${status}`);
  }
}

/** Compliance approves what was cancelled meanwhile: what it has reserved for it is given back. */
export function approvedTooLate({ status }: Transaction): Step | undefined {
  return status === "CANCELLED" ? { change: {}, drive: "NONE", news: ["RESERVATION_RELEASED"] } : undefined;
}

/**
 * The partner hints at news: whoever drives asks now. Undefined where nothing new can come of it. That it came back counts
 * while it is being settled too, whatever for: a line of the statement may be heard but once.
 */
export function hint(transaction: Transaction, status: PartnerPayout["status"], now: Date): Step | undefined {
  if (!asksPartner(transaction)) return undefined;
  const waits = transaction.status === "PROCESSING" || transaction.status === "READY_FOR_PICKUP";
  const mayComeBack = ["COMPLETED", "PARTIALLY_REFUNDED", "CANCELLING"].includes(transaction.status);
  const isNew = waits ? status !== "ACCEPTED" : mayComeBack && status === "RETURNED";
  return isNew ? { change: {}, drive: { at: now } } : undefined;
}

/** A payout that is under way is asked for after half its age, from a second to a quarter of an hour. */
export function askAgainAt(transaction: Transaction, now: Date): Date {
  const { sentAt = now } = payoutOf(transaction);
  const pauseMs = (now.getTime() - sentAt.getTime()) / 2;
  return new Date(now.getTime() + Math.min(maxPauseMs, Math.max(shortestPauseMs, pauseMs)));
}

/** Throws, as a bug, for a transaction that nobody paid for. */
export function payoutOf({ transactionId, payout, paidAt, status }: Transaction): Payout {
  if (payout !== undefined) return payout;
  // Paid for by the version before payouts were kept.
  if (paidAt !== undefined && status === "PAID") return { interactionId: `payout:${transactionId}` };
  return { interactionId: "" };
}

/** What a step changes of the payout. */
export function changing(transaction: Transaction, part: Partial<Payout>): Change {
  return { set: { payout: { ...payoutOf(transaction), ...part } } };
}

export function conflict(message: string): Refusal {
  return new Refusal("STATE_CONFLICT", message);
}
