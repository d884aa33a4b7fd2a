import { v7 as uuidv7 } from "uuid";
import type { Clock } from "../../../kernel/time/clock.js";
import { actorOf, type Call } from "../../../kernel/grpc/context.js";
import { printJson } from "../../../kernel/json.js";
import type { AuditEntry } from "../domain/audit.js";
import type { CaseSubject } from "../domain/case-join.js";
import type { SubjectRef } from "../domain/subject.js";

/**
 * The subject of entries about somebody who is compared with lists: of a recipient it is
 * the customer who sends to them.
 */
export function auditSubjectOf({ kind, id, customerId }: SubjectRef): string {
  return customerId === "" ? `${kind.toLowerCase()}:${id}` : `customer:${customerId}`;
}

/**
 * All that such an entry is found by; `others` are what else it is about, such as "screening:ID".
 */
export function auditSubjectsOf(about: SubjectRef, ...others: string[]): string[] {
  const own = `${about.kind.toLowerCase()}:${about.id}`;
  // Who owns the recipient's account is found with the recipient.
  const ofRecipient = about.kind === "RECIPIENT" ? [own.replace(/\/holder$/, "")] : [];
  return [...new Set([auditSubjectOf(about), own, ...ofRecipient, ...others])];
}

/** Whom an entry on a case is about, and all that it is found by. */
export function caseAuditSubjects(
  { caseId, subjectKind, subjectId, customerId }: CaseSubject & { caseId: string },
  ...others: string[]
): { subject: string; subjects: string[] } {
  const about = { kind: subjectKind, id: subjectId, customerId };
  return { subject: auditSubjectOf(about), subjects: auditSubjectsOf(about, `case:${caseId}`, ...others) };
}

/** An entry on what the caller decides. */
export function auditEntry(
  call: Call,
  clock: Clock,
  decided: { action: string; subject: string; subjects?: string[]; reason?: string; content?: object },
): AuditEntry {
  const { action, subject, subjects = [subject], reason = "", content = {} } = decided;
  return {
    entryId: uuidv7(),
    at: clock.now(),
    actor: actorOf(call),
    role: call.user?.role ?? "",
    action,
    subject,
    subjects,
    reason,
    content: printJson(content),
    interactionId: call.interactionId,
  };
}
