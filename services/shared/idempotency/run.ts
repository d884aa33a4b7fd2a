import type { ClientSession, Connection } from "mongoose";
import { inTransaction } from "../mongo/transaction.js";
import { isStoredAnswer, Refusal } from "../refusal.js";
import { answerOfRefusal, refusalOf, type Scope, type StoredAnswer } from "./answer.js";
import type { AnsweredCall, Idempotency, Ticket } from "./idempotency.js";

export interface RunIdempotent<Response> {
  db: Connection;
  idempotency: Idempotency;
  scope: Scope;
  fingerprint: string;
  /** The response's message type: what is stored are its encoded bytes. */
  response: { encode(message: Response): { finish(): Uint8Array }; decode(bytes: Uint8Array): Response };
  /** Is told what is replayed. */
  call?: AnsweredCall;
  /** True when the response holds a secret and is kept encrypted. */
  secret?: boolean;
  /**
   * What is checked once, before the work and not for a replay, such as a code that works once. A
   * refusal leaves the key free.
   */
  before?(): Promise<void>;
  /** The operation, all of it in this transaction. Run again as a whole after a transient error. */
  work(session: ClientSession): Promise<Response>;
}

/**
 * The whole dance for an operation that is one transaction of one database: the stored answer, or
 * the work and its answer in one commit. Refusals 409 and 422 of the work are stored, unless they
 * pass by themselves; others and faults leave the key free.
 */
export async function runIdempotent<Response>(run: RunIdempotent<Response>): Promise<Response> {
  const { idempotency, scope, fingerprint } = run;
  const claim = await idempotency.claim(scope, fingerprint, run.call);
  if (claim.kind === "replay") return render(run, claim.answer);
  if (claim.kind === "resume") throw new Error(`${scope.operation} was begun as a saga and cannot be run at once`);
  let answer: StoredAnswer;
  try {
    await run.before?.();
    answer = await firstAnswer(run, claim.ticket);
  } catch (error) {
    await idempotency.forget(claim.ticket).catch(() => undefined);
    if (!isInFlight(error)) throw error;
    // Another request with the same key was first, and by now is done: claiming again gives its
    // answer.
    const second = await idempotency.claim(scope, fingerprint, run.call);
    if (second.kind !== "replay") throw error;
    return render(run, second.answer);
  }
  await idempotency.settled(claim.ticket, answer);
  return render(run, answer);
}

async function firstAnswer<Response>(run: RunIdempotent<Response>, ticket: Ticket): Promise<StoredAnswer> {
  const { db, idempotency } = run;
  const readBack = () => idempotency.answerOf(ticket);
  try {
    return await inTransaction(
      db,
      async (session) => {
        const bytes = run.response.encode(await run.work(session)).finish();
        const answer: StoredAnswer = { kind: "response", bytes, ...(run.secret ? { secret: true } : {}) };
        await idempotency.completeAtOnce(ticket, answer, session);
        return answer;
      },
      { readBack },
    );
  } catch (error) {
    if (!(error instanceof Refusal) || !isStoredAnswer(error)) throw error;
    const answer = answerOfRefusal(error);
    return inTransaction(db, (session) => idempotency.completeAtOnce(ticket, answer, session).then(() => answer), {
      readBack,
    });
  }
}

function render<Response>(run: RunIdempotent<Response>, answer: StoredAnswer): Response {
  if (answer.kind === "refusal") throw refusalOf(answer);
  return run.response.decode(answer.bytes);
}

function isInFlight(error: unknown): boolean {
  return error instanceof Refusal && error.code === "IDEMPOTENCY_IN_FLIGHT";
}
