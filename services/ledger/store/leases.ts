import type { Connection, mongo } from "mongoose";
import { acrossTenants } from "../../kernel/mongo/tenant-collection.js";
import { retryDuplicates } from "../../kernel/mongo/transaction.js";
import { collections, type LeaseDocument } from "./collections.js";

export interface Lease {
  readonly tenantId: string;
  readonly address: string;
  readonly epoch: bigint;
  /** Sessions of predecessors, to be killed before anything is written. */
  readonly oldSessionIds: readonly mongo.Binary[];
}

export interface LeaseOptions {
  readonly address: Promise<string>;
  readonly holder: string;
  readonly ttlMs: number;
}

export type LeaseStore = ReturnType<typeof createLeaseStore>;

/**
 * Leases by the server's clock. A lease ends by time, by release, or when its address belongs to
 * another process now.
 */
export function createLeaseStore(db: Connection, { address: listening, holder, ttlMs }: LeaseOptions) {
  const leases = acrossTenants<LeaseDocument>(db, collections.leases, "journal leases");
  const untilNow = { $add: ["$$NOW", ttlMs] };

  return {
    /** The lease for this process, or undefined while another holds it. */
    async acquire(tenantId: string, sessionId: mongo.Binary): Promise<Lease | undefined> {
      const address = await listening;
      const free = { $or: [{ $expr: { $lte: ["$until", "$$NOW"] } }, { address }] };
      const taken = {
        tenantId: { $literal: tenantId },
        address: { $literal: address },
        holder: { $literal: holder },
        // One more than ever before, also after a release: head.epoch fences with it.
        epoch: { $add: ["$epoch", 1n] },
        until: untilNow,
        sessionIds: { $concatArrays: ["$sessionIds", [sessionId]] },
      };
      for (;;) {
        const lease = await leases.findOneAndUpdate({ _id: tenantId, tenantId, ...free }, [{ $set: taken }] as never, {
          returnDocument: "after",
        });
        if (lease !== null) {
          const oldSessionIds = lease.sessionIds.filter((id) => !sameBytes(id, sessionId));
          return { tenantId, address, epoch: lease.epoch, oldSessionIds };
        }
        // MongoDB takes no $expr in an upsert: a tenant's first lease is made free, then taken like
        // any other.
        const first = { address: "", holder: "", epoch: 0n, until: new Date(0), sessionIds: [] };
        const { upsertedCount } = await retryDuplicates(() =>
          leases.updateOne({ _id: tenantId, tenantId }, { $setOnInsert: first }, { upsert: true }),
        );
        if (upsertedCount === 0) return undefined;
      }
    },

    /** Forgets the predecessor's sessions, once they are killed. */
    async settle(tenantId: string, epoch: bigint, sessionId: mongo.Binary): Promise<void> {
      await leases.updateOne({ _id: tenantId, tenantId, holder, epoch }, { $set: { sessionIds: [sessionId] } });
    },

    /** Prolongs what is still held; gives the tenants that are not. */
    async renew(held: ReadonlyMap<string, bigint>): Promise<string[]> {
      const tenantIds = [...held.keys()];
      const mine = { _id: { $in: tenantIds }, holder };
      const { matchedCount } = await leases.updateMany(mine, [{ $set: { until: untilNow } }] as never);
      if (matchedCount === tenantIds.length) return [];
      const stored = new Map((await leases.find(mine)).map(({ _id, epoch }) => [_id, epoch]));
      return tenantIds.filter((tenantId) => stored.get(tenantId) !== held.get(tenantId));
    },

    /**
     * Lets another process take over at once: whoever asks first, or for the time of a lease only
     * the one at the address that is named. False where the lease was lost before.
     */
    async release(tenantId: string, epoch: bigint, to?: string): Promise<boolean> {
      const until = to === undefined ? new Date(0) : untilNow;
      // Without a holder, so that a renewal under way does not prolong what was let go.
      const free = { until, sessionIds: [], address: { $literal: to ?? "" }, holder: "" };
      const mine = { _id: tenantId, tenantId, holder, epoch };
      return (await leases.updateOne(mine, [{ $set: free }] as never)).matchedCount === 1;
    },

    /** Lets others take what was handed to this process and not taken yet. */
    async declineHandedOver(): Promise<void> {
      const handed = { address: await listening, holder: "" };
      await leases.updateMany(handed, { $set: { until: new Date(0), address: "" } });
    },

    /** Address of another process that owns the journal now, or that it is handed to. */
    async findOtherOwner(tenantId: string): Promise<string | undefined> {
      const address = { $ne: await listening };
      const live = { _id: tenantId, tenantId, holder: { $ne: holder }, address, $expr: { $gt: ["$until", "$$NOW"] } };
      return (await leases.findOne(live))?.address;
    },
  };
}

function sameBytes(a: mongo.Binary, b: mongo.Binary): boolean {
  return Buffer.compare(a.buffer.subarray(0, a.length()), b.buffer.subarray(0, b.length())) === 0;
}
