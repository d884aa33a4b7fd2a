import type { ClientSession, Connection } from "mongoose";
import { encodeMessage, type WirePartial } from "../grpc/definition.js";
import { inTransaction } from "../mongo/transaction.js";
import { isStoredAnswer, Refusal } from "../refusal.js";
import { answerOfRefusal, type StoredAnswer } from "./answer.js";
import type { Idempotency, Ticket } from "./idempotency.js";
import { answerOfFaster, identifyRequest, renderAnswer, type KeyedRequest } from "./keyed-request.js";

export interface OnceRequest<
  Request extends { idempotencyKey: string },
  Response,
  Prepared = undefined,
> extends KeyedRequest<Request, Response> {
  /**
   * True when the response holds a secret and is kept encrypted; asked of it where that differs.
   */
  readonly secret?: boolean | ((response: WirePartial<NoInfer<Response>>) => boolean);
  /**
   * Checks what the key does not stand for, such as a code that works once. What it throws leaves
   * the key free.
   */
  before?(): Promise<void>;
  /**
   * Asks neighbours what the work needs, outside the transaction. Its refusals are kept as the
   * work's are.
   */
  prepare?(): Promise<Prepared>;
  /** The operation, all of it in this transaction. Run again as a whole after a transient error. */
  work(session: ClientSession, prepared: Prepared): Promise<WirePartial<NoInfer<Response>>>;
  /**
   * Runs after the commit and before the answer, and not for a replay: a crash between leaves it
   * out.
   */
  after?(response: Response): Promise<void>;
}

export type RunOnce = ReturnType<typeof createRunOnce>;

/**
 * Runs a request that is one transaction of one database once per caller and key: the stored
 * answer, or `before`, `prepare`, and then `work` and its answer in one commit. Refusals 409 and
 * 422 of `prepare` and `work` are stored, unless they pass by themselves; other refusals and faults
 * leave the key free. Throws IDEMPOTENCY_IN_FLIGHT while an equal request runs; one that ends
 * meanwhile gives its answer. What takes more than one commit is a saga (sagas/).
 */
export function createRunOnce({ db, idempotency }: { db: Connection; idempotency: Idempotency }) {
  async function firstAnswer<Request extends { idempotencyKey: string }, Response, Prepared>(
    run: OnceRequest<Request, Response, Prepared>,
    ticket: Ticket,
  ): Promise<StoredAnswer> {
    const readBack = () => idempotency.answerOf(ticket);
    try {
      const prepared = (await run.prepare?.()) as Prepared;
      const work = async (session: ClientSession) => {
        const response = await run.work(session, prepared);
        const isSecret = typeof run.secret === "function" ? run.secret(response) : run.secret;
        const bytes = encodeMessage(run.response, response);
        const answer: StoredAnswer = { kind: "response", bytes, ...(isSecret && { secret: true }) };
        await idempotency.completeAtOnce(ticket, answer, session);
        return answer;
      };
      return await inTransaction(db, work, { readBack });
    } catch (error) {
      if (!(error instanceof Refusal) || !isStoredAnswer(error)) throw error;
      const answer = answerOfRefusal(error);
      const keep = (session: ClientSession) => idempotency.completeAtOnce(ticket, answer, session).then(() => answer);
      return inTransaction(db, keep, { readBack });
    }
  }

  return async function runOnce<Request extends { idempotencyKey: string }, Response, Prepared = undefined>(
    run: OnceRequest<Request, Response, Prepared>,
  ): Promise<Response> {
    const { call, operation, response } = run;
    const identified = identifyRequest(run);
    const claim = await idempotency.claim(identified.scope, identified.fingerprint, call);
    if (claim.kind === "replay") return renderAnswer(response, claim.answer);
    if (claim.kind === "resume") throw new Error(`${operation} was begun as a saga and cannot be run at once`);
    const { ticket } = claim;
    let answer: StoredAnswer;
    try {
      await run.before?.();
      answer = await firstAnswer(run, ticket);
    } catch (error) {
      await idempotency.forget(ticket).catch(() => undefined);
      return renderAnswer(response, await answerOfFaster(idempotency, ticket, call, error));
    }
    await idempotency.settled(ticket);
    if (answer.kind === "response") await run.after?.(response.decode(answer.bytes));
    return renderAnswer(response, answer);
  };
}
