export type { AnswerCipher, Scope, StoredAnswer } from "./answer.js";
export { answerOfRefusal, refusalOf } from "./answer.js";
export { fingerprintOf } from "./fingerprint.js";
export type { AnsweredCall, Claim, Idempotency, IdempotencyOptions, Ticket } from "./idempotency.js";
export { createIdempotency, createIdempotencyIndexes, idempotencyCollection } from "./idempotency.js";
export type { RunIdempotent } from "./run.js";
export { runIdempotent } from "./run.js";
