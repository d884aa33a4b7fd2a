import type { Money } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import type { RecordedParties } from "../../platform/plugins/payout-contract.js";
import type { Change, Transaction } from "./transaction.js";

/**
 * What is kept with a transaction once it was paid for: how its money leaves clearing, one way or
 * the other.
 */
export interface Payout {
  /** Of the payment. Everything that the payout does, entries in the ledger too, carries it. */
  interactionId: string;
  /** NONE_AGGREGATION: the partner's window that it waits for. */
  windowAt?: Date;
  /** AGGREGATION: the batch it goes out with; that batch drives it until it is sent. */
  batchId?: string;
  /**
   * The tenant's own partner that it was handed over to, from PROCESSING on and for good; the
   * operator's default where absent.
   */
  installationId?: string;
  /** When it was first kept back for a hit; gone once it has started. */
  heldAt?: Date;
  /**
   * Since when nobody could take it as it is: the policy asks members, and no partner who fits is
   * told of them; or the one that it was fixed for is told of them no more. Gone once it has it.
   */
  noCarrierSince?: Date;
  /** Where the partner was first asked to call back; absent where it was asked for no callback. */
  callbackUrl?: string;
  /** Stored before the partner is first asked: from then on the partner may know of it. */
  sentAt?: Date;
  /** When the partner said first that it has it. */
  acceptedAt?: Date;
  /**
   * How it ended: PAID settles, the others refund. NOT_SENT: cancelled before the partner was
   * asked.
   */
  outcome?: "PAID" | "REFUSED" | "RECALLED" | "NOT_SENT" | "RETURNED";
  settledAt?: Date;
  /** What a bank kept of a payout that came back, in the receiving currency. */
  kept?: Money;
  refundedAt?: Date;
  /** What went back into the wallet, in the send currency. */
  refunded?: Money;
  /**
   * What the partner said that ends nothing: a person says how it ended. Gone once that is known.
   */
  unclear?: Unclear;
  /** How it ended, as two persons have said. */
  decided?: DecidedOutcome;
}

/** What a partner said of a payout that nobody can act on without asking it. */
export interface Unclear {
  /** In words that name no person. */
  said: string;
  since: Date;
  /** What one person says it is, until another one has decided. */
  asked?: RequestedOutcome;
}

export const decidableOutcomes = ["PAID", "REFUSED", "RETURNED"] as const;

/** How a payout has ended, by a person who has asked the partner. */
export interface RequestedOutcome {
  outcomeId: string;
  outcome: (typeof decidableOutcomes)[number];
  /** With RETURNED: what a bank kept, in the receiving currency. */
  kept?: Money;
  reason: string;
  askedBy: string;
  askedAt: Date;
  /** Absent until identity has the question. */
  approvalId?: string;
}

export interface DecidedOutcome extends RequestedOutcome {
  decidedBy: string;
  /** What the partner had said: said again it is no news. */
  said: string;
}

/**
 * What the payout partner says about a payout. PAID, REFUSED, RECALLED are final, but that PAID may
 * become RETURNED.
 */
export interface PartnerPayout {
  status: "ACCEPTED" | "PAID" | "REFUSED" | "RECALLED" | "RETURNED";
  reason: string;
  /** Absent where the partner recalled what it had never got. */
  amount?: Money;
  /** With RETURNED. */
  kept?: Money;
  /** Beside ACCEPTED or PAID: what it said that ends nothing, in words that name no person. */
  unclear?: string;
  /** Of a partner of contract 2 that was asked: whom it has recorded as paying and as paid. */
  recorded?: RecordedParties;
}

/** What a step makes happen outside of the transaction, as rows of the outbox. */
export type PayoutEvent =
  | "NAMES_AMENDED"
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
   * What comes in the place of the transaction's one driving row: another at this time, or none.
   * Every step replaces it, so that whoever has lost the row cannot take the transaction on, and
   * then leave it without one. KEEP, for what lies beside the payout.
   */
  drive: "NONE" | "KEEP" | { at: Date };
  events?: readonly PayoutEvent[];
}

/** PAID waits for the partner's next window; undefined where it does not any more. */
export function awaitWindow(transaction: Transaction, windowAt: Date): Step | undefined {
  if (transaction.status !== "PAID") return undefined;
  return { change: changing(transaction, { windowAt }), drive: { at: windowAt } };
}

/**
 * PAID goes out with a batch, whose own row drives it from now on; undefined where it does not any
 * more.
 */
export function joinBatch(transaction: Transaction, batchId: string): Step | undefined {
  if (transaction.status !== "PAID" || payoutOf(transaction).batchId !== undefined) return undefined;
  return { change: changing(transaction, { batchId }), drive: "NONE" };
}

/**
 * PAID → PROCESSING, before the partner hears of it; undefined where that is not to be done any
 * more. Its driver goes on. What was handed over once stays where it was handed over.
 */
export function start(transaction: Transaction, now: Date, to: StartedTo = {}): Change | undefined {
  if (transaction.status !== "PAID") return undefined;
  const { installationId, orderParties, callbackUrl } = to;
  const { heldAt: _held, noCarrierSince: _since, ...payout } = payoutOf(transaction);
  if (payout.sentAt !== undefined) {
    return { set: { payout: { ...payout, sentAt: now } }, status: "PROCESSING", reason: "" };
  }
  const at = {
    ...(installationId !== undefined && { installationId }),
    ...(callbackUrl !== undefined && { callbackUrl }),
  };
  const set = { payout: { ...payout, ...at, sentAt: now }, ...(orderParties !== undefined && { orderParties }) };
  return { set, status: "PROCESSING", reason: "" };
}

/** Who gets it, and what they are told of its parties; neither where it goes to a wallet. */
export interface StartedTo extends Pick<Transaction, "orderParties"> {
  installationId?: string | undefined;
  callbackUrl?: string | undefined;
}

const leastPauseMs = 1_000;
const longestPauseMs = 5 * 60_000;

/**
 * Nobody may take it as it is: it leaves its batch and its window, and is looked at again after
 * half the time that it has waited, from 1 s to 5 min. What its partner may know of stays where it
 * is. Undefined where somebody has it, or it is not to be paid out any more.
 */
export function withoutCarrier(transaction: Transaction, now: Date): Step | undefined {
  const { acceptedAt, outcome } = payoutOf(transaction);
  const isWithUs = acceptedAt === undefined && outcome === undefined;
  if (transaction.status !== "PAID" && !(transaction.status === "PROCESSING" && isWithUs)) return undefined;
  const { batchId: _batch, windowAt: _window, ...payout } = payoutOf(transaction);
  const { noCarrierSince = now } = payout;
  const pauseMs = Math.min(longestPauseMs, Math.max(leastPauseMs, (now.getTime() - noCarrierSince.getTime()) / 2));
  const set = { payout: { ...payout, noCarrierSince } };
  return { change: { set }, drive: { at: new Date(now.getTime() + pauseMs) } };
}

/**
 * Not sent yet, and its batch's partner takes nothing new: it joins
 * another. Undefined where that is over.
 */
export function changeBatch(transaction: Transaction, batchId: string, now: Date): Step | undefined {
  const { batchId: joined, ...payout } = payoutOf(transaction);
  if (transaction.status !== "PAID" || joined !== batchId) return undefined;
  return { change: { set: { payout } }, drive: { at: now } };
}

/**
 * PAID → READY_FOR_PICKUP, for what our own cashiers hand out; undefined where that is not to be
 * done any more.
 */
export function holdForPickup(transaction: Transaction): Step | undefined {
  if (transaction.status !== "PAID" || transaction.pickup === undefined) return undefined;
  return { change: { ...changing(transaction, {}), status: "READY_FOR_PICKUP", reason: "" }, drive: "NONE" };
}

/**
 * READY_FOR_PICKUP → COMPLETED by a cashier; the ledger follows by outbox. Undefined where it is
 * not ready any more.
 */
export function handOut(
  transaction: Transaction,
  by: { cashierId: string; handOutId: string; effectiveAt: Date; isOfAgent?: true },
  now: Date,
): Step | undefined {
  const { status, pickup } = transaction;
  if (status !== "READY_FOR_PICKUP" || pickup === undefined) return undefined;
  const { cashierId: paidOutBy, ...how } = by;
  const paidOut = { ...pickup, paidOutBy, ...how, paidOutAt: now };
  const { set } = changing(transaction, { outcome: "PAID", settledAt: now });
  return {
    change: { set: { ...set, pickup: paidOut }, status: "COMPLETED", reason: "handed out in cash" },
    drive: "NONE",
    events: ["CASH_HANDED_OUT"],
  };
}

/** The batch has gone out: each of its transactions drives itself from now on. */
export function leaveBatch(transaction: Transaction, at: Date): Step | undefined {
  if (transaction.status !== "PROCESSING") return undefined;
  return { change: {}, drive: { at } };
}

/**
 * The settlement is posted: COMPLETED, also where a cancellation or a block came and the payout was
 * faster.
 */
export function settle(transaction: Transaction, report: PartnerPayout, now: Date): Step | undefined {
  const { status, block } = transaction;
  const isBlocked = status === "BLOCKED" && block?.recall === "ASKED";
  const isUnderWay = status === "PROCESSING" || status === "READY_FOR_PICKUP" || status === "CANCELLING";
  if (!isBlocked && !isUnderWay) return undefined;
  if (payoutOf(transaction).outcome !== undefined) return undefined;
  const { set } = changing(transaction, { ...withPartner, ...withoutUnclear, outcome: "PAID", settledAt: now });
  const isLate = status === "CANCELLING" || (isBlocked && block.shownAs === "CANCELLING");
  const reason = isLate ? "paid out before it could be recalled" : "";
  const isToGoOn = report.status === "RETURNED" || report.unclear !== undefined;
  const drive = isToGoOn ? { at: now } : "NONE";
  // What is left of a block says that it came too late.
  const noted = isBlocked ? { block: { by: block.by } } : {};
  return { change: { set: { ...set, ...noted }, status: "COMPLETED", reason }, drive };
}

/**
 * Whether money went, or goes, back on request: its whole refund beside
 * it would be more than was paid.
 */
export function isGivenBackOnRequest({ refunds = [] }: Transaction): boolean {
  return refunds.some(({ status }) => status === "APPROVED" || status === "DONE");
}

/** The payout of a transaction; without an interaction where nobody has paid for it. */
export function payoutOf({ payout }: Transaction): Payout {
  return payout ?? { interactionId: "" };
}

/** What a step changes of the payout; a part that is undefined goes. */
export function changing(transaction: Transaction, part: ChangedPayout): Change {
  const changed = Object.entries({ ...payoutOf(transaction), ...part }).filter(([, value]) => value !== undefined);
  return { set: { payout: Object.fromEntries(changed) as unknown as Payout } };
}

type ChangedPayout = { [Part in keyof Payout]?: Payout[Part] | undefined };

/** What a step changes by which its partner has it. */
export const withPartner = { noCarrierSince: undefined } as const;

/** What a step changes that ends a payout, or finds it as it should be. */
export const withoutUnclear = { unclear: undefined } as const;

export function conflict(message: string): Refusal {
  return new Refusal("STATE_CONFLICT", message);
}
