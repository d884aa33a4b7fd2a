import { randomUUID } from "node:crypto";
import type { ClientSession, Connection } from "mongoose";
import { v7 as uuidv7 } from "uuid";
import type { Clock } from "../time/clock.js";
import { createBatchRead } from "../mongo/batch-read.js";
import type { Call } from "../grpc/context.js";
import { leaseOf } from "../process/crash-point.js";
import type { Logger } from "../process/log.js";
import { createIndexes } from "../mongo/migrations.js";
import { tenantCollection } from "../mongo/tenant-collection.js";
import { isDuplicateKey } from "../mongo/transaction.js";
import type { Redis } from "../process/redis.js";
import { Refusal } from "../refusal.js";
import {
  answerFromDocument,
  answerToDocument,
  type AnswerCipher,
  type AnswerRow,
  type Scope,
  type StoredAnswer,
} from "./answer.js";
import { createLocks } from "./locks.js";

/** The right to run one request, from `claim`. */
export interface Ticket {
  readonly scope: Scope;
  readonly fingerprint: string;
  readonly token: string;
}

/** The asking call, which is told that the answer is an earlier one. */
export type AnsweredCall = Pick<Call, "markReplayed">;

export type Claim =
  | { kind: "new"; ticket: Ticket }
  | { kind: "resume"; ownerId: string; ticket: Ticket }
  | { kind: "replay"; answer: StoredAnswer };

interface IdempotencyRow extends Scope {
  _id: string;
  fingerprint: string;
  state: "PENDING" | "DONE";
  /** The payment, transaction or the like that the request made; resumed by it. */
  ownerId?: string;
  /** Who runs the request, and until when (real time) nobody else may. */
  lockToken?: string;
  lockedUntil?: Date;
  answer?: AnswerRow;
  createdAt: Date;
  /** Kept for ever where absent. */
  expiresAt?: Date;
}

export interface IdempotencyOptions {
  db: Connection;
  redis: Redis;
  /** Real time, since it measures locks and retention: `systemClock` outside tests. */
  clock: Clock;
  /** At least 24 h; "for ever" for keys between services. Default 24 h. */
  keepForMs?: number | "for ever" | undefined;
  /** How long a request whose process died keeps its key busy, in ms. Default 10 s. */
  lockMs?: number | undefined;
  /** For answers marked secret. */
  cipher?: AnswerCipher | undefined;
  log: Logger;
}

export type Idempotency = ReturnType<typeof createIdempotency>;

export const idempotencyCollection = "idempotency";
const dayMs = 24 * 60 * 60_000;

/** Indexes of the records, for the service's migrations. */
export async function createIdempotencyIndexes(db: Connection): Promise<void> {
  await createIndexes(db, idempotencyCollection, [
    { key: { tenantId: 1, caller: 1, operation: 1, key: 1 }, unique: true },
    { key: { expiresAt: 1 }, expireAfterSeconds: 0 },
  ]);
}

/**
 * Idempotency records of one service. MongoDB is the authority (one record per tenant, caller,
 * operation and key); Redis only spares work by an in-flight lock.
 */
export function createIdempotency(options: IdempotencyOptions) {
  const { db, redis, clock, keepForMs = dayMs, lockMs = leaseOf(10_000), cipher, log } = options;
  if (keepForMs !== "for ever" && keepForMs < dayMs) throw new Error("answers are kept for at least 24 h");
  const records = tenantCollection<IdempotencyRow>(db, idempotencyCollection);
  const locks = createLocks(redis, lockMs);
  const idOf = ({ caller, operation, key }: Scope) => ({ caller, operation, key });
  const lockUntil = () => new Date(clock.now().getTime() + lockMs);
  const expiry = () => (keepForMs === "for ever" ? {} : { expiresAt: new Date(clock.now().getTime() + keepForMs) });

  const findRecord = createBatchRead<Scope, IdempotencyRow>({
    nameOf: ({ caller, operation, key }) => JSON.stringify([caller, operation, key]),
    readOne: async (tenantId, scope) => (await records.forTenant(tenantId).findOne(idOf(scope))) ?? undefined,
    async readMany(tenantId, scopes) {
      const found = await records.forTenant(tenantId).find({ $or: scopes.map(idOf) });
      return new Map(found.map((row) => [JSON.stringify([row.caller, row.operation, row.key]), row]));
    },
  });

  /** Takes over a PENDING record whose runner has been silent for longer than its lock. */
  async function takeOver(ticket: Ticket, record: IdempotencyRow): Promise<Claim> {
    const { scope, token } = ticket;
    const abandoned = { ...idOf(scope), state: "PENDING" as const, lockedUntil: { $lte: clock.now() } };
    const change = { $set: { lockToken: token, lockedUntil: lockUntil() } };
    const taken = await records.forTenant(scope.tenantId).updateOne(abandoned, change);
    if (taken.matchedCount === 0 || record.ownerId === undefined) throw new RequestInFlight();
    log.info({ operation: scope.operation, ownerId: record.ownerId }, "resuming a request that was cut off");
    return { kind: "resume", ownerId: record.ownerId, ticket };
  }

  async function decide(ticket: Ticket, lockHeld: boolean, call?: AnsweredCall): Promise<Claim> {
    const { scope, fingerprint } = ticket;
    const record = await findRecord(scope.tenantId, scope);
    if (record && record.fingerprint !== fingerprint) throw keyReused();
    if (record?.answer) {
      const answer = await answerFromDocument(record.answer, scope, cipher);
      call?.markReplayed();
      return { kind: "replay", answer };
    }
    if (lockHeld) throw new RequestInFlight();
    return record ? takeOver(ticket, record) : { kind: "new", ticket };
  }

  /**
   * The first step of a mutation: run it ("new"), drive it on ("resume"), or give the stored answer
   * ("replay"). The call is told what is replayed. Throws IDEMPOTENCY_IN_FLIGHT
   * while the same request runs, IDEMPOTENCY_KEY_REUSED when the key was for another request.
   */
  async function claim(scope: Scope, fingerprint: string, call?: AnsweredCall): Promise<Claim> {
    const ticket: Ticket = { scope, fingerprint, token: randomUUID() };
    const lock = await locks.claim(scope, ticket.token, fingerprint);
    if (lock.kind !== "locked" && lock.kind !== "unknown" && lock.fingerprint !== fingerprint) throw keyReused();
    try {
      const decision = await decide(ticket, lock.kind === "held", call);
      if (decision.kind === "replay" && lock.kind === "locked") await release(ticket);
      return decision;
    } catch (error) {
      if (lock.kind === "locked") await release(ticket);
      throw error;
    }
  }

  const release = (ticket: Ticket) => locks.release(ticket.scope, ticket.token, ticket.fingerprint);

  async function insert(ticket: Ticket, fields: Partial<IdempotencyRow>, session: ClientSession): Promise<void> {
    const { scope, fingerprint } = ticket;
    const created = { createdAt: clock.now(), state: "PENDING" as const };
    const row = { _id: uuidv7(), ...scope, fingerprint, ...created, ...fields };
    try {
      await records.forTenant(scope.tenantId).insertOne(row, { session });
    } catch (error) {
      // Another request with this key was first; this transaction is aborted by it.
      if (isDuplicateKey(error)) throw new RequestInFlight();
      throw error;
    }
  }

  return {
    claim,
    /**
     * Begins a saga inside its first transaction: from then on a retry resumes `ownerId`. Throws
     * RequestInFlight when another was first.
     */
    begin: (ticket: Ticket, ownerId: string, session: ClientSession): Promise<void> =>
      insert(ticket, { ownerId, lockToken: ticket.token, lockedUntil: lockUntil() }, session),

    /**
     * Stores the answer inside the last transaction of a saga. Throws RequestInFlight when another
     * stored one: that one stands.
     */
    async complete({ scope }: { scope: Scope }, answer: StoredAnswer, session: ClientSession): Promise<void> {
      const change = {
        $set: { state: "DONE" as const, answer: await answerToDocument(answer, scope, cipher), ...expiry() },
        $unset: { lockToken: true, lockedUntil: true } as const,
      };
      const pending = { ...idOf(scope), state: "PENDING" as const };
      const done = await records.forTenant(scope.tenantId).updateOne(pending, change, { session });
      if (done.matchedCount === 0) throw new RequestInFlight();
    },

    /** Stores the answer of an operation that is a single transaction, inside it. */
    async completeAtOnce(ticket: Ticket, answer: StoredAnswer, session: ClientSession): Promise<void> {
      const row = await answerToDocument(answer, ticket.scope, cipher);
      await insert(ticket, { state: "DONE", answer: row, ...expiry() }, session);
    },

    /** Frees the key inside the last transaction of a saga whose answer must not be kept. */
    async withdraw(scope: Scope, session: ClientSession): Promise<void> {
      await records.forTenant(scope.tenantId).deleteOne({ ...idOf(scope), state: "PENDING" }, { session });
    },

    /** The stored answer of this request, once there is one. For read-backs. */
    async answerOf({ scope, fingerprint }: { scope: Scope; fingerprint: string }): Promise<StoredAnswer | undefined> {
      const record = await records.forTenant(scope.tenantId).findOne({ ...idOf(scope), fingerprint });
      return record?.answer && answerFromDocument(record.answer, scope, cipher);
    },

    /**
     * Erases a kept answer that holds somebody's data: a replay is then told so.
     */
    async forgetAnswer(scope: Scope, session: ClientSession): Promise<void> {
      const done = { ...idOf(scope), state: "DONE" as const };
      await records.forTenant(scope.tenantId).updateOne(done, { $set: { answer: erasedAnswer } }, { session });
    },
    /**
     * Erases up to `limit` answers that this caller was given; gives their number. For a caller who
     * is let in no more.
     */
    async forgetAnswersOf(tenantId: string, caller: string, limit: number, session: ClientSession): Promise<number> {
      const stored = { caller, state: "DONE" as const, "answer.message": { $ne: erasedAnswer.message } };
      const own = records.forTenant(tenantId);
      const found = await own.find(stored as object, { limit, session, projection: { _id: 1 } });
      const those = { _id: { $in: found.map(({ _id }) => _id) } };
      if (found.length > 0) await own.updateMany(those, { $set: { answer: erasedAnswer } }, { session });
      return found.length;
    },
    /** Drops the lock after a commit that is known. It only saves time. */
    settled: (ticket: Ticket): Promise<void> => release(ticket),

    /**
     * Drops the lock after a failure whose answer is not stored: the next try may run at once, or
     * resume what has begun.
     */
    async forget(ticket: Ticket): Promise<void> {
      const mine = { ...idOf(ticket.scope), state: "PENDING" as const, lockToken: ticket.token };
      const change = { $set: { lockedUntil: new Date(0) } };
      await records.forTenant(ticket.scope.tenantId).updateOne(mine, change);
      await release(ticket);
    },
  };
}

const erasedAnswer = {
  kind: "refusal",
  code: "NOT_FOUND",
  message: "the answer to this request was erased",
} as const satisfies AnswerRow;

/** IDEMPOTENCY_IN_FLIGHT of our own records; a neighbour's is a Refusal of the same code. */
export class RequestInFlight extends Refusal {
  constructor() {
    super("IDEMPOTENCY_IN_FLIGHT", "a request with this idempotency key is running", { retryAfterS: 1 });
  }
}

function keyReused(): Refusal {
  return new Refusal("IDEMPOTENCY_KEY_REUSED", "this idempotency key was used for another request");
}
