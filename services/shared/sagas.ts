import type { ClientSession } from "mongoose";
import type { Clock } from "./clocks/clock.js";
import {
  answerOfRefusal,
  refusalOf,
  type AnsweredCall,
  type Idempotency,
  type Scope,
  type StoredAnswer,
  type Ticket,
} from "./idempotency/index.js";
import type { NewRow, Outbox, RelayContext } from "./outbox/index.js";
import { isStoredAnswer, Refusal } from "./refusal.js";

/** Who asked for something that takes more than one step, kept with it so that recovery goes on in their name. */
export interface SagaOrigin {
  /** Scope of the idempotency record that gets the answer; without meaning where there is no key. */
  readonly caller: string;
  /** Empty for what no request asks for, such as the calendar's work: nobody waits for an answer. */
  readonly idempotencyKey: string;
  readonly interactionId: string;
  /** User id, or the calling service; lands on the ledger's entries. */
  readonly createdBy: string;
}

/** One thing in the making: a payment, an application, an account. */
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
export interface DriveContext {
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
  apply(session: ClientSession): Promise<boolean>;
  /** The answer of the final state that stands, once there is one. */
  readBack(): Promise<StoredAnswer | undefined>;
  /** Its writes are all there is to it, with their conditions in their filters: many share one transaction. */
  readonly onlyWrites?: boolean;
  /** Work that follows. */
  readonly next?: readonly Pick<NewRow, "kind" | "payload" | "dueAt">[];
}

export interface SagaDeps {
  /** One transaction, shared with others of its lane where the store does that. `readBack` tells what it had written when its commit is unknown. */
  store: {
    transaction<T>(
      work: (session: ClientSession) => Promise<T>,
      readBack: () => Promise<T | undefined>,
      lane?: string,
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

/** First and last transaction of every saga of a service. What lies between is idempotent and may run more than once. */
export function createSagas({ store, idempotency, outbox, clock, recoverAfterMs }: SagaDeps) {
  const addRecovery = (saga: SagaIdentity, dueAt: Date, session: ClientSession): Promise<unknown> => {
    const { tenantId, aggregate, recovery, payload, interactionId, createdBy } = saga;
    const row = { tenantId, aggregate, seq: recoverySeq, kind: recovery, payload, interactionId, actor: createdBy };
    return outbox.add({ ...row, dueAt }, session);
  };

  return {
    /**
     * Key, PENDING state and recovery row in one commit. Throws what the store throws for what must be unique, and
     * IDEMPOTENCY_IN_FLIGHT when the same key was first.
     */
    async begin<T>(
      saga: SagaIdentity,
      made: {
        ticket: Ticket;
        id: string;
        insert(session: ClientSession): Promise<T>;
        readBack(): Promise<T | undefined>;
        /** As an ending's. */
        onlyWrites?: boolean;
      },
    ): Promise<T> {
      return store.transaction(
        async (session) => {
          await idempotency.begin(made.ticket, made.id, session);
          const inserted = await made.insert(session);
          await addRecovery(saga, new Date(clock.now().getTime() + recoverAfterMs), session);
          return inserted;
        },
        made.readBack,
        made.onlyWrites === true ? `${saga.tenantId} begin ${saga.operation}` : undefined,
      );
    },

    /** As begin, of what no request asks for: a recovery row that is due now drives it. Inside the caller's transaction. */
    async beginUnasked(saga: SagaIdentity, session: ClientSession): Promise<void> {
      await addRecovery(saga, clock.now(), session);
    },

    /** Final state, stored answer and what follows in one commit. Gives the answer that stands: another driver may have been first. */
    async end(
      saga: SagaIdentity,
      { answer, apply, readBack, onlyWrites = false, next = [] }: SagaEnding,
      pass: DriveContext,
    ): Promise<StoredAnswer> {
      const { tenantId, aggregate, recovery, interactionId, createdBy } = saga;
      const standing = await store.transaction<StoredAnswer | undefined>(
        async (session) => {
          if (!(await apply(session))) return undefined;
          await keepAnswer(saga, answer, session);
          if (pass.closeRecovery) await pass.closeRecovery(session);
          else await outbox.finish(tenantId, { aggregate, kind: recovery, seq: recoverySeq }, session);
          for (const [index, row] of next.entries()) {
            const seq = recoverySeq + 1 + index;
            await outbox.add({ ...row, tenantId, aggregate, seq, interactionId, actor: createdBy }, session);
          }
          return answer;
        },
        readBack,
        onlyWrites ? `${tenantId} end ${saga.operation}` : undefined,
      );
      if (next.length > 0) outbox.wake();
      const stands = standing ?? (await readBack());
      if (stands === undefined) throw new Error(`${aggregate} is neither pending nor ended`);
      return stands;
    },

    /** Keeps an answer under a key that has begun nothing: of an ended saga that it asked for too, or of the state that refused it. */
    async adopt(ticket: Ticket, answer: StoredAnswer): Promise<StoredAnswer> {
      const write = (session: ClientSession) => idempotency.completeAtOnce(ticket, answer, session).then(() => answer);
      return store.transaction(write, () => idempotency.answerOf(ticket));
    },
  };

  async function keepAnswer(saga: SagaIdentity, answer: StoredAnswer, session: ClientSession): Promise<void> {
    const { tenantId, caller, operation, idempotencyKey: key } = saga;
    if (key === "") return;
    const scope: Scope = { tenantId, caller, operation, key };
    if (isKept(answer)) await idempotency.complete({ scope }, answer, session);
    else await idempotency.withdraw(scope, session);
  }
}

/** Answers that another try under the same key must be able to replace are not kept: 400, 403, 404, and what passes by itself. */
export function isKept(answer: StoredAnswer): boolean {
  return answer.kind === "response" || isStoredAnswer(answer);
}

/** How a request begins. `isEarlier` when it turns out to ask for what an earlier one has begun. */
export type Started =
  | { readonly drive: () => Promise<StoredAnswer>; readonly isEarlier?: boolean }
  /** The state it finds decides against it before anything begins: kept as the answer where its code is one that is. */
  | { readonly refusal: Refusal };

export interface KeyedSaga<Response> {
  idempotency: Idempotency;
  sagas: Pick<Sagas, "adopt">;
  scope: Scope;
  fingerprint: string;
  response: { decode(bytes: Uint8Array): Response };
  /** Is told what is replayed. */
  call: AnsweredCall;
  /** Runs the first transaction. What it throws is not kept. */
  start(ticket: Ticket): Promise<Started>;
  /** Drives on what an earlier try began. Both drives throw while nobody can know how it ended. */
  resume(ownerId: string): Promise<StoredAnswer>;
}

/** One request of a client: the stored answer, or the saga driven to its end. Throws the refusal that it ended with. */
export async function runKeyedSaga<Response>(run: KeyedSaga<Response>): Promise<Response> {
  const { idempotency, scope, fingerprint } = run;
  const claim = await idempotency.claim(scope, fingerprint, run.call);
  if (claim.kind === "replay") return render(run, claim.answer);
  const { ticket } = claim;
  let answer: StoredAnswer;
  try {
    answer = claim.kind === "resume" ? await run.resume(claim.ownerId) : await startAndDrive(run, ticket);
    if (isKept(answer)) await idempotency.settled(ticket, answer);
    else await idempotency.forget(ticket);
  } catch (error) {
    // The outcome is unknown or nothing was begun: the next try may run at once.
    await idempotency.forget(ticket).catch(() => undefined);
    throw error;
  }
  return render(run, answer);
}

/** For `start`: what it throws, and is of a kind that is kept, decided before anything began. */
export async function keepingRefusals(start: () => Promise<Started>): Promise<Started> {
  try {
    return await start();
  } catch (error) {
    if (error instanceof Refusal && isStoredAnswer(error)) return { refusal: error };
    throw error;
  }
}

async function startAndDrive<Response>(run: KeyedSaga<Response>, ticket: Ticket): Promise<StoredAnswer> {
  const started = await run.start(ticket);
  if ("refusal" in started) {
    const answer = answerOfRefusal(started.refusal);
    return isKept(answer) ? run.sagas.adopt(ticket, answer) : answer;
  }
  const { drive, isEarlier = false } = started;
  const answer = await drive();
  if (!isEarlier) return answer;
  if (isKept(answer)) await run.sagas.adopt(ticket, answer);
  run.call.markReplayed();
  return answer;
}

function render<Response>(run: KeyedSaga<Response>, answer: StoredAnswer): Response {
  if (answer.kind === "refusal") throw refusalOf(answer);
  return run.response.decode(answer.bytes);
}
