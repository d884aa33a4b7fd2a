import { actorOf, type Call } from "../../shared/grpc/context.js";
import type { WirePartial } from "../../shared/grpc/definition.js";
import {
  answerOfRefusal,
  refusalOf,
  type Idempotency,
  type StoredAnswer,
  type Ticket,
} from "../../shared/idempotency/index.js";
import { invalidInput, isStoredAnswer, Refusal } from "../../shared/refusal.js";
import type { LendingStore, Session } from "../store/index.js";

export interface MessageType<T> {
  encode(message: T): { finish(): Uint8Array };
  decode(bytes: Uint8Array): T;
  fromPartial(object: never): T;
}

export interface KeyedRequest<Prepared, Response> {
  call: Call;
  operation: string;
  key: string;
  fingerprint: string;
  response: MessageType<Response>;
  /** What has to be known from neighbours first. What it refuses is refused for good, as the work's refusals are. */
  prepare(): Promise<Prepared>;
  /** The operation, all of it in this transaction. Run again as a whole after a transient error. */
  work(session: Session, prepared: Prepared): Promise<WirePartial<NoInfer<Response>>>;
  /** After the commit and before the answer: the postings that it made. */
  after?(response: Response): Promise<void>;
}

export type Requests = ReturnType<typeof createRequests>;

/** Requests that are one transaction of this service, each done once per key. */
export function createRequests({ store, idempotency }: { store: LendingStore; idempotency: Idempotency }) {
  async function firstAnswer<P, R>(run: KeyedRequest<P, R>, ticket: Ticket): Promise<StoredAnswer> {
    const readBack = () => idempotency.answerOf(ticket);
    try {
      const prepared = await run.prepare();
      return await store.transaction(async (session) => {
        const answer = answerOf(run.response, await run.work(session, prepared));
        await idempotency.completeAtOnce(ticket, answer, session);
        return answer;
      }, readBack);
    } catch (error) {
      if (!(error instanceof Refusal) || !isStoredAnswer(error)) throw error;
      const answer = answerOfRefusal(error);
      return store.transaction(
        (session) => idempotency.completeAtOnce(ticket, answer, session).then(() => answer),
        readBack,
      );
    }
  }

  return {
    /** The stored answer of this key, or the work and its answer in one commit. */
    async run<P, R>(run: KeyedRequest<P, R>): Promise<R> {
      const { call, operation, key, fingerprint } = run;
      checkKey(key);
      const scope = { tenantId: call.tenantId, caller: actorOf(call), operation, key };
      const claim = await idempotency.claim(scope, fingerprint, call);
      if (claim.kind === "replay") return render(run.response, claim.answer);
      if (claim.kind === "resume") throw new Error(`${operation} was begun as a saga and cannot be run at once`);
      let answer: StoredAnswer;
      try {
        answer = await firstAnswer(run, claim.ticket);
      } catch (error) {
        await idempotency.forget(claim.ticket).catch(() => undefined);
        throw error;
      }
      if (answer.kind === "response") await run.after?.(run.response.decode(answer.bytes));
      await idempotency.settled(claim.ticket, answer);
      return render(run.response, answer);
    },
  };
}

/** The answer that is stored of a response. */
export function answerOf<R>(response: MessageType<R>, message: WirePartial<R>): StoredAnswer {
  return { kind: "response", bytes: response.encode(response.fromPartial(message as never)).finish() };
}

/** Refuses INVALID_INPUT. */
export function checkKey(key: string): void {
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) throw invalidInput("idempotencyKey", "must be 1 to 255 printable characters");
}

/** What a stored answer says; throws the refusal that it is. */
export function render<R>(response: MessageType<R>, answer: StoredAnswer): R {
  if (answer.kind === "refusal") throw refusalOf(answer);
  return response.decode(answer.bytes);
}
