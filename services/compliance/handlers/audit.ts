import { v7 as uuidv7 } from "uuid";
import type { Clock } from "../../shared/clocks/clock.js";
import { actorOf, type Call } from "../../shared/grpc/context.js";
import { printJson } from "../../shared/json.js";
import type { AuditEntry } from "../domain/audit.js";

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
