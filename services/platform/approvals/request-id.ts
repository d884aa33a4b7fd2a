import { createHash } from "node:crypto";
import { requireUser, type Call } from "../../kernel/grpc/context.js";

/** Of one request of one person about something: a repeat has the same. */
export function requestIdOf(idempotencyKey: string, subjectId: string, call: Call): string {
  const { userId } = requireUser(call);
  return createHash("sha256").update([userId, subjectId, idempotencyKey].join("\n")).digest("base64url");
}

/**
 * Of the approval that a person asks for by an operation: the same key is another one's in another
 * operation.
 */
export function approvalKeyOf(operation: string, idempotencyKey: string, call: Call): string {
  return `${operation}:${requestIdOf(idempotencyKey, operation, call)}`;
}
