import { actorOf, type Call } from "../../kernel/grpc/context.js";
import type { AuditRecord } from "../domain/audit.js";

/** What is noted of a call that did something to a subject. */
export function auditEntryOf(
  call: Pick<Call, "interactionId" | "user" | "caller">,
  { at, action, subject, reason, detail }: Pick<AuditRecord, "at" | "action" | "subject" | "reason" | "detail">,
): Omit<AuditRecord, "entryId"> {
  const entry = { at, actor: actorOf(call), action, subject, reason, interactionId: call.interactionId };
  return detail === undefined ? entry : { ...entry, detail };
}
