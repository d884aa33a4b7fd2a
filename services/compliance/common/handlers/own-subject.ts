import type { Call } from "../../../kernel/grpc/context.js";
import { Refusal } from "../../../kernel/refusal.js";
import type { SubjectRef } from "../domain/subject.js";

/**
 * Whether it is about the member of staff who calls: what is found of them
 * is read and decided by others.
 */
export function isOwnSubject({ kind, id }: Pick<SubjectRef, "kind" | "id">, { user }: Pick<Call, "user">): boolean {
  return kind === "STAFF" && user !== undefined && id === user.userId;
}

/** Refuses FORBIDDEN whoever it is about. */
export function assertOfOthers(subject: Pick<SubjectRef, "kind" | "id">, call: Pick<Call, "user">): void {
  if (isOwnSubject(subject, call)) throw new Refusal("FORBIDDEN", "nobody decides about themselves");
}
