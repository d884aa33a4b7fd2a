import type { ClientSession, Connection } from "mongoose";
import type { Clock } from "../time/clock.js";
import { movingClock } from "../time/moving-clock.js";
import { leaseOf } from "../process/crash-point.js";
import type { Logger } from "../process/log.js";
import type { WakeUps } from "../polling/wake-ups.js";
import { isDiskFull } from "../mongo/disk-space.js";
import { createIndexes } from "../mongo/migrations.js";
import { acrossTenants, tenantCollection, type Filter } from "../mongo/tenant-collection.js";
import { Refusal } from "../refusal.js";
import { closing } from "./closing.js";
import { createHasten } from "./hasten.js";
import { createLeases, outboxCollection } from "./leases.js";
import type { RowKind } from "./row-kinds.js";
import {
  storedRow,
  viewOf,
  type NewRow,
  type OperatorComment,
  type OutboxRow,
  type RowCipher,
  type RowState,
  type RowView,
  type StoredRow,
} from "./row.js";

/**
 * Names rows of a tenant: one by id or by its place, or all open ones of a kind in an aggregate.
 */
export type RowRef = string | { aggregate: string; kind: string; seq?: number };

/** What a started relay offers to its outbox. */
export interface AttachedRelay {
  wake(): void;
  /** Looks quickly for a while. */
  pollFast(): void;
  runNow(tenantId: string, aggregate: string): Promise<void>;
}

export interface OutboxOptions {
  db: Connection;
  /** Business time, for dueAt and backoff. Leases use the server's real time. */
  clock: Clock;
  log: Logger;
  service: string;
  /** All that are added to it, publishing apart. */
  kinds?: Readonly<Record<string, RowKind>> | undefined;
  /** How long a row of a killed process stays out of reach, in ms; 10,000 where absent. */
  leaseMs?: number | undefined;
  /** Of the replicas of this outbox; without it a resting one finds rows at its slow look. */
  wakeUps?: WakeUps;
  /** Rows lie as they are added where it is absent. */
  cipher?: RowCipher | undefined;
}

// Rows that only tell others something are taken together.
const gatherMs = 25;

// Parked rows beyond so many are not counted: their exact number helps nobody.
const maxParked = 10_000;

const parkedOfTenant = { tenantId: 1, state: 1, _id: 1 } as const;

export type Outbox = ReturnType<typeof createOutbox>;

/**
 * Indexes of the outbox, for the service's migrations; it makes those that are not there yet. The
 * relay polls by {state, dueAt}, which holds open rows only, or by {state, kind, dueAt} where rows
 * of a kind have a relay of their own: neither reads past the other's rows; rows that wait for a
 * partner are found by it; the lowest row of an
 * aggregate is found by {tenantId, aggregate, state, seq}.
 */
export async function createOutboxIndexes(db: Connection): Promise<void> {
  await createIndexes(db, outboxCollection, [
    { key: { state: 1, dueAt: 1 }, partialFilterExpression: { state: "DUE" } },
    { key: { state: 1, kind: 1, dueAt: 1 }, partialFilterExpression: { state: "DUE" } },
    { key: { waitsFor: 1, _id: 1 }, partialFilterExpression: { state: "DUE", waitsFor: { $exists: true } } },
    { key: { state: 1, _id: 1 }, partialFilterExpression: { state: "PARKED" } },
    { key: parkedOfTenant, partialFilterExpression: { state: "PARKED" } },
    { key: { tenantId: 1, aggregate: 1, state: 1, seq: 1, _id: 1 } },
    { key: { tenantId: 1, aggregate: 1, seq: 1, kind: 1 }, unique: true },
    { key: { expiresAt: 1 }, expireAfterSeconds: 0 },
  ]);
}

/**
 * The outbox of one service: rows are added in the transaction of the state change they follow
 * from, and run by the relay.
 */
export function createOutbox(options: OutboxOptions) {
  const { db, clock, log, service, kinds = {}, leaseMs = leaseOf(10_000), wakeUps, cipher } = options;
  const rows = tenantCollection<StoredRow>(db, outboxCollection);
  const relays = new Set<AttachedRelay>();
  // Rows are due when business says; between two tries real time passes.
  const pauses = movingClock(clock);

  /** Open rows that a reference names, and whether that is one row. */
  function openRows(ref: RowRef): { open: Filter<StoredRow>; isOne: boolean } {
    const state = { $in: ["DUE" as const, "PARKED" as const] };
    if (typeof ref === "string") return { open: { _id: ref, state }, isOne: true };
    return { open: { ...ref, state }, isOne: ref.seq !== undefined };
  }

  const sealed = async (row: NewRow): Promise<NewRow> => cipher?.seal(row) ?? row;
  const wake = (): void => relays.forEach((relay) => relay.wake());
  let soon: NodeJS.Timeout | undefined;
  let unlisten: (() => void) | undefined;
  const pollOwnFast = (): void => relays.forEach((relay) => relay.pollFast());

  /** Something happens to rows: the relays of all replicas look quickly for a while. */
  function pollFast(): void {
    pollOwnFast();
    wakeUps?.tell();
  }

  return {
    log: log.child({ part: "outbox", service }),
    clock,
    kinds: Object.values(kinds),
    leases: createLeases(db, pauses, leaseMs),
    /** A row as it was added. Throws where what is sealed in it was changed, or its key is gone. */
    opened: async (row: OutboxRow): Promise<OutboxRow> => cipher?.open(row) ?? row,
    /** When a pause of so many ms from now ends. */
    inMs: (ms: number): Date => new Date(pauses.now().getTime() + ms),
    leaseMs,
    /** Whether its rows rest: nothing is written for now. */
    isPaused: (): boolean => isDiskFull(db),

    /**
     * Adds a row inside the transaction of the state change. Call `wake` after its commit. Returns
     * the row's id.
     */
    async add(row: NewRow, session: ClientSession): Promise<string> {
      pollFast();
      const stored = storedRow(await sealed(row), clock.now());
      await rows.forTenant(row.tenantId).insertOne(stored, { session });
      return stored._id;
    },

    /** As `add`, of several rows of one tenant in one round trip. */
    async addAll(added: readonly NewRow[], session: ClientSession): Promise<void> {
      const [first] = added;
      if (first === undefined) return;
      pollFast();
      const stored = (await Promise.all(added.map(sealed))).map((row) => storedRow(row, clock.now()));
      await rows.forTenant(first.tenantId).insertMany(stored, { session });
    },

    /**
     * As `finish` of one row and `addAll` of others, in one round trip: the first of them takes its
     * place, and its id.
     */
    async succeed(
      tenantId: string,
      ref: { aggregate: string; kind: string; seq: number },
      [first, ...others]: readonly [NewRow, ...NewRow[]],
      session: ClientSession,
    ): Promise<void> {
      pollFast();
      const now = clock.now();
      const { _id, tenantId: _tenant, ...content } = storedRow(await sealed(first), now);
      const { open: filter } = openRows(ref);
      const gone = { leaseToken: true, blocked: true, lastError: true, notes: true } as const;
      const added = (await Promise.all(others.map(sealed))).map((row) => storedRow(row, now));
      const update = { $set: content, $unset: gone };
      await rows.forTenant(tenantId).succeed({ filter, update, added }, _id, { session });
    },

    /**
     * Takes open rows away whose work was done another way, such as the recovery row of a saga that
     * came to its end: most sagas leave one, and what became of it stands with the saga.
     */
    async finish(tenantId: string, ref: RowRef, session: ClientSession): Promise<void> {
      const { open, isOne } = openRows(ref);
      const ofTenant = rows.forTenant(tenantId);
      await (isOne ? ofTenant.deleteOne(open, { session }) : ofTenant.deleteMany(open, { session }));
    },
    /** Closes open rows whose work is not wanted any more. */
    async cancel(tenantId: string, ref: RowRef, session: ClientSession): Promise<void> {
      const { open, isOne } = openRows(ref);
      const ofTenant = rows.forTenant(tenantId);
      const change = closing("CANCELLED");
      await (isOne ? ofTenant.updateOne(open, change, { session }) : ofTenant.updateMany(open, change, { session }));
    },
    hasten: createHasten(db, clock),
    pollFast,
    /** After a commit: the relay of this process looks at once. */
    wake,
    /** As `wake`, for rows that several are best taken of at once: a moment later. */
    wakeSoon(): void {
      soon ??= setTimeout(() => {
        soon = undefined;
        wake();
      }, gatherMs).unref();
    },
    /**
     * Works on an aggregate's due rows inline, for some seconds at most; does nothing without a
     * relay. Never throws for a row's failure.
     */
    async runNow(tenantId: string, aggregate: string): Promise<void> {
      await Promise.all([...relays].map((relay) => relay.runNow(tenantId, aggregate)));
    },
    attach(relay: AttachedRelay): () => void {
      relays.add(relay);
      unlisten ??= wakeUps?.listen(pollOwnFast);
      return () => void relays.delete(relay);
    },
    ...createOperatorFunctions(db, clock, wake),
  };
}

/**
 * What operators can do: see open and dropped rows, try a parked one again, drop one that cannot
 * succeed.
 */
function createOperatorFunctions(db: Connection, clock: Clock, wake: () => void) {
  const rows = tenantCollection<StoredRow>(db, outboxCollection);
  const everywhere = acrossTenants<StoredRow>(db, outboxCollection, "outbox operators");

  async function decide(tenantId: string, id: string, note: Omit<OperatorComment, "at">, set: object, unset: object) {
    const row = await rows
      .forTenant(tenantId)
      .findOneAndUpdate(
        { _id: id, state: "PARKED" },
        { $set: set, $unset: { blocked: true, ...unset }, $push: { notes: { ...note, at: clock.now() } } },
        { returnDocument: "after" },
      );
    if (!row) {
      const there = await rows.forTenant(tenantId).findOne({ _id: id });
      throw there
        ? new Refusal("STATE_CONFLICT", `the row is ${there.state}, not PARKED`)
        : new Refusal("NOT_FOUND", "no such row");
    }
    if (row.state === "DROPPED") await unblock(row);
    wake();
    return viewOf(row);
  }

  /** The next row of the aggregate need not wait for its next look. */
  async function unblock({ tenantId, aggregate }: StoredRow): Promise<void> {
    const behind = { aggregate, state: "DUE" as const, blocked: true };
    await rows
      .forTenant(tenantId)
      .findOneAndUpdate(behind, { $set: { dueAt: clock.now() } }, { sort: { seq: 1, _id: 1 } });
  }

  return {
    /**
     * How late the work is, for metrics: the age of the oldest due row in seconds, and how many
     * rows are parked.
     */
    async figures(): Promise<{ oldestDueS: number; parked: number }> {
      const now = clock.now();
      const [[oldest], parked] = await Promise.all([
        everywhere.find({ state: "DUE", dueAt: { $lte: now } }, { sort: { dueAt: 1 }, limit: 1 }),
        everywhere.find({ state: "PARKED" }, { sort: { _id: 1 }, limit: maxParked, projection: { _id: 1 } }),
      ]);
      const oldestDueS = oldest === undefined ? 0 : (now.getTime() - oldest.dueAt.getTime()) / 1_000;
      return { oldestDueS, parked: parked.length };
    },
    /**
     * Rows of one state, oldest first; of all tenants where none is named. `after` is the id of the
     * page before's last row.
     */
    async list(query: { tenantId?: string; state: RowState; limit?: number; after?: string }): Promise<RowView[]> {
      const { tenantId, state, limit = 50, after } = query;
      const filter = { state, ...(after === undefined ? {} : { _id: { $gt: after } }) };
      const from = tenantId === undefined ? everywhere : rows.forTenant(tenantId);
      return (await from.find(filter, { sort: { _id: 1 }, limit })).map(viewOf);
    },
    /** Parked rows of a tenant, up to so many, and the oldest's time; reads past nobody else's. */
    async countParked(tenantId: string, limit: number): Promise<{ count: number; oldestAt?: Date }> {
      const options = { hint: parkedOfTenant, sort: { _id: 1 as const }, projection: { createdAt: 1 }, limit };
      const found = await rows.forTenant(tenantId).find({ state: "PARKED" }, options);
      return { count: found.length, ...(found[0] !== undefined && { oldestAt: found[0].createdAt }) };
    },
    /** Throws NOT_FOUND. */
    async show(tenantId: string, id: string): Promise<RowView> {
      const row = await rows.forTenant(tenantId).findOne({ _id: id });
      if (!row) throw new Refusal("NOT_FOUND", "no such row");
      return viewOf(row);
    },
    /**
     * Makes a parked row due again with fresh attempts. Throws NOT_FOUND, STATE_CONFLICT when it is
     * not parked.
     */
    retry: (tenantId: string, id: string, { who, why }: { who: string; why: string }) => {
      const due = { state: "DUE", dueAt: clock.now(), attempts: 0 };
      return decide(tenantId, id, { action: "retry", who, why }, due, { lastError: true });
    },
    /**
     * Gives a parked row up and unblocks its aggregate; the row stays, with who and why. Throws
     * NOT_FOUND, STATE_CONFLICT.
     */
    drop: (tenantId: string, id: string, { who, why }: { who: string; why: string }) => {
      const { $set, $unset } = closing("DROPPED");
      return decide(tenantId, id, { action: "drop", who, why }, $set, $unset);
    },
  };
}
