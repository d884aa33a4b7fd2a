import { isCounted } from "./conditions.js";
import type { Outcome, DecisionInputs } from "./decision.js";
import type { DecisionBasis } from "./decision-inputs.js";
import type { ReservationState } from "./reservation.js";
import { verdictOf } from "../../screening/domain/summary.js";

/** Of a store that seals: what it holds is nobody's to read here. */
export interface SealedParties {
  keyId: string;
  sealed: string;
}

/** A decision with the policy version and the inputs it was made from. */
export interface RecordedDecision extends Outcome {
  transactionId: string;
  /** 0 where the tenant had no policy. */
  policyVersion: number;
  inputs: DecisionInputs;
  reservation: ReservationState;
  /** It was CONFIRMED with the decision, before anybody paid. */
  spentAtOnce?: true;
  /** What the payee gets is held, as the payee's status was then. */
  isHeldForPayee?: true;
  decidedAt: Date;
  interactionId: string;
  /** Raised by every change; outbox rows of the decision go out in its order. */
  version: number;
  /** Waits for a person (REVIEW) or for documents (PENDING). */
  isOpen: boolean;
  /** A confirmed hit holds it: the release of that hit decides, and no review. */
  isBlocked?: boolean;
  /** The same of whoever owns the wallet that it pays. */
  isPayeeBlocked?: boolean;
  /**
   * Who is paid, as the question named them, while it waits: by now the
   * recipient's code may name somebody else.
   */
  parties?: SealedParties;
  /** Of the transaction, as it named them last; absent where they are those of the question. */
  partiesVersion?: number;
  /** "rules", or the user who decided the review. */
  decidedBy: string;
  /** What was decided before, with what it was decided from. */
  earlier: (Outcome & { policyVersion: number; inputs: DecisionInputs; decidedAt: Date; decidedBy: string })[];
}

/** The first decision on a transaction, as the rules made it. */
export function firstDecision(
  outcome: Outcome,
  { policy, inputs, now }: DecisionBasis,
  requested: { interactionId: string; atOnce: boolean; isHeldForPayee: boolean },
): RecordedDecision {
  const reservation = reservationOf(outcome, inputs);
  const spentAtOnce = requested.atOnce && reservation === "HELD";
  return {
    ...outcome,
    transactionId: inputs.facts.transactionId,
    policyVersion: policy?.version ?? 0,
    inputs,
    reservation: spentAtOnce ? "CONFIRMED" : reservation,
    ...(spentAtOnce && { spentAtOnce }),
    ...(requested.isHeldForPayee && { isHeldForPayee: true }),
    decidedAt: now,
    interactionId: requested.interactionId,
    version: 1,
    isOpen: isWaiting(outcome),
    isBlocked: isBlocked(outcome, inputs),
    decidedBy: "rules",
    earlier: [],
  };
}

/** Another decision in place of one that waited, which it keeps. */
export function revisedDecision(
  before: RecordedDecision,
  outcome: Outcome,
  { policy, inputs, now }: DecisionBasis,
  decidedBy: string,
): RecordedDecision {
  const { decision, reasonCode, message, outstandingRequirements, matchedRules } = before;
  const was = { decision, reasonCode, message, outstandingRequirements, matchedRules };
  const { parties, transparency: _requested, ...recorded } = before;
  const isOpen = isWaiting(outcome);
  const madeFrom = { policyVersion: before.policyVersion, inputs: before.inputs, decidedAt: before.decidedAt };
  return {
    ...recorded,
    ...(isOpen && parties !== undefined && { parties }),
    ...outcome,
    policyVersion: policy?.version ?? 0,
    inputs,
    reservation: reservationOf(outcome, inputs),
    decidedAt: now,
    version: before.version + 1,
    isOpen,
    isBlocked: isBlocked(outcome, inputs),
    decidedBy,
    earlier: [...before.earlier, { ...was, ...madeFrom, decidedBy: before.decidedBy }],
  };
}

/**
 * An approval that waits for a person once more, its part of the limits given back: paid for
 * meanwhile it counts all the same.
 */
export function reopenedDecision(before: RecordedDecision, outcome: Outcome, basis: DecisionBasis): RecordedDecision {
  return { ...revisedDecision(before, outcome, basis, "rules"), reservation: "RELEASED" };
}

/** An approval holds its part of the limits; what sends no money has none. */
function reservationOf({ decision }: Outcome, { facts }: DecisionInputs): ReservationState {
  return decision === "APPROVED" && isCounted(facts.operation) ? "HELD" : "NONE";
}

/** Whether a person or a document can still change it. */
function isWaiting({ decision }: Outcome): boolean {
  return decision === "REVIEW" || decision === "PENDING";
}

function isBlocked(outcome: Outcome, { screening }: DecisionInputs): boolean {
  return isWaiting(outcome) && verdictOf(screening) === "CONFIRMED";
}
