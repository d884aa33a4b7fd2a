export type { AnswerCipher, Scope, StoredAnswer } from "./answer.js";
export { answerOfRefusal, refusalOf } from "./answer.js";
export { fingerprintOf } from "./fingerprint.js";
export type { AnsweredCall, Claim, Idempotency, IdempotencyOptions, Ticket } from "./idempotency.js";
export { createIdempotency, createIdempotencyIndexes, idempotencyCollection } from "./idempotency.js";
export type { KeyedRequest } from "./keyed-request.js";
export { answerOfFaster, identifyRequest, renderAnswer } from "./keyed-request.js";
export type { OnceRequest, RunOnce } from "./run-once.js";
export { createRunOnce } from "./run-once.js";
