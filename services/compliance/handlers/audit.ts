import { v7 as uuidv7 } from "uuid";
import type { Clock } from "../../shared/clocks/clock.js";
import { actorOf, type Call } from "../../shared/grpc/context.js";
import { printJson } from "../../shared/json.js";

/** Something that a person decided. Entries are added and read, never changed. */
export interface AuditEntry {
  entryId: string;
  at: Date;
  /** User id, or the service whose credential was used. */
  actor: string;
  /** Of a user; empty for a service's credential. */
  role: string;
  /** Such as policy.publish. */
  action: string;
  /** Such as customer:c1. */
  subject: string;
  reason: string;
  /** JSON text: what was decided. */
  content: string;
  interactionId: string;
}

/** An entry on what the caller decides. */
export function auditEntry(
  call: Call,
  clock: Clock,
  decided: { action: string; subject: string; reason?: string; content?: object },
): AuditEntry {
  const { action, subject, reason = "", content = {} } = decided;
  return {
    entryId: uuidv7(),
    at: clock.now(),
    actor: actorOf(call),
    role: call.user?.role ?? "",
    action,
    subject,
    reason,
    content: printJson(content),
    interactionId: call.interactionId,
  };
}
