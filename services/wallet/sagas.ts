import type { Call } from "../shared/grpc/context.js";
import type { Clock } from "../shared/clock.js";
import {
  refusalOf,
  type Idempotency,
  type Scope,
  type StoredAnswer,
  type Ticket,
} from "../shared/idempotency/index.js";
import type { NewRow, Outbox, RelayContext } from "../shared/outbox/index.js";
import { isStoredAnswer, type Refusal } from "../shared/refusal.js";
import type { SagaOrigin } from "./domain/saga.js";
import type { Session, WalletStore } from "./store.js";
import { keptRefusal } from "./wire.js";

/** One thing in the making: a payment, a deposit, an account. */
export interface SagaIdentity extends SagaOrigin {
  readonly tenantId: string;
  /** Of the idempotency record: the rpc's name. */
  readonly operation: string;
  /** Outbox aggregate, such as "payment:<id>". */
  readonly aggregate: string;
  /** Kind of its recovery row, which drives it on when nobody else does. */
  readonly recovery: string;
  readonly payload: Record<string, unknown>;
}

/** On whose time a saga is driven. */
export interface Pass {
  /** Of the waiting caller. */
  readonly deadline?: Date;
  /** Set by the relay: closes the recovery row in the saga's last transaction. */
  readonly closeRecovery?: RelayContext["complete"];
  /** Set right after the first transaction: nobody can have driven it before. */
  readonly isFirst?: boolean;
}

export interface SagaEnding {
  readonly answer: StoredAnswer;
  /** Writes the final state; false when somebody else had ended it. */
  apply(session: Session): Promise<boolean>;
  /** The answer of the final state that stands, once there is one. */
  readBack(): Promise<StoredAnswer | undefined>;
  /** Work that follows. */
  readonly next?: readonly Pick<NewRow, "kind" | "payload" | "dueAt">[];
}

export interface SagaDeps {
  store: WalletStore;
  idempotency: Idempotency;
  outbox: Outbox;
  clock: Clock;
  /** How long a caller has before recovery takes over, in ms. */
  recoverAfterMs: number;
}

export type Sagas = ReturnType<typeof createSagas>;

const recoverySeq = 1;

/** First and last transaction of every saga of this service. What lies between is idempotent and may run more than once. */
export function createSagas({ store, idempotency, outbox, clock, recoverAfterMs }: SagaDeps) {
  const scopeOf = ({ tenantId, caller, operation, idempotencyKey }: SagaIdentity): Scope => ({
    tenantId,
    caller,
    operation,
    key: idempotencyKey,
  });

  return {
    /**
     * Key, PENDING state and recovery row in one commit. Throws Taken for what must be unique, and IDEMPOTENCY_IN_FLIGHT
     * when the same key was first.
     */
    async begin<T>(
      saga: SagaIdentity,
      made: { ticket: Ticket; id: string; insert(session: Session): Promise<T>; readBack(): Promise<T | undefined> },
    ): Promise<T> {
      const { tenantId, aggregate, recovery, payload, interactionId, createdBy } = saga;
      const dueAt = new Date(clock.now().getTime() + recoverAfterMs);
      const row = { tenantId, aggregate, seq: recoverySeq, kind: recovery, payload, interactionId, actor: createdBy };
      return store.transaction(async (session) => {
        await idempotency.begin(made.ticket, made.id, session);
        const inserted = await made.insert(session);
        await outbox.add({ ...row, dueAt }, session);
        return inserted;
      }, made.readBack);
    },

    /** As begin, of what no request asks for: a recovery row that is due now drives it. Inside the caller's transaction. */
    async beginUnasked(saga: SagaIdentity, session: Session): Promise<void> {
      const { tenantId, aggregate, recovery, payload, interactionId, createdBy } = saga;
      const row = { tenantId, aggregate, seq: recoverySeq, kind: recovery, payload, interactionId, actor: createdBy };
      await outbox.add(row, session);
    },

    /** Final state, stored answer and what follows in one commit. Gives the answer that stands: another driver may have been first. */
    async end(
      saga: SagaIdentity,
      { answer, apply, readBack, next = [] }: SagaEnding,
      pass: Pass,
    ): Promise<StoredAnswer> {
      const { tenantId, aggregate, recovery, interactionId, createdBy } = saga;
      const standing = await store.transaction<StoredAnswer | undefined>(async (session) => {
        if (!(await apply(session))) return undefined;
        await keepAnswer(saga, answer, session);
        if (pass.closeRecovery) await pass.closeRecovery(session);
        else await outbox.finish(tenantId, { aggregate, kind: recovery }, session);
        for (const [index, row] of next.entries()) {
          const seq = recoverySeq + 1 + index;
          await outbox.add({ ...row, tenantId, aggregate, seq, interactionId, actor: createdBy }, session);
        }
        return answer;
      }, readBack);
      if (next.length > 0) outbox.wake();
      const stands = standing ?? (await readBack());
      if (stands === undefined) throw new Error(`${aggregate} is neither pending nor ended`);
      return stands;
    },

    /** Keeps the answer of an ended saga under a further key that asked for the same. */
    async adopt(ticket: Ticket, answer: StoredAnswer): Promise<void> {
      const readBack = () => idempotency.answerOf(ticket);
      await store.transaction(
        (session) => idempotency.completeAtOnce(ticket, answer, session).then(() => answer),
        readBack,
      );
    },
  };

  async function keepAnswer(saga: SagaIdentity, answer: StoredAnswer, session: Session): Promise<void> {
    // Begun by news, not by a request: nobody waits for an answer.
    if (saga.idempotencyKey === "") return;
    const scope = scopeOf(saga);
    if (isKept(answer)) await idempotency.complete({ scope }, answer, session);
    else await store.forTenant(saga.tenantId).dropIdempotencyRecord(scope, session);
  }
}

/** Answers that a corrected request under the same key must be able to replace are not kept: 400, 403, 404. */
export function isKept(answer: StoredAnswer): boolean {
  return answer.kind === "response" || isStoredAnswer(answer.code);
}

export interface KeyedSaga<Response> {
  idempotency: Idempotency;
  sagas: Sagas;
  scope: Scope;
  fingerprint: string;
  response: { decode(bytes: Uint8Array): Response };
  call: Pick<Call, "markReplayed">;
  /**
   * Runs the first transaction. `isEarlier` when the request turns out to ask for what an earlier one has begun; `refusal` when the
   * state it finds decides against it before anything begins: kept as the answer where its code is one that is.
   */
  start(
    ticket: Ticket,
  ): Promise<{ drive: () => Promise<StoredAnswer>; isEarlier?: boolean } | { readonly refusal: Refusal }>;
  /** Drives on what an earlier try began. Both drives throw while nobody can know how it ended. */
  resume(ownerId: string): Promise<StoredAnswer>;
}

/** One request of a client: the stored answer, or the saga driven to its end. Throws the refusal that it ended with. */
export async function runKeyedSaga<Response>(run: KeyedSaga<Response>): Promise<Response> {
  const claim = await run.idempotency.claim(run.scope, run.fingerprint);
  if (claim.kind === "replay") {
    run.call.markReplayed();
    return render(run, claim.answer);
  }
  const { ticket } = claim;
  let answer: StoredAnswer;
  try {
    if (claim.kind === "resume") answer = await run.resume(claim.ownerId);
    else {
      const started = await run.start(ticket);
      if ("refusal" in started) {
        answer = { kind: "refusal", ...keptRefusal(started.refusal) };
        if (isKept(answer)) await run.sagas.adopt(ticket, answer);
      } else {
        const { drive, isEarlier = false } = started;
        answer = await drive();
        if (isEarlier && isKept(answer)) await run.sagas.adopt(ticket, answer);
        if (isEarlier) run.call.markReplayed();
      }
    }
    if (isKept(answer)) await run.idempotency.settled(ticket, answer);
    else await run.idempotency.forget(ticket);
  } catch (error) {
    // The outcome is unknown or nothing was begun: the next try may run at once.
    await run.idempotency.forget(ticket).catch(() => undefined);
    throw error;
  }
  return render(run, answer);
}

function render<Response>(run: KeyedSaga<Response>, answer: StoredAnswer): Response {
  if (answer.kind === "refusal") throw refusalOf(answer);
  return run.response.decode(answer.bytes);
}
