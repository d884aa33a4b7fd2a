import type { ClientSession } from "mongoose";
import type { Clock } from "../time/clock.js";
import type { Idempotency, Scope, StoredAnswer, Ticket } from "../idempotency/index.js";
import type { Outbox } from "../outbox/index.js";
import { isStoredAnswer } from "../refusal.js";
import type { DriveContext, SagaBeginning, SagaEnding, SagaIdentity } from "./saga.js";

export interface SagaDeps {
  /**
   * One transaction, shared with others of its batch key where the store does that. `readBack`
   * tells what it had written when its commit is unknown.
   */
  store: {
    transaction<T>(
      work: (session: ClientSession) => Promise<T>,
      readBack: () => Promise<T | undefined>,
      batchKey?: string,
    ): Promise<T>;
  };
  idempotency: Idempotency;
  outbox: Outbox;
  /** Real time. */
  clock: Clock;
  /** How long a caller has before recovery takes over, in ms. */
  recoverAfterMs: number;
}

export type Sagas = ReturnType<typeof createSagas>;

const recoverySeq = 1;

/**
 * Begins and ends the sagas of a service (docs/sagas.md). What lies between is idempotent and may
 * run more than once.
 */
export function createSagas({ store, idempotency, outbox, clock, recoverAfterMs }: SagaDeps) {
  const addRecovery = (saga: SagaIdentity, dueAt: Date, session: ClientSession): Promise<unknown> => {
    const { tenantId, aggregate, recovery, payload, interactionId, createdBy } = saga;
    const row = { tenantId, aggregate, seq: recoverySeq, kind: recovery, payload, interactionId, actor: createdBy };
    return outbox.add({ ...row, dueAt }, session);
  };

  return {
    /**
     * Writes key, PENDING state and recovery row in one commit. Throws what the store throws for
     * what must be unique, and IDEMPOTENCY_IN_FLIGHT when an equal request was first.
     */
    async begin<T>(
      saga: SagaIdentity,
      { ticket, id, insert, readBack, onlyWrites = false }: SagaBeginning<T>,
    ): Promise<T> {
      return store.transaction(
        async (session) => {
          await idempotency.begin(ticket, id, session);
          const inserted = await insert(session);
          await addRecovery(saga, new Date(clock.now().getTime() + recoverAfterMs), session);
          return inserted;
        },
        readBack,
        onlyWrites ? `${saga.tenantId} begin ${saga.operation}` : undefined,
      );
    },

    /**
     * Begins, inside the caller's transaction, what no request asks for: a recovery row that is due
     * now drives it.
     */
    async beginUnasked(saga: SagaIdentity, session: ClientSession): Promise<void> {
      await addRecovery(saga, clock.now(), session);
    },

    /**
     * Writes final state, answer and what follows in one commit. Gives the answer that stands:
     * another driver may have been first.
     */
    async end(
      saga: SagaIdentity,
      { answer, apply, readBack, onlyWrites = false, next = [], eventRows = [] }: SagaEnding,
      context: DriveContext,
    ): Promise<StoredAnswer> {
      const { tenantId, aggregate, recovery, interactionId, createdBy } = saga;
      const stored = await store.transaction<StoredAnswer | undefined>(
        async (session) => {
          if (!(await apply(session))) return undefined;
          const ended = typeof answer === "function" ? answer() : answer;
          await keepAnswer(saga, ended, session);
          const own = { tenantId, aggregate, interactionId, actor: createdBy };
          const work = next.map((row, index) => ({ ...row, ...own, seq: recoverySeq + 1 + index }));
          const [event, ...events] = typeof eventRows === "function" ? eventRows() : eventRows;
          const place = { aggregate, kind: recovery, seq: recoverySeq };
          if (event === undefined || context.closeRecovery) {
            if (context.closeRecovery) await context.closeRecovery(session);
            else await outbox.finish(tenantId, place, session);
            await outbox.addAll(event === undefined ? work : [event, ...events, ...work], session);
          } else {
            // A relay that looked at the recovery row a moment ago may
            // take what has its id at once:
            // it is the first event of its subject and due now, which no other work need be.
            await outbox.succeed(tenantId, place, [event, ...events, ...work], session);
          }
          return ended;
        },
        readBack,
        onlyWrites ? `${tenantId} end ${saga.operation}` : undefined,
      );
      if (next.length > 0) outbox.wake();
      else if (eventRows.length > 0) outbox.wakeSoon();
      const stands = stored ?? (await readBack());
      if (stands === undefined) throw new Error(`${aggregate} is neither pending nor ended`);
      return stands;
    },

    /**
     * Keeps an answer under a key that began nothing: an earlier saga's that it asked for too, or
     * the refusal of the state it found.
     */
    async adopt(ticket: Ticket, answer: StoredAnswer): Promise<StoredAnswer> {
      const write = (session: ClientSession) => idempotency.completeAtOnce(ticket, answer, session).then(() => answer);
      return store.transaction(write, () => idempotency.answerOf(ticket));
    },
  };

  async function keepAnswer(saga: SagaIdentity, answer: StoredAnswer, session: ClientSession): Promise<void> {
    const { tenantId, caller, operation, idempotencyKey: key } = saga;
    if (key === "") return;
    const scope: Scope = { tenantId, caller, operation, key };
    if (isFinalAnswer(answer)) await idempotency.complete({ scope }, answer, session);
    else await idempotency.withdraw(scope, session);
  }
}

/**
 * False for answers that another try under the same key must be able to replace: 400, 403, 404, and
 * what passes by itself.
 */
export function isFinalAnswer(answer: StoredAnswer): boolean {
  return answer.kind === "response" || isStoredAnswer(answer);
}
