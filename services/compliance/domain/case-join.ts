import type { SubjectRef } from "./screening/subject.js";

/**
 * What joins the one open case of a subject, or opens it: the payload of the row that is written in
 * the transaction which decides.
 */
export interface CaseJoin {
  /** Of the case's timeline. */
  event: "SCREENING_JOINED" | "TRANSACTION_JOINED" | "HIT_DECIDED";
  /** Of a case that is opened: SCREENING where a list is the cause, MONITORING where a rule is. */
  kind: "SCREENING" | "MONITORING";
  subject: SubjectRef;
  /** Of SCREENING_JOINED and HIT_DECIDED. */
  screeningId?: string;
  /** Of HIT_DECIDED. */
  hitId?: string;
  /** Of TRANSACTION_JOINED. */
  transactionId?: string;
  /** For officers; it names nobody. */
  text: string;
}
