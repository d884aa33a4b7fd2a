import type { KeptDecision } from "./kept-decision.js";

export type CaseKind = "SCREENING" | "MONITORING" | "MANUAL";
export type SubjectKind = "CUSTOMER" | "RECIPIENT" | "STAFF";

/** Whom a case is about. */
export interface CaseSubject {
  subjectKind: SubjectKind;
  /** Customer id, `<customerId>/<recipientCode>`, the same with `/holder`, or a user's id. */
  subjectId: string;
  /** Whose customer record it belongs to; empty for staff. */
  customerId: string;
}

/** Something that belongs into the subject's case; written as an outbox row by what decides. */
export interface CaseJoin extends CaseSubject {
  kind: "SCREENING" | "MONITORING";
  /** HIT and REVIEW open a case where the subject has no open one; the others only note. */
  event: "HIT" | "REVIEW" | "HIT_DECIDED" | "REVIEW_DECIDED";
  screeningId?: string;
  transactionId?: string;
  /** Of HIT_DECIDED: other hits of the same screening still wait for a decision. */
  waits?: boolean;
  /** One or two sentences for the officer. */
  text: string;
  /** User id, or "compliance". */
  actor: string;
  /** When it was decided. */
  at: Date;
}

/**
 * What a decision on a transaction says to the customer's case: that it began to wait for a person,
 * or that it no longer does. Undefined where it does neither. Pure.
 */
export function reviewJoin(kept: KeptDecision): CaseJoin | undefined {
  const waited = kept.earlier.at(-1)?.decision === "REVIEW";
  const waits = kept.decision === "REVIEW";
  if (waits === waited) return undefined;
  const { customerId } = kept.inputs.facts;
  return {
    subjectKind: "CUSTOMER",
    subjectId: customerId,
    customerId,
    kind: "MONITORING",
    event: waits ? "REVIEW" : "REVIEW_DECIDED",
    transactionId: kept.transactionId,
    text: waits ? reviewText(kept) : decidedText(kept),
    actor: kept.decidedBy === "rules" ? "compliance" : kept.decidedBy,
    at: kept.decidedAt,
  };
}

function reviewText({ matchedRules, reasonCode, policyVersion }: KeptDecision): string {
  const why = [reasonCode, ...matchedRules].filter((one) => one !== "").join(", ");
  return `A transaction waits for a decision (policy version ${policyVersion}${why === "" ? "" : `: ${why}`}).`;
}

function decidedText({ decision, reasonCode }: KeptDecision): string {
  const why = reasonCode === "" ? "" : ` (${reasonCode})`;
  return `A transaction that waited was decided: ${decision}${why}.`;
}
