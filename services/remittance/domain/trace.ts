import { passing, Refusal } from "../../kernel/refusal.js";
import { partyBounds } from "../../platform/plugins/party-contract.js";
import type { PayoutAmendment } from "../../platform/plugins/payout-contract.js";
import { isPaidByPartner } from "./accepted-payout-polling.js";
import { namesOf, namesWanted, type AmendedNames, type NewNames } from "./amendment.js";
import { askedIn, lastingRefusalOf, mayBeDecided } from "./asked-of-person.js";
import { shownStatus } from "./block-view.js";
import { conflict, payoutOf, type Step } from "./payout.js";
import { refusedInState, type Transaction } from "./transaction.js";

/** Names that a partner who has the order is asked to put right. */
export interface Trace {
  traceId: string;
  /** SENT is stored before the partner is first asked; DONE and REFUSED are final. */
  status: "ASKED" | "SENT" | "DONE" | "REFUSED";
  /** As the partner was told last. */
  before: AmendedNames;
  after: AmendedNames;
  /** The partner reads it. */
  reason: string;
  askedBy: string;
  askedAt: Date;
  /** Absent until identity has the question. */
  approvalId?: string;
  approvedBy?: string;
  /** When lists were asked about the names. */
  screenedAt?: Date;
  sentAt?: Date;
  endedAt?: Date;
  /** A code; of REFUSED where it was not the partner who refused. */
  refusedBecause?: string;
  /** What the partner says to its answer, at most 200 characters. */
  partnerReason?: string;
}

/** What a partner says of an amendment. */
export interface TraceAnswer {
  status: "ACCEPTED" | "DONE" | "REFUSED";
  reason: string;
}

/** Of one transaction, refused ones included. */
const mostTraces = 20;

export const keptTraces = askedIn(
  "traces",
  ({ traceId }) => traceId,
  (count) => {
    if (count < mostTraces) return;
    throw new Refusal("AMENDMENT_LIMIT_REACHED", `a transaction is traced at most ${mostTraces} times`);
  },
);

const minPauseMs = 1_000;
const maxPauseMs = 15 * 60_000;

/**
 * The names as the partner has them and as they are wanted. Refuses STATE_CONFLICT where no partner
 * of contract 2 has the payout, INVALID_INPUT where nothing would differ.
 */
export function wantedTrace(transaction: Transaction, wanted: NewNames): Pick<Trace, "before" | "after"> {
  assertTraceable(transaction);
  return namesWanted(namesTold(transaction), wanted);
}

/**
 * One person asks; another one decides. Refuses as wantedTrace does, STATE_CONFLICT while another
 * trace is under way, and AMENDMENT_LIMIT_REACHED.
 */
export function askTrace(transaction: Transaction, trace: Trace, now: Date): Step {
  assertTraceable(transaction);
  const isTaken = transaction.traces?.some((one) => isUnderWay(one, now)) === true;
  if (isTaken) throw conflict("another trace of it is not answered yet");
  return keptTraces.keeping(transaction, trace);
}

/**
 * The second person's answer; undefined where it is known already. Refused at once where the
 * partner has the payout no more.
 */
export function decideTrace(
  transaction: Transaction,
  traceId: string,
  decision: { isApproved: boolean; decidedBy: string; approvalId: string },
  now: Date,
): Step | undefined {
  const trace = keptTraces.find(transaction, traceId);
  if (trace?.status !== "ASKED" || trace.approvedBy !== undefined) return undefined;
  const { isApproved, decidedBy, approvalId } = decision;
  const decided = { ...trace, approvalId };
  const refusal = isApproved ? lastingRefusalOf(() => assertTraceable(transaction)) : "NOT_APPROVED";
  if (refusal !== undefined) return keptTraces.keeping(transaction, refused(decided, refusal, now));
  return keptTraces.keeping(transaction, { ...decided, approvedBy: decidedBy });
}

/** Lists were asked about its names; undefined where that is known. */
export function noteTraceScreened(transaction: Transaction, traceId: string, now: Date): Step | undefined {
  const trace = approvedTrace(transaction, traceId);
  return trace?.status === "ASKED" ? keptTraces.keeping(transaction, { ...trace, screenedAt: now }) : undefined;
}

/** From now on the partner may know of it; refused where the partner has the payout no more. */
export function sendTrace(transaction: Transaction, traceId: string, now: Date): Step | undefined {
  const trace = approvedTrace(transaction, traceId);
  if (trace?.status !== "ASKED") return undefined;
  const refusal = lastingRefusalOf(() => assertTraceable(transaction));
  if (refusal !== undefined) return keptTraces.keeping(transaction, refused(trace, refusal, now));
  return keptTraces.keeping(transaction, { ...trace, status: "SENT", sentAt: now });
}

/** What the partner has answered for good; undefined where it is known. */
export function endTrace(
  transaction: Transaction,
  traceId: string,
  { status, reason }: TraceAnswer & { status: "DONE" | "REFUSED" },
  now: Date,
): Step | undefined {
  const trace = approvedTrace(transaction, traceId);
  if (trace === undefined) return undefined;
  return keptTraces.keeping(transaction, {
    ...trace,
    status,
    endedAt: now,
    ...(reason !== "" && { partnerReason: reason }),
  });
}

/** It cannot be asked any more; undefined where it has ended. */
export function refuseTrace(transaction: Transaction, traceId: string, because: string, now: Date): Step | undefined {
  const trace = approvedTrace(transaction, traceId);
  return trace && keptTraces.keeping(transaction, refused(trace, because, now));
}

/** One that a second person has approved, until it has ended. */
export function approvedTrace(transaction: Transaction, traceId: string): Trace | undefined {
  const trace = keptTraces.find(transaction, traceId);
  const isOpen = trace?.approvedBy !== undefined && (trace.status === "ASKED" || trace.status === "SENT");
  return isOpen ? trace : undefined;
}

/** What the partner is asked: the same whenever it is asked. */
export function amendmentOfTrace(transaction: Transaction, { traceId, after, reason }: Trace): PayoutAmendment {
  const { orderParties } = transaction;
  if (orderParties === undefined) throw new Error(`the partner was told of no party of ${transaction.transactionId}`);
  const { recipientName, accountHolderName } = after;
  return {
    amendmentId: traceId,
    beneficiary: { ...orderParties.beneficiary, name: recipientName },
    // Left out it stays as the partner has it, which an earlier trace may have changed.
    ...(accountHolderName !== "" && { accountHolderName }),
    reason,
  };
}

/** When a trace that waits is looked at again: after half its age, from 1 s to 15 min. */
export function nextTraceAt({ askedAt }: Trace, now: Date): Date {
  const pauseMs = (now.getTime() - askedAt.getTime()) / 2;
  return new Date(now.getTime() + Math.min(maxPauseMs, Math.max(minPauseMs, pauseMs)));
}

/** Whether the order may be on its way still: that its partner does not know it says nothing. */
export function isUnconfirmed(transaction: Transaction): boolean {
  return transaction.status === "PROCESSING" && payoutOf(transaction).acceptedAt === undefined;
}

/** Most characters of a reason that a partner is told. */
export const mostOfTraceReason = partyBounds.text;

function namesTold(transaction: Transaction): AmendedNames {
  const done = transaction.traces?.findLast(({ status }) => status === "DONE");
  return done?.after ?? namesOf(transaction);
}

function isUnderWay(trace: Trace, now: Date): boolean {
  return trace.status === "SENT" || (trace.status === "ASKED" && mayBeDecided(trace, now));
}

function refused(trace: Trace, refusedBecause: string, now: Date): Trace {
  return { ...trace, status: "REFUSED", refusedBecause, endedAt: now };
}

function assertTraceable(transaction: Transaction): void {
  const { recipientWallet, orderParties } = transaction;
  if (recipientWallet !== undefined) throw conflict("the owner of the wallet that is paid is known: no name counts");
  if (!isPaidByPartner(transaction)) throw conflict("our own cashiers hand it out: no partner has it");
  const shown = shownStatus(transaction);
  switch (shown) {
    case "AWAITING_COMPLIANCE":
    case "AWAITING_PAYMENT":
    case "PAID":
      throw conflict(`the transaction is ${shown}: it was not handed over, and is amended`);
    case "PAYING":
      throw passing("STATE_CONFLICT", "the transaction is being paid at this moment");
    case "PROCESSING":
    case "READY_FOR_PICKUP":
      if (orderParties !== undefined) return;
      throw conflict("its partner speaks contract 1: it was told of no party, and takes no amendment");
    default:
      throw refusedInState(shown);
  }
}
