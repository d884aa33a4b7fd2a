import type { Clock } from "../shared/clock.js";
import type { Call } from "../shared/grpc/context.js";
import {
  refusalOf,
  type Idempotency,
  type Scope,
  type StoredAnswer,
  type Ticket,
} from "../shared/idempotency/index.js";
import type { NewRow, Outbox, RelayContext } from "../shared/outbox/index.js";
import { isStoredAnswer, Refusal } from "../shared/refusal.js";
import type { KeptRefusal, SagaOrigin } from "./domain/saga.js";
import type { InvestmentStore, Session } from "./store/store.js";

/** One thing in the making: an application, a settlement. */
export interface SagaIdentity extends SagaOrigin {
  readonly tenantId: string;
  /** Of the idempotency record: the rpc's name. */
  readonly operation: string;
  /** Outbox aggregate, such as "application:<id>". */
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
}

export interface SagaEnding {
  readonly answer: StoredAnswer;
  /** Writes the final state; false when somebody else had ended it. */
  apply(session: Session): Promise<boolean>;
  /** The answer of the final state that stands, once there is one. */
  readBack(): Promise<StoredAnswer | undefined>;
  /** Work that follows. */
  readonly next?: readonly Pick<NewRow, "kind" | "payload">[];
}

export interface SagaDeps {
  store: InvestmentStore;
  idempotency: Idempotency;
  outbox: Outbox;
  /** Real time. */
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
  // What the calendar asked for has nobody who could ask again.
  const hasKey = ({ caller }: SagaIdentity) => caller !== "";

  return {
    /** The recovery row of a saga that begins in this session; due at once where no caller drives it. */
    async addRecovery(saga: SagaIdentity, session: Session): Promise<void> {
      const { tenantId, aggregate, recovery, payload, interactionId, createdBy } = saga;
      const row = { tenantId, aggregate, seq: recoverySeq, kind: recovery, payload, interactionId, actor: createdBy };
      const dueAt = hasKey(saga) ? new Date(clock.now().getTime() + recoverAfterMs) : clock.now();
      await outbox.add({ ...row, dueAt }, session);
    },

    /** Key, PENDING state and recovery row in one commit. Throws IDEMPOTENCY_IN_FLIGHT when the same key was first. */
    async begin<T>(
      saga: SagaIdentity,
      made: { ticket: Ticket; id: string; insert(session: Session): Promise<T>; readBack(): Promise<T | undefined> },
    ): Promise<T> {
      return store.transaction(async (session) => {
        await idempotency.begin(made.ticket, made.id, session);
        const inserted = await made.insert(session);
        await this.addRecovery(saga, session);
        return inserted;
      }, made.readBack);
    },

    /** The answer of a request that its state decided against before anything began. */
    async keepRefusal(ticket: Ticket, answer: StoredAnswer): Promise<StoredAnswer> {
      const write = (session: Session) => idempotency.completeAtOnce(ticket, answer, session).then(() => answer);
      return store.transaction(write, () => idempotency.answerOf(ticket));
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
        if (hasKey(saga)) await keepAnswer(saga, answer, session);
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
  };

  async function keepAnswer(saga: SagaIdentity, answer: StoredAnswer, session: Session): Promise<void> {
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
  scope: Scope;
  fingerprint: string;
  response: { decode(bytes: Uint8Array): Response };
  call: Pick<Call, "markReplayed">;
  sagas: Pick<Sagas, "keepRefusal">;
  /** Runs the first transaction. A refusal that it throws decided before anything began: kept where its code is one that is. */
  start(ticket: Ticket): Promise<() => Promise<StoredAnswer>>;
  /** Drives on what an earlier try began. Both drives throw while nobody can know how it ended. */
  resume(ownerId: string): Promise<StoredAnswer>;
}

/** One request of a client: the stored answer, or the saga driven to its end. Throws the refusal that it ended with. */
export async function runKeyedSaga<Response>(run: KeyedSaga<Response>): Promise<Response> {
  const { idempotency, scope, fingerprint } = run;
  const claim = await idempotency.claim(scope, fingerprint);
  if (claim.kind === "replay") {
    run.call.markReplayed();
    return render(run, claim.answer);
  }
  const { ticket } = claim;
  let answer: StoredAnswer;
  try {
    answer = claim.kind === "resume" ? await run.resume(claim.ownerId) : await startOrRefuse(run, ticket);
    if (isKept(answer)) await idempotency.settled(ticket, answer);
    else await idempotency.forget(ticket);
  } catch (error) {
    // The outcome is unknown or nothing was begun: the next try may run at once.
    await idempotency.forget(ticket).catch(() => undefined);
    throw error;
  }
  return render(run, answer);
}

async function startOrRefuse<Response>(run: KeyedSaga<Response>, ticket: Ticket): Promise<StoredAnswer> {
  let drive: () => Promise<StoredAnswer>;
  try {
    drive = await run.start(ticket);
  } catch (error) {
    if (!(error instanceof Refusal) || !isStoredAnswer(error.code)) throw error;
    return run.sagas.keepRefusal(ticket, { kind: "refusal", ...keptRefusal(error) });
  }
  return drive();
}

function render<Response>(run: KeyedSaga<Response>, answer: StoredAnswer): Response {
  if (answer.kind === "refusal") throw refusalOf(answer);
  return run.response.decode(answer.bytes);
}

/** What is kept of a refusal that ends a saga. */
export function keptRefusal({ code, message, details }: Refusal): KeptRefusal {
  return { code, message, ...(details === undefined ? {} : { details }) };
}
