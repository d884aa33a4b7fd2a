import {
  answerOfFaster,
  answerOfRefusal,
  identifyRequest,
  renderAnswer,
  type Idempotency,
  type KeyedRequest,
  type StoredAnswer,
  type Ticket,
} from "../idempotency/index.js";
import { isStoredAnswer, Refusal } from "../refusal.js";
import { isFinalAnswer, type Sagas } from "./sagas.js";

/** How a request begins. `isEarlier` when it turns out to ask for what an earlier one has begun. */
export type Started =
  | { readonly drive: () => Promise<StoredAnswer>; readonly isEarlier?: boolean }
  /**
   * Refused before anything begins, because of the state it found; kept as the answer where its
   * code is one that is.
   */
  | { readonly refusal: Refusal };

export interface SagaRequest<Request extends { idempotencyKey: string }, Response> extends KeyedRequest<
  Request,
  Response
> {
  readonly idempotency: Idempotency;
  readonly sagas: Pick<Sagas, "adopt">;
  /** Runs the first transaction. What it throws is not kept, except through `keepingRefusals`. */
  start(ticket: Ticket): Promise<Started>;
  /** Drives on what an earlier try began. Both drives throw while nobody can know how it ended. */
  resume(ownerId: string): Promise<StoredAnswer>;
}

/**
 * One request of a client that takes more than one commit: the stored answer, or the saga driven to
 * its end. Throws the refusal that it ended with, and IDEMPOTENCY_IN_FLIGHT while an equal request
 * runs; one that ends meanwhile gives its answer.
 */
export async function runSaga<Request extends { idempotencyKey: string }, Response>(
  run: SagaRequest<Request, Response>,
): Promise<Response> {
  const { idempotency, call, response } = run;
  const { scope, fingerprint } = identifyRequest(run);
  const claim = await idempotency.claim(scope, fingerprint, call);
  if (claim.kind === "replay") return renderAnswer(response, claim.answer);
  const { ticket } = claim;
  let answer: StoredAnswer;
  try {
    answer = claim.kind === "resume" ? await run.resume(claim.ownerId) : await startAndDrive(run, ticket);
    if (isFinalAnswer(answer)) await idempotency.settled(ticket);
    else await idempotency.forget(ticket);
  } catch (error) {
    // The outcome is unknown or nothing was begun: the next try may run at once.
    await idempotency.forget(ticket).catch(() => undefined);
    answer = await answerOfFaster(idempotency, ticket, call, error);
  }
  return renderAnswer(response, answer);
}

/**
 * For `start`: gives back what it throws and is of a kind that is kept, as decided before anything
 * began.
 */
export async function keepingRefusals(start: () => Promise<Started>): Promise<Started> {
  try {
    return await start();
  } catch (error) {
    if (error instanceof Refusal && isStoredAnswer(error)) return { refusal: error };
    throw error;
  }
}

async function startAndDrive(
  run: Pick<SagaRequest<never, never>, "sagas" | "start" | "call">,
  ticket: Ticket,
): Promise<StoredAnswer> {
  const started = await run.start(ticket);
  if ("refusal" in started) {
    const answer = answerOfRefusal(started.refusal);
    return isFinalAnswer(answer) ? run.sagas.adopt(ticket, answer) : answer;
  }
  const { drive, isEarlier = false } = started;
  const answer = await drive();
  if (!isEarlier) return answer;
  if (isFinalAnswer(answer)) await run.sagas.adopt(ticket, answer);
  run.call.markReplayed();
  return answer;
}
