import { createHash } from "node:crypto";
import { requireUser, type Call } from "../../kernel/grpc/context.js";

/** Of one request of one person about something: a repeat has the same. */
export function requestIdOf(idempotencyKey: string, subjectId: string, call: Call): string {
  const { userId } = requireUser(call);
  return createHash("sha256").update([userId, subjectId, idempotencyKey].join("\n")).digest("base64url");
}
