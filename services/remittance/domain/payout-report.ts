import { compareMoney, formatMoney } from "../../kernel/money.js";
import type { Refusal } from "../../kernel/refusal.js";
import { nextPollAt } from "./accepted-payout-polling.js";
import { recallDecided, blockedBehind } from "./block.js";
import {
  changing,
  conflict,
  isGivenBackOnRequest,
  payoutOf,
  withoutUnclear,
  withPartner,
  type PartnerPayout,
  type Step,
} from "./payout.js";
import type { Transaction } from "./transaction.js";

/**
 * What follows from a report: a step, a settlement in the ledger and then `settle`, or nothing new.
 */
export type Outcome = { kind: "STEP"; step: Step } | { kind: "SETTLE" } | { kind: "NOTHING" };

/**
 * Decides what follows from a partner's report. Refuses STATE_CONFLICT where it contradicts an
 * earlier one.
 */
export function applyReport(transaction: Transaction, reported: PartnerPayout, now: Date): Outcome {
  const report = withKnownDeduction(transaction, reported);
  assertSameAmount(transaction, report);
  const { outcome } = payoutOf(transaction);
  switch (transaction.status) {
    case "PROCESSING":
    case "READY_FOR_PICKUP":
      return applyUnderWay(transaction, report, now);
    case "CANCELLING":
      if (outcome === undefined) return applyUnderWay(transaction, report, now);
      return applyRepeated(transaction, report);
    case "BLOCKED":
      if (outcome !== undefined) return applyRepeated(transaction, report);
      return transaction.block?.recall === "ASKED" ? applyRecalled(transaction, report, now) : { kind: "NOTHING" };
    case "COMPLETED":
    case "PARTIALLY_REFUNDED":
      if (report.status === "PAID" || isDecidedOtherwise(transaction, report))
        return noteUnclear(transaction, report, now);
      if (report.status !== "RETURNED") throw contradiction(transaction, report);
      // Its whole refund and one on request would come to more than was paid: a person looks at it.
      if (isGivenBackOnRequest(transaction)) {
        throw conflict(`${transaction.transactionId} came back after money was given back on request`);
      }
      return { kind: "STEP", step: sentBack(transaction, report, now) };
    case "FAILED":
    case "RETURNED":
    case "REFUNDED":
      return applyRepeated(transaction, report);
    default:
      return { kind: "NOTHING" };
  }
}

/**
 * What it has kept of what came back, where that can be: else it was paid, and a
 * person asks what became of it.
 */
function withKnownDeduction({ price, recipientWallet }: Transaction, report: PartnerPayout): PartnerPayout {
  const { status, kept, reason, amount } = report;
  if (status !== "RETURNED" || recipientWallet !== undefined) return report;
  const { receive } = price;
  if (kept !== undefined && kept.currency === receive.currency && compareMoney(kept, receive) <= 0) return report;
  const what = kept === undefined ? "nobody says what" : `${formatMoney(kept)} ${kept.currency}`;
  const unclear = `came back, and of ${formatMoney(receive)} ${receive.currency} a bank kept ${what}`;
  return { status: "PAID", reason, ...(amount && { amount }), unclear };
}

/** Two persons have said that it is paid, and the partner still says that it will be. */
function isDecidedOtherwise(transaction: Transaction, { status }: PartnerPayout): boolean {
  return status === "ACCEPTED" && payoutOf(transaction).decided?.outcome === "PAID";
}

/**
 * What is unclear of a report as it is kept; undefined where nothing is, or where it was decided.
 * Other words end no question: who asked a second person waits for that answer still.
 */
function unclearOf(transaction: Transaction, { unclear: said }: PartnerPayout, now: Date) {
  const { unclear, decided } = payoutOf(transaction);
  if (said === undefined || said === decided?.said) return undefined;
  return unclear?.said === said ? unclear : { ...unclear, said, since: unclear?.since ?? now };
}

/** Of what was paid: what the partner says now that does not fit, or that it fits again. */
function noteUnclear(transaction: Transaction, report: PartnerPayout, now: Date): Outcome {
  const unclear = unclearOf(transaction, report, now);
  if (unclear === payoutOf(transaction).unclear) return { kind: "NOTHING" };
  return { kind: "STEP", step: { change: changing(transaction, { unclear }), drive: "NONE" } };
}

/**
 * Its end is decided: the partner may only repeat itself. Of what was never sent it has nothing to
 * say.
 */
function applyRepeated(transaction: Transaction, report: PartnerPayout): Outcome {
  if (payoutOf(transaction).outcome !== report.status) throw contradiction(transaction, report);
  return { kind: "NOTHING" };
}

function applyUnderWay(transaction: Transaction, report: PartnerPayout, now: Date): Outcome {
  switch (report.status) {
    case "PAID":
    // It was paid first: settled now, and sent back in a second step.
    case "RETURNED":
      return { kind: "SETTLE" };
    case "ACCEPTED":
      return { kind: "STEP", step: accepted(transaction, report, now) };
    case "REFUSED":
    case "RECALLED":
      return { kind: "STEP", step: notPaid(transaction, report, now) };
  }
}

/** What a block has recalled: its money stays where it is until the block is released. */
function applyRecalled(transaction: Transaction, report: PartnerPayout, now: Date): Outcome {
  const { recallUntil } = transaction.block ?? {};
  switch (report.status) {
    case "PAID":
    case "RETURNED":
      return { kind: "SETTLE" };
    case "ACCEPTED": {
      const isOver = recallUntil !== undefined && now >= recallUntil;
      const drive = { at: nextPollAt(transaction, now) };
      const change = changing(transaction, { unclear: unclearOf(transaction, report, now) });
      return { kind: "STEP", step: isOver ? recallDecided(transaction) : { change, drive } };
    }
    case "REFUSED":
    case "RECALLED": {
      const { status: outcome } = report;
      if (transaction.recipientWallet === undefined) {
        return { kind: "STEP", step: recallDecided(transaction, outcome) };
      }
      // A cancellation was faster in the ledger: its refund is looked for.
      return { kind: "STEP", step: { change: changing(transaction, { outcome }), drive: { at: now } } };
    }
  }
}

/** The partner has it: ask again later. Cash lies ready for who picks it up. */
function accepted(transaction: Transaction, report: PartnerPayout, now: Date): Step {
  const { status, deliveryMethod } = transaction;
  const { acceptedAt = now } = payoutOf(transaction);
  const noted = { ...withPartner, acceptedAt, unclear: unclearOf(transaction, report, now) };
  const change = changing(transaction, noted);
  const ready = status === "PROCESSING" && deliveryMethod === "CASH_PICKUP";
  return {
    change: ready ? { ...change, status: "READY_FOR_PICKUP", reason: "" } : change,
    drive: { at: nextPollAt(transaction, now) },
  };
}

/** A definite refusal, or a recall that won: the money goes back. */
function notPaid(transaction: Transaction, { status, reason }: PartnerPayout, now: Date): Step {
  const outcome = status as "REFUSED" | "RECALLED";
  const change = changing(transaction, { ...withPartner, ...withoutUnclear, outcome });
  if (transaction.status === "CANCELLING") return { change, drive: { at: now } };
  const why = reason || (status === "RECALLED" ? "recalled at the partner" : "refused by the partner");
  return { change: { ...change, status: "FAILED", reason: why }, drive: { at: now } };
}

function sentBack(transaction: Transaction, { kept, reason }: PartnerPayout, now: Date): Step {
  if (kept === undefined) throw new Error(`payout ${transaction.transactionId} came back, nobody says how much of it`);
  const change = changing(transaction, { ...withoutUnclear, outcome: "RETURNED", kept });
  const why = reason || (kept.minor > 0n ? `${formatMoney(kept)} ${kept.currency} kept by a bank` : "");
  const returned = blockedBehind(transaction, { ...change, status: "RETURNED", reason: why });
  return { change: returned, drive: returned.stopped === undefined ? { at: now } : "NONE" };
}

function assertSameAmount(transaction: Transaction, { amount, status }: PartnerPayout): void {
  const { transactionId, price, recipientWallet } = transaction;
  const isUnpaid = status === "RECALLED" || status === "REFUSED";
  if (amount === undefined) {
    // Who has said that it has a payout cannot say later that its order never came.
    const hadIt = recipientWallet === undefined && payoutOf(transaction).acceptedAt !== undefined;
    if (isUnpaid && !(status === "RECALLED" && hadIt)) return;
    throw conflict(`the partner had ${transactionId} and names no amount of it`);
  }
  if (amount.currency !== price.receive.currency || compareMoney(amount, price.receive) !== 0) {
    throw conflict(`the partner has another amount for ${transactionId} than was asked for`);
  }
}

function contradiction({ transactionId, status }: Transaction, report: PartnerPayout): Refusal {
  return conflict(`the partner says ${report.status} of ${transactionId}, which is ${status}`);
}
