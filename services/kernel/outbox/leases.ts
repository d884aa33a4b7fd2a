import { randomUUID } from "node:crypto";
import type { ClientSession, Connection } from "mongoose";
import { createBatcher } from "../batching/batcher.js";
import type { Clock } from "../time/clock.js";
import { createHeldTenants, isHeld } from "../mongo/held-tenants.js";
import { acrossTenants, tenantCollection } from "../mongo/tenant-collection.js";
import { closing } from "./closing.js";
import { isOfKinds, ofKinds, type Kinds } from "./kinds.js";
import type { StoredRow } from "./row.js";
import type { WaitingRows } from "./waiting-rows.js";

export const outboxCollection = "outbox";

/** A row that this process may work on until its lease runs out. */
export interface LeasedRow {
  row: StoredRow;
  token: string;
  /** Whether more rows of its aggregate were waiting when it was taken. */
  more: boolean;
  /** The partner that it waited for, by the key of its places. */
  waitedFor?: string | undefined;
}

interface Lowest {
  _id: { tenantId: string; aggregate: string };
  id: string;
  state: StoredRow["state"];
  rows: number;
}

interface Forgotten {
  id: string;
  token: string;
  resolve(isOurs: boolean): void;
  reject(error: unknown): void;
}

const place = { tenantId: 1, aggregate: 1, dueAt: 1, waitsFor: 1 } as const;

type Place = Pick<StoredRow, "_id" | "tenantId" | "aggregate">;

/** How a relay looks for due rows. */
export interface OutboxPoll {
  /** Rows that it may take. */
  limit: number;
  kinds?: Kinds | undefined;
  /** Rows that fall due within so many ms are seen and not taken. */
  aheadMs?: number;
  waiting?: WaitingRows;
}

/** What a look has found. */
export interface Found {
  taken: LeasedRow[];
  /** Full where more may be due than it saw. */
  window: "all" | "full";
  /** In how many ms an untaken row falls due, as far as it looked ahead; undefined for none. */
  nextInMs: number | undefined;
}

const open = { $in: ["DUE" as const, "PARKED" as const] };
const inOrder = { seq: 1, _id: 1 } as const;
/**
 * Rows that wait for a partner are taken where it has room; should this process be gone,
 * others do so after this time, in ms.
 */
export const waitingMs = 30_000;
const recheckMs = { running: 1_000, parked: 10_000, waiting: waitingMs };
// The server's clock counts on both sides, since those of two replicas may differ.
const leaseIsFree = { $expr: { $lte: ["$leasedUntil", "$$NOW"] } };

export type Leases = ReturnType<typeof createLeases>;

/** The relay's side of the collection: who may work on which row. */
export function createLeases(db: Connection, clock: Clock, leaseMs: number) {
  const rows = acrossTenants<StoredRow>(db, outboxCollection, "outbox relay");
  const ofTenant = tenantCollection<StoredRow>(db, outboxCollection);
  const held = createHeldTenants(db, outboxCollection);
  const takes = (token: string) => [
    {
      $set: { leaseToken: token, leasedUntil: { $add: ["$$NOW", leaseMs] }, attempts: { $add: ["$attempts", 1] } },
    },
    { $unset: ["blocked", "waitsFor"] },
  ];

  // Rows that are told in one call end together.
  const forgetting = createBatcher<Forgotten>({ maxBatchSize: 500, maxInFlight: 2, minBatchSize: 500, run: forgetAll });

  async function forgetAll(tenantId: string, rowsOf: Forgotten[]): Promise<void> {
    try {
      const some = { _id: { $in: rowsOf.map(({ id }) => id) } };
      const mine = {
        ...some,
        leaseToken: { $in: [...new Set(rowsOf.map(({ token }) => token))] },
        state: "DUE" as const,
      };
      const { deletedCount } = await ofTenant.forTenant(tenantId).deleteMany(mine);
      const left = deletedCount === rowsOf.length ? [] : await ofTenant.forTenant(tenantId).find(some);
      const lost = new Set(left.map(({ _id }) => _id));
      for (const { id, resolve } of rowsOf) resolve(!lost.has(id));
    } catch (error) {
      for (const { reject } of rowsOf) reject(error);
    }
  }

  async function lowestOf(places: readonly Place[]): Promise<Lowest[]> {
    const byTenant = Map.groupBy(places, ({ tenantId }) => tenantId);
    const aggregates = [...byTenant].map(([tenantId, of]) => ({
      tenantId,
      state: open,
      aggregate: { $in: [...new Set(of.map(({ aggregate }) => aggregate))] },
    }));
    const first = { id: { $first: "$_id" }, state: { $first: "$state" }, rows: { $sum: 1 } };
    return rows.aggregate<Lowest>([
      { $match: { $or: aggregates } },
      { $sort: { tenantId: 1, aggregate: 1, ...inOrder } },
      { $group: { _id: { tenantId: "$tenantId", aggregate: "$aggregate" }, ...first } },
    ]);
  }

  /**
   * Rows behind a lower one leave the window of due rows for a while, or a parked row with many
   * behind it would fill it.
   */
  async function putOff(behind: readonly Place[], waitMs: number): Promise<void> {
    if (behind.length === 0) return;
    const dueAt = new Date(clock.now().getTime() + waitMs);
    await rows.updateMany(
      { _id: { $in: behind.map(({ _id }) => _id) }, state: "DUE", ...leaseIsFree },
      { $set: { dueAt, blocked: true } },
    );
  }

  async function leaseAll(places: readonly Pick<StoredRow, "_id" | "tenantId">[], token: string): Promise<StoredRow[]> {
    const free = { state: "DUE" as const, ...leaseIsFree };
    const [first] = places;
    if (first !== undefined && places.length === 1) {
      // The tenant is named, since it leads to the row's shard.
      const one = { _id: first._id, tenantId: first.tenantId, ...free };
      const row = await rows.findOneAndUpdate(one, takes(token) as never, { returnDocument: "after" });
      return row ? [row] : [];
    }
    const all = { _id: { $in: places.map(({ _id }) => _id) } };
    await rows.updateMany({ ...all, ...free }, takes(token) as never).catch(async (error: unknown) => {
      if (isHeld(error)) await untake(token, all);
      throw error;
    });
    return rows.find({ ...all, leaseToken: token });
  }

  /** What was taken before a held tenant's row was refused is due again, as if never tried. */
  async function untake(token: string, all: { _id: { $in: string[] } }): Promise<void> {
    const back = { $set: { leasedUntil: new Date(0) }, $inc: { attempts: -1 }, $unset: { leaseToken: true as const } };
    await rows.updateMany({ ...all, leaseToken: token }, back);
  }

  /** The oldest rows of the partners that have room, as many as they have. */
  async function withRoom(kinds: Kinds | undefined, waiting: WaitingRows | undefined) {
    const rooms = waiting?.withRoom() ?? [];
    const found = await Promise.all(
      rooms.map(async ({ key, room }) => {
        const ofPartner = { ...held.others(), ...ofKinds(kinds), state: "DUE" as const, waitsFor: key };
        const oldest = await rows.find(
          { ...ofPartner, ...leaseIsFree },
          { sort: { _id: 1 }, limit: room, projection: place },
        );
        if (oldest.length === 0) waiting!.forget(key);
        return oldest;
      }),
    );
    return found.flat();
  }

  async function takeDue({ limit, kinds, aheadMs = 0, waiting }: OutboxPoll): Promise<Found> {
    const size = Math.max(32, limit * 4);
    const now = clock.now().getTime();
    const until = new Date(now + aheadMs);
    const found = await rows.find(
      { ...held.others(), ...ofKinds(kinds), state: "DUE", dueAt: { $lte: until }, ...leaseIsFree },
      { sort: { dueAt: 1 }, limit: size, projection: place },
    );
    const [fallen, coming] = split(found, ({ dueAt }) => dueAt.getTime() <= now);
    const window = fallen.length === size ? "full" : "all";
    const verdicts = Map.groupBy(fallen, ({ waitsFor }) => waiting?.verdictOn(waitsFor) ?? "GO");
    await putOff(verdicts.get("PASS_OVER") ?? [], recheckMs.waiting);
    const due = [...(await withRoom(kinds, waiting)), ...(verdicts.get("GO") ?? [])];
    const comesInMs = coming[0] && coming[0].dueAt.getTime() - now;
    if (due.length === 0) return { taken: [], window, nextInMs: comesInMs };
    const lowest = new Map((await lowestOf(due)).map((row) => [keyOf(row._id), row]));
    const isLowest = (row: Place) => lowest.get(keyOf(row))?.id === row._id;
    const leaders = due.filter(isLowest);
    const next = leaders.slice(0, limit);
    const leading = new Set(leaders.map(keyOf));
    const behind = due.filter((row) => !isLowest(row) && (window === "full" || !leading.has(keyOf(row))));
    const [parked, running] = split(behind, (row) => lowest.get(keyOf(row))?.state === "PARKED");
    await putOff(parked, recheckMs.parked);
    await putOff(running, recheckMs.running);
    const nextInMs = running.length > 0 ? recheckMs.running : comesInMs;
    if (next.length === 0) return { taken: [], window, nextInMs };
    const token = randomUUID();
    const leased = await leaseAll(next, token);
    const waited = new Map(next.map(({ _id, waitsFor }) => [_id, waitsFor]));
    const taken = leased.map((row) => {
      const more = (lowest.get(keyOf(row))?.rows ?? 1) > 1;
      return { row, token, more, waitedFor: waited.get(row._id) };
    });
    return { taken, window, nextInMs };
  }

  return {
    /**
     * Leases due rows that are the lowest of their aggregates. One round trip when nothing is due,
     * three for one row, four for many. An aggregate's rows must be of `kinds` all or none: who is
     * behind a row of others is put off.
     */
    takeDue: (poll: OutboxPoll): Promise<Found> => held.past(() => takeDue(poll)),

    /**
     * Leases the aggregate's lowest row, unless it is parked, not due yet, somebody else's or of
     * another kind. Backoff counts only where `patient`.
     */
    async takeNext(
      tenantId: string,
      aggregate: string,
      patient: boolean,
      kinds?: Kinds,
    ): Promise<LeasedRow | undefined> {
      const [lowest, second] = await rows.find(
        { tenantId, aggregate, state: open },
        { sort: inOrder, limit: 2, projection: { state: 1, kind: 1, dueAt: 1, notBefore: 1, blocked: 1 } },
      );
      const now = clock.now();
      if (lowest?.state !== "DUE" || lowest.notBefore > now || !isOfKinds(lowest.kind, kinds)) return undefined;
      if (patient && lowest.dueAt > now && !lowest.blocked) return undefined;
      const token = randomUUID();
      const [row] = await leaseAll([{ _id: lowest._id, tenantId }], token).catch((error: unknown) => {
        if (isHeld(error)) return [];
        throw error;
      });
      return row && { row, token, more: second !== undefined };
    },

    /** Deletes a row that is done. False when the lease is no longer this one's. */
    forget: ({ row, token }: LeasedRow): Promise<boolean> =>
      new Promise((resolve, reject) => forgetting.add(row.tenantId, { id: row._id, token, resolve, reject })),

    /** Closes a row as done. False when the lease is no longer this one's. */
    async complete({ row, token }: LeasedRow, session?: ClientSession): Promise<boolean> {
      const result = await ofTenant
        .forTenant(row.tenantId)
        .updateOne({ _id: row._id, leaseToken: token, state: "DUE" }, closing("DONE"), { session });
      return result.matchedCount === 1;
    },

    /** Gives a row back after a failure. False when the lease is no longer this one's. */
    async giveBack({ row, token }: LeasedRow, change: { state: "DUE" | "PARKED"; dueAt?: Date; lastError?: string }) {
      const result = await ofTenant
        .forTenant(row.tenantId)
        .updateOne(
          { _id: row._id, leaseToken: token, state: "DUE" },
          { $set: { ...change, leasedUntil: new Date(0) }, $unset: { leaseToken: true } },
        );
      return result.matchedCount === 1;
    },

    /**
     * Gives a row back that was not tried after all, to wait for the partner named if any. False
     * when the lease is no longer this one's.
     */
    async untried({ row, token }: LeasedRow, dueAt: Date, waitsFor?: string): Promise<boolean> {
      const mine = { _id: row._id, leaseToken: token, state: "DUE" as const };
      const off = {
        $set: { dueAt, leasedUntil: new Date(0), ...(waitsFor !== undefined && { waitsFor }) },
        $inc: { attempts: -1 },
        $unset: { leaseToken: true as const },
      };
      return (await ofTenant.forTenant(row.tenantId).updateOne(mine, off)).matchedCount === 1;
    },

    /** Renews leases in one round trip; gives back the ids of those that were renewed. */
    async renew(leased: readonly LeasedRow[]): Promise<Set<string>> {
      const mine = {
        _id: { $in: leased.map(({ row }) => row._id) },
        leaseToken: { $in: [...new Set(leased.map(({ token }) => token))] },
        state: "DUE" as const,
      };
      const until = [{ $set: { leasedUntil: { $add: ["$$NOW", leaseMs] } } }];
      const { matchedCount } = await held.past(() => rows.updateMany({ ...mine, ...held.others() }, until as never));
      if (matchedCount === leased.length) return new Set(mine._id.$in);
      const renewed = { ...mine, ...held.others() };
      return new Set((await rows.find(renewed, { projection: { _id: 1 } })).map(({ _id }) => _id));
    },
  };
}

const keyOf = ({ tenantId, aggregate }: { tenantId: string; aggregate: string }): string => `${tenantId} ${aggregate}`;

function split<T>(all: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  return [all.filter(test), all.filter((item) => !test(item))];
}
