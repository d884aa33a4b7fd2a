import { addMoney, compareMoney, formatMoney, money, subtractMoney, type Money } from "../../kernel/money.js";
import { mostRefunds, tooManyRefunds } from "../../kernel/limits/refund-limit.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { shownStatus } from "./block-view.js";
import { askedIn, mayBeDecided } from "./asked-of-person.js";
import { blockedBehind } from "./block.js";
import { mayBeRevoked } from "./payout-decision.js";
import { changing, conflict, type Step } from "./payout.js";
import { refundedTo } from "./counter-sale.js";
import { refusedInState, type Transaction } from "./transaction.js";

/** Money back on somebody's request, decided by a second person. */
export interface Refund {
  refundId: string;
  amount: Money;
  status: "ASKED" | "APPROVED" | "DONE" | "REFUSED";
  reason: string;
  askedBy: string;
  askedAt: Date;
  /** Absent until identity has the question. */
  approvalId?: string;
  decidedBy?: string;
  doneAt?: Date;
  /**
   * Taken back from the wallet that it was delivered to; the sender then gets all that was paid by
   * the payout's own refund.
   */
  fromRecipient?: true;
  /**
   * Of REFUSED: the wallet had not so much once it was approved, or the code
   * by which nobody could be asked.
   */
  refusedBecause?: string;
}

export const keptRefunds = askedIn(
  "refunds",
  ({ refundId }) => refundId,
  (count) => {
    if (count >= mostRefunds) throw tooManyRefunds("transaction");
  },
);

/** What went back to the sender so far, however. */
export function refundedSoFar({
  price,
  payout,
  refunds = [],
}: Pick<Transaction, "price" | "payout" | "refunds">): Money {
  const zero = payout?.refunded ?? money(0n, price.total.currency);
  const given = refunds.filter(({ status, fromRecipient }) => status === "DONE" && fromRecipient === undefined);
  return given.reduce((sum, { amount }) => addMoney(sum, amount), zero);
}

/**
 * What may still be asked for: what was paid, less what went back and what is on its way back or
 * waits for a decision.
 */
export function refundable(transaction: Transaction, now: Date): Money {
  const { price, payout, refunds = [] } = transaction;
  const begun = payout?.refunded ?? money(0n, price.total.currency);
  const held = refunds.filter((refund) => {
    const { status, fromRecipient } = refund;
    if (status === "REFUSED" || (status === "DONE" && fromRecipient !== undefined)) return false;
    return status !== "ASKED" || mayBeDecided(refund, now);
  });
  return subtractMoney(
    price.total,
    held.reduce((sum, { amount }) => addMoney(sum, amount), begun),
  );
}

/**
 * Asks for money back; all that is left where no amount is named. Refuses STATE_CONFLICT where the
 * transaction is not completed or may yet be said to be back, REFUND_LIMIT_REACHED where it was
 * asked for as often as may be, refused ones included, and REFUND_ABOVE_PAID naming what is left.
 * From the recipient's wallet it is all or nothing.
 */
export function requestPayoutRefund(
  transaction: Transaction,
  requested: { refundId: string; amount?: Money; reason: string; askedBy: string; fromRecipient?: true },
  now: Date,
): { refund: Refund; refunds: Refund[] } {
  assertCompleted(transaction);
  if (mayBeRevoked(transaction, now)) {
    throw conflict("two persons say whether this payout came back: it would be refunded in whole");
  }
  keptRefunds.assertRoom(transaction);
  const left = refundable(transaction, now);
  if (requested.fromRecipient !== undefined) assertWholeInWallet(transaction, requested.amount, left);
  const amount = requested.amount ?? left;
  if (amount.minor <= 0n && requested.amount !== undefined) {
    throw new Refusal("AMOUNT_NOT_POSITIVE", "the amount must be greater than zero");
  }
  if (left.minor <= 0n || compareMoney(amount, left) > 0) {
    const text = formatMoney(left);
    throw new Refusal("REFUND_ABOVE_PAID", `${text} ${left.currency} of what was paid can be given back`, {
      figures: { refundable: text, currency: left.currency },
    });
  }
  const { refundId, reason, askedBy } = requested;
  const whence = requested.fromRecipient !== undefined && { fromRecipient: requested.fromRecipient };
  const refund: Refund = { refundId, amount, status: "ASKED", reason, askedBy, askedAt: now, ...whence };
  return { refund, refunds: keptRefunds.withOne(transaction, refund) };
}

/** The answer of whoever decides; undefined where it is known already or nothing is to be done. */
export function decideRefund(
  transaction: Transaction,
  refundId: string,
  decision: { approved: boolean; decidedBy: string; approvalId: string },
  now: Date,
): Step | undefined {
  const refund = keptRefunds.find(transaction, refundId);
  if (refund?.status !== "ASKED") return undefined;
  const { approved, decidedBy, approvalId } = decision;
  // What was asked for is held, save what never seemed to reach identity; it may have been given
  // away since.
  const others = { ...transaction, refunds: transaction.refunds!.filter((one) => one !== refund) };
  const isOpen = isCompleted(transaction) && !mayBeRevoked(transaction, now);
  const isCovered = isOpen && compareMoney(refund.amount, refundable(others, now)) <= 0;
  const status = approved && isCovered ? "APPROVED" : "REFUSED";
  const change = { set: { refunds: keptRefunds.withOne(transaction, { ...refund, status, decidedBy, approvalId }) } };
  return { change, drive: "KEEP", ...(status === "APPROVED" && { events: ["REFUND_APPROVED"] as const }) };
}

/** The ledger has it: PARTIALLY_REFUNDED, or REFUNDED where nothing of what was paid is left. */
export function refundDone(transaction: Transaction, refundId: string, now: Date): Step | undefined {
  const refund = keptRefunds.find(transaction, refundId);
  if (refund?.status !== "APPROVED") return undefined;
  const refunds = keptRefunds.withOne(transaction, { ...refund, status: "DONE", doneAt: now });
  const total = refundedSoFar({ ...transaction, refunds });
  const isWhole = compareMoney(total, transaction.price.total) >= 0;
  const sum = `${formatMoney(refund.amount)} ${refund.amount.currency}`;
  const reason = `${sum} ${refundedTo(transaction)}: ${refund.reason}`.slice(0, 300);
  return {
    change: { status: isWhole ? "REFUNDED" : "PARTIALLY_REFUNDED", reason, set: { refunds } },
    drive: "KEEP",
    events: [isWhole ? "PAYMENT_REFUNDED" : "PAYMENT_PARTLY_REFUNDED"],
  };
}

/**
 * The recipient's wallet has given it back: RETURNED, and the payout's driver refunds the sender,
 * unless a block stops it there.
 * Undefined where that is known.
 */
export function takenBack(transaction: Transaction, refundId: string, now: Date): Step | undefined {
  const refund = keptRefunds.find(transaction, refundId);
  if (refund?.status !== "APPROVED" || transaction.status !== "COMPLETED") return undefined;
  const refunds = keptRefunds.withOne(transaction, { ...refund, status: "DONE", doneAt: now });
  const { set } = changing(transaction, { outcome: "RETURNED", kept: money(0n, transaction.price.receive.currency) });
  const change = { status: "RETURNED", reason: refund.reason, set: { ...set, refunds } } as const;
  const returned = blockedBehind(transaction, change);
  return { change: returned, drive: returned.stopped === undefined ? { at: now } : "NONE" };
}

/**
 * It was approved, and the recipient's wallet cannot give it back: nothing has moved, and it may be
 * asked for anew.
 */
export function notTakenBack(transaction: Transaction, refundId: string, because: string): Step | undefined {
  const refund = keptRefunds.find(transaction, refundId);
  if (refund?.status !== "APPROVED") return undefined;
  return keptRefunds.keeping(transaction, { ...refund, status: "REFUSED", refusedBecause: because });
}

/** Those that were approved and are not booked yet. */
export function approvedRefunds({ refunds = [] }: Transaction): Refund[] {
  return refunds.filter(({ status }) => status === "APPROVED");
}

function isCompleted({ status }: Transaction): boolean {
  return status === "COMPLETED" || status === "PARTIALLY_REFUNDED";
}

function assertWholeInWallet({ recipientWallet, price }: Transaction, amount: Money | undefined, left: Money): void {
  if (recipientWallet === undefined) {
    throw new Refusal("STATE_CONFLICT", "only what went into a wallet of the organisation can be taken back");
  }
  if (amount !== undefined) throw invalidInput("amount", "is all of it where it is taken back from the recipient");
  if (compareMoney(left, price.total) === 0) return;
  const text = formatMoney(left);
  throw new Refusal("REFUND_ABOVE_PAID", "a part of what was paid is given back already", {
    figures: { refundable: text, currency: left.currency },
  });
}

function assertCompleted(transaction: Transaction): void {
  if (isCompleted(transaction)) return;
  const status = shownStatus(transaction);
  const hint =
    status === "PAID" || status === "PROCESSING" || status === "READY_FOR_PICKUP" ? ": cancel it instead" : "";
  throw refusedInState(status, hint);
}
