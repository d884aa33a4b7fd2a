import { nextPollAt } from "./accepted-payout-polling.js";
import { afterCompliance, type ComplianceOutcome } from "./compliance-outcome.js";
import { payableForMs } from "./payment-window.js";
import { changing, payoutOf, type Step } from "./payout.js";
import type { Change, Transaction, TransactionStatus } from "./transaction.js";

/** A block of compliance's (a confirmed hit) that is laid on a transaction. */
export interface BlockRequest {
  blockId: string;
  at: Date;
  releasedAt?: Date;
  outcome?: ReleaseOutcome;
}

export type ReleaseOutcome = "CONTINUE" | "REFUND";

/** What is kept with a transaction that a block was laid on. */
export interface Block {
  /** The oldest first; it holds until the last of them is released. */
  by: BlockRequest[];
  /** Where it was stopped; absent while nothing is, since a payment has it or it is over. */
  stoppedIn?: TransactionStatus;
  /** What whoever may not know of blocks is shown in the place of BLOCKED. */
  shownAs?: ShownStatus;
  /** ASKED while whoever was handed the payout may still pay it. */
  recall?: "ASKED" | "DECIDED";
  /**
   * Until when a credit into a wallet, or a refund, that was on its way may still reach the ledger.
   */
  recallUntil?: Date;
}

export type ShownStatus = Exclude<TransactionStatus, "BLOCKED">;

/** Longer than a call to the ledger may last that began before the block. */
const postedWithinMs = 60_000;

const actor = "compliance";

/** Whether a block holds it, or will as soon as its payment is over. */
export function isUnderBlock({ block }: Pick<Transaction, "block">): boolean {
  return block !== undefined && block.by.some(({ releasedAt }) => releasedAt === undefined);
}

/** Whether this block was laid on it, and holds yet. */
export function isBlockedBy({ block }: Pick<Transaction, "block">, blockId: string): boolean {
  return block?.by.some((one) => one.blockId === blockId && one.releasedAt === undefined) ?? false;
}

/** Whether compliance cannot know yet if the block has kept its money. */
export function isBlockUnsettled({ status, block }: Pick<Transaction, "status" | "block">): boolean {
  return status === "PAYING" || (status === "BLOCKED" && block?.recall === "ASKED");
}

/**
 * Lays a block on a transaction and stops it where it stands; undefined where that was done, or it
 * is over without a payout. `now` is real time. One that is paid out is noted, and stopped should
 * it come back.
 */
export function block(transaction: Transaction, blockId: string, now: Date): Step | undefined {
  const { status, block: before } = transaction;
  if (before?.by.some((one) => one.blockId === blockId)) return undefined;
  const laid: Block = { ...before, by: [...(before?.by ?? []), { blockId, at: now }] };
  switch (status) {
    case "CANCELLED":
    case "EXPIRED":
    case "REJECTED":
    case "REFUNDED":
      return undefined;
    case "AWAITING_COMPLIANCE":
      // Its creation has to store compliance's first answer: whoever blocks comes again.
      return transaction.compliance === undefined ? undefined : stopped(transaction, laid, "NONE");
    // A claim ends only with its payment; COMPLETED is too late.
    case "PAYING":
    case "COMPLETED":
    case "PARTIALLY_REFUNDED":
    case "BLOCKED":
      return { change: { set: { block: laid } }, drive: "KEEP" };
    default:
      return stopped(transaction, laid, isOnItsWay(transaction) ? { at: now } : "NONE");
  }
}

/**
 * Whether a block keeps its money in this state: what is being paid for is
 * stopped right behind its payment.
 */
export function isBlockedIn(status: TransactionStatus): boolean {
  return status === "BLOCKED" || status === "PAYING";
}

/** A change that takes a transaction on while a block waits for it: stopped right behind it. */
export function blockedBehind(transaction: Transaction, change: Change): Change {
  const { status, set } = change;
  const isStop = status === "AWAITING_PAYMENT" || status === "PAID" || status === "RETURNED";
  if (!isStop || !isUnderBlock(transaction)) return change;
  const block = { ...transaction.block!, stoppedIn: status, shownAs: shownWhere(status) };
  return { ...change, set: { ...set, block }, stopped: { actor, reason: reasonOf(block) } };
}

/**
 * Ends a block. The last one lets the transaction go on from where it was stopped, or sends the
 * money back; REFUND wins over CONTINUE. Undefined where nothing is to be done. `now` is the
 * tenant's time, `dueAt` real time.
 */
export function releaseBlock(
  transaction: Transaction,
  blockId: string,
  outcome: ReleaseOutcome,
  { now, dueAt, waitsMs = payableForMs }: { now: Date; dueAt: Date; waitsMs?: number | undefined },
): Step | undefined {
  const { block: before, status } = transaction;
  if (before === undefined || !isBlockedBy(transaction, blockId)) return undefined;
  const by = before.by.map((one) => (one.blockId === blockId ? { ...one, releasedAt: dueAt, outcome } : one));
  const block: Block = { ...before, by };
  if (status !== "BLOCKED" || isUnderBlock({ block })) return { change: { set: { block } }, drive: "KEEP" };
  const isRefund = by.some((one) => one.outcome === "REFUND");
  const step = isRefund ? sentBack(transaction, dueAt) : goesOn(transaction, now, dueAt, waitsMs);
  const { status: to = before.stoppedIn ?? "PROCESSING", set } = step.change;
  const entry = { status: to, reason: releaseReason(blockId, isRefund), actor };
  return { ...step, change: { ...entry, isSecret: true, set: { ...set, block: { by } } } };
}

/**
 * Where this block's release let it go, by the entry that it left: what came since makes no
 * difference. Undefined where another block held it yet, or nothing was stopped.
 */
export function releasedTo({ timeline }: Pick<Transaction, "timeline">, blockId: string): "ON" | "BACK" | undefined {
  const refund = releaseReason(blockId, true);
  const end = timeline.find(
    ({ reason, isSecret }) => isSecret && (reason === refund || reason === releaseReason(blockId, false)),
  );
  if (end === undefined) return undefined;
  return end.reason === refund || goingBack.includes(end.status) ? "BACK" : "ON";
}

// Their money is on its way to who paid, whatever the block's end says.
const goingBack: readonly TransactionStatus[] = ["CANCELLING", "FAILED", "RETURNED"];

function releaseReason(blockId: string, isRefund: boolean): string {
  return `block ${blockId} released: ${isRefund ? "refund" : "goes on"}`;
}

/** The partner gave it back, or it never went out: what a blocked transaction notes of it. */
export function recallDecided(transaction: Transaction, outcome?: "REFUSED" | "RECALLED"): Step {
  const block = { ...transaction.block!, recall: "DECIDED" as const };
  const payout = outcome === undefined ? {} : changing(transaction, { outcome }).set;
  return { change: { set: { ...payout, block } }, drive: "NONE" };
}

/**
 * Whether the refund has reached the ledger is looked at again until it cannot come any more.
 * Undefined where nobody waits for that any more.
 */
export function refundNotPosted(transaction: Transaction, now: Date): Step | undefined {
  if (!isRefundPolled(transaction)) return undefined;
  const { recallUntil } = transaction.block!;
  if (recallUntil !== undefined && now >= recallUntil) return recallDecided(transaction);
  return { change: {}, drive: { at: nextPollAt(transaction, now) } };
}

/** Whether a block came while its refund was on its way to the ledger. */
export function isRefundPolled(transaction: Transaction): boolean {
  const { status, block } = transaction;
  return status === "BLOCKED" && block?.recall === "ASKED" && payoutOf(transaction).outcome !== undefined;
}

/** As it stood when it was stopped. */
export function asBlocked(transaction: Transaction): Transaction {
  return { ...transaction, status: transaction.block?.stoppedIn ?? transaction.status };
}

/**
 * A decision of compliance on what was stopped before anybody paid; it counts when it goes on.
 * Undefined where it changes nothing: what was payable is so still, but for a review of new names.
 */
export function decidedWhileBlocked({ status, block }: Transaction, compliance: ComplianceOutcome): Step | undefined {
  if (status !== "BLOCKED" || block === undefined) return undefined;
  if (block.stoppedIn === "AWAITING_COMPLIANCE") return { change: { set: { compliance } }, drive: "KEEP" };
  if (block.stoppedIn !== "AWAITING_PAYMENT" || compliance.decision !== "REVIEW") return undefined;
  const reopened: Block = { ...block, stoppedIn: "AWAITING_COMPLIANCE" };
  return { change: { set: { compliance, block: reopened } }, drive: "KEEP" };
}

function stopped(transaction: Transaction, laid: Block, drive: "NONE" | { at: Date }): Step {
  const { status, recipientWallet } = transaction;
  const isRequested = drive !== "NONE";
  const isDecidedByLedger = recipientWallet !== undefined || payoutOf(transaction).outcome !== undefined;
  const block: Block = {
    ...laid,
    stoppedIn: status,
    shownAs: shownWhere(status as ShownStatus),
    ...(isRequested && { recall: "ASKED" as const }),
    ...(isRequested && isDecidedByLedger && { recallUntil: new Date(drive.at.getTime() + postedWithinMs) }),
  };
  const change: Change = {
    status: "BLOCKED",
    reason: reasonOf(block),
    actor,
    shownAs: block.shownAs!,
    isSecret: true,
    set: { block, ...(status === "PAID" && { payout: unsent(transaction) }) },
  };
  return { change, drive };
}

/** It leaves its batch, and its window: both are looked for anew when it goes on. */
function unsent(transaction: Transaction) {
  const { batchId: _batch, windowAt: _window, ...payout } = payoutOf(transaction);
  return payout;
}

/** Whether its money may be on its way out or back at this moment, so that others have to tell. */
function isOnItsWay(transaction: Transaction): boolean {
  const { status, pickup } = transaction;
  // Its refund may be on its way to the ledger.
  if (payoutOf(transaction).outcome !== undefined) return true;
  if (pickup !== undefined) return false;
  return status === "PROCESSING" || status === "READY_FOR_PICKUP" || status === "CANCELLING";
}

function shownWhere(status: ShownStatus): ShownStatus {
  switch (status) {
    case "AWAITING_PAYMENT":
      return "AWAITING_COMPLIANCE";
    case "READY_FOR_PICKUP":
      return "PROCESSING";
    default:
      return status;
  }
}

/** Back to who paid, by the way of every refund; what nobody has paid for is cancelled. */
function sentBack(transaction: Transaction, dueAt: Date): Step {
  const { block: { stoppedIn } = { by: [] }, pickup } = transaction;
  switch (stoppedIn) {
    case "AWAITING_COMPLIANCE":
    case "AWAITING_PAYMENT":
      return { change: { status: "CANCELLED" }, drive: "NONE", events: ["RESERVATION_RELEASED"] };
    case "PAID":
    case "PROCESSING":
    case "READY_FOR_PICKUP": {
      const isOurs = stoppedIn === "PAID" || pickup !== undefined;
      const change = isOurs ? changing(transaction, { outcome: "NOT_SENT" }) : {};
      return { change: { ...change, status: "CANCELLING" }, drive: { at: dueAt } };
    }
    default:
      return { change: {}, drive: { at: dueAt } };
  }
}

function goesOn(transaction: Transaction, now: Date, dueAt: Date, waitsMs: number): Step {
  const { block: { stoppedIn } = { by: [] }, compliance, pickup } = transaction;
  switch (stoppedIn) {
    case "AWAITING_COMPLIANCE":
      return { change: afterCompliance(compliance!, now, waitsMs), drive: "NONE" };
    case "AWAITING_PAYMENT":
      return { change: { set: { expiresAt: new Date(now.getTime() + waitsMs) } }, drive: "NONE" };
    case "PROCESSING":
    case "READY_FOR_PICKUP": {
      if (pickup !== undefined) return { change: {}, drive: "NONE" };
      // The partner pays a reference once, and never what it gave back: the sender has to ask anew.
      const isOver = payoutOf(transaction).outcome !== undefined;
      return { change: isOver ? { status: "FAILED" } : {}, drive: { at: dueAt } };
    }
    default:
      return { change: {}, drive: { at: dueAt } };
  }
}

function reasonOf({ by }: Block): string {
  const holding = by.filter(({ releasedAt }) => releasedAt === undefined);
  return holding.map(({ blockId }) => `block ${blockId}`).join(", ");
}
