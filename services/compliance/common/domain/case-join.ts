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
  /**
   * HIT and REVIEW open a case where the subject has no open one; the others only note. BLOCK is
   * what a block of a hit has stopped, or its end let go. OFF_LIST is an entry that its list has
   * not any more, or again. IDENTITY is a check of somebody's identity that a person must go on
   * with, and opens a case as well.
   */
  event: "IDENTITY" | "HIT" | "REVIEW" | "HIT_DECIDED" | "REVIEW_DECIDED" | "BLOCK" | "OFF_LIST";
  screeningId?: string;
  transactionId?: string;
  /** Of BLOCK: what the case is to have, too. */
  transactionIds?: readonly string[];
  /** Of OFF_LIST: a closed case is opened again. */
  reopens?: boolean;
  /** Of HIT_DECIDED and OFF_LIST: hits of the same screening still wait for a decision. */
  waits?: boolean;
  /** One or two sentences for the officer. */
  text: string;
  /** User id, or "compliance". */
  actor: string;
  /** When it was decided. */
  at: Date;
}
