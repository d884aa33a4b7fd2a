import type { StoredAnswer } from "../../kernel/idempotency/index.js";

/**
 * The answer of a saga that no request waits for: two people decided on it, and the outbox drives
 * it.
 */
export const noAnswer: StoredAnswer = { kind: "response", bytes: new Uint8Array() };
