import type { Connection } from "mongoose";
import { createHeldTenants } from "../../kernel/mongo/held-tenants.js";
import { perTenant } from "../../kernel/mongo/per-tenant.js";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import { acrossTenants } from "../../kernel/mongo/tenant-collection.js";
import { collections, type Owned, type Session } from "./collections.js";

/** What an endpoint's deliveries do, apart from what managers have set. */
export interface Lane {
  endpointId: string;
  /** Its deliveries are sent: neither paused nor disabled. */
  isActive: boolean;
  /** No later than its first delivery that is due; absent where none is open. */
  dueAt?: Date;
  /** Raised by whatever makes a delivery due, so that nobody forgets it who has just looked. */
  work: number;
  /** Since when every attempt has failed. */
  failingSince?: Date;
  /** Of its rate limit: what is left, when that was counted, and how many were taken then. */
  tokens?: number;
  tokensAt?: Date;
  taken?: number;
}

export type LaneStore = ReturnType<typeof createLaneStore>;

const projection = { _id: 0 };

/** When endpoints have something to send. */
export function createLaneStore(db: Connection) {
  const all = recordCollection<Lane>(db, collections.lanes);
  const everywhere = acrossTenants<Owned<Lane>>(db, collections.lanes, "webhooks that are due");
  const held = createHeldTenants(db, collections.lanes);

  return {
    /**
     * Of all tenants, the one that waits longest first; without those that `but` names. And in how
     * many ms the next is due, where that is within `aheadMs`.
     */
    async due(
      now: Date,
      but: readonly string[],
      limit: number,
      aheadMs = 0,
    ): Promise<{ lanes: Owned<Lane>[]; nextInMs: number | undefined }> {
      const others = await held.otherTenants();
      const until = new Date(now.getTime() + aheadMs);
      const found = await everywhere.find(
        { ...others, isActive: true, dueAt: { $lte: until }, endpointId: { $nin: [...but] } },
        { sort: { dueAt: 1 }, limit, projection },
      );
      const next = found.find(({ dueAt }) => dueAt! > now);
      return {
        lanes: found.filter(({ dueAt }) => dueAt! <= now),
        nextInMs: next && next.dueAt!.getTime() - now.getTime(),
      };
    },
    /** Of all tenants, those that may have something open, paused and disabled ones too. */
    async open(): Promise<Pick<Owned<Lane>, "tenantId" | "endpointId">[]> {
      const others = await held.otherTenants();
      const open = { ...others, dueAt: { $exists: true } };
      return everywhere.find(open, { projection: { _id: 0, tenantId: 1, endpointId: 1 } });
    },
    /** How long the longest waits, in seconds; 0 where none does. */
    async oldestDueS(now: Date): Promise<number> {
      const [oldest] = await everywhere.find(
        { isActive: true, dueAt: { $lte: now } },
        { sort: { dueAt: 1 }, limit: 1, projection },
      );
      return oldest?.dueAt === undefined ? 0 : (now.getTime() - oldest.dueAt.getTime()) / 1_000;
    },

    forTenant: perTenant((tenantId: string) => {
      const own = all.forTenant(tenantId);
      return {
        insert: (endpointId: string, session: Session) =>
          own.insertOne({ endpointId, isActive: true, work: 0 }, { session }),
        remove: (endpointId: string, session: Session) => own.deleteOne({ endpointId }, { session }),
        find: (endpointId: string): Promise<Lane | undefined> => own.findOne({ endpointId }),
        failingSince: async (): Promise<Map<string, Date>> => {
          const failing = await own.find({ failingSince: { $exists: true } });
          return new Map(failing.map(({ endpointId, failingSince }) => [endpointId, failingSince!]));
        },
        setActive: (endpointId: string, isActive: boolean, now: Date, session: Session) =>
          own.updateOne(
            { endpointId },
            isActive
              ? { $set: { isActive, dueAt: now }, $inc: { work: 1 }, $unset: { failingSince: true } }
              : { $set: { isActive } },
            { session },
          ),
        /** Something of these is due then. */
        async touch(endpointIds: readonly string[], dueAt: Date, session?: Session): Promise<void> {
          if (endpointIds.length === 0) return;
          const some = { endpointId: { $in: [...endpointIds] } };
          await own.updateMany(some, { $min: { dueAt }, $inc: { work: 1 } } as object, { session });
        },
        /** What is due next, as far as nothing became due since the lane was read. */
        async settle({ endpointId, work }: Lane, dueAt: Date | undefined): Promise<void> {
          const change = dueAt === undefined ? { $unset: { dueAt: true as const } } : { $set: { dueAt } };
          await own.updateOne({ endpointId, work }, change);
        },
        /** The first failure after a success; since when it fails. */
        async noteFailure(endpointId: string, at: Date): Promise<Date> {
          const unknown = { endpointId, failingSince: { $exists: false } };
          await own.updateOne(unknown, { $set: { failingSince: at } });
          return (await own.findOne({ endpointId }))?.failingSince ?? at;
        },
        noteSuccess: (endpointId: string) =>
          own.updateOne({ endpointId, failingSince: { $exists: true } }, { $unset: { failingSince: true } }),
        /**
         * So many of `wanted` as the rate allows now, in all replicas together. A
         * second's worth may come at once. Time is the database's: clocks of replicas
         * that differ would each give anew.
         */
        async takeTokens(endpointId: string, rate: number, wanted: number): Promise<number> {
          // An update that computes is past the tenant's guard: nothing in it comes from outside.
          const options = { returnDocument: "after", projection: { taken: 1 } } as const;
          const counted = await everywhere.findOneAndUpdate(
            { tenantId, endpointId },
            takingTokens(rate, wanted),
            options,
          );
          return Number(counted?.taken ?? 0);
        },
      };
    }),
  };
}

/**
 * The last second's tokens, less `wanted` of them as far as they are there; `taken` says how many.
 */
function takingTokens(rate: number, wanted: number): object[] {
  // Never set back, so that no stretch of time is counted twice where clocks of routers differ.
  const at = { $max: ["$$NOW", { $ifNull: ["$tokensAt", "$$NOW"] }] };
  const passedMs = { $subtract: [at, { $ifNull: ["$tokensAt", "$$NOW"] }] };
  const come = { $divide: [{ $multiply: [passedMs, rate] }, 1_000] };
  const there = { $min: [rate, { $add: [{ $ifNull: ["$tokens", rate] }, come] }] };
  return [
    { $set: { tokens: there, tokensAt: at } },
    { $set: { taken: { $min: [wanted, { $floor: "$tokens" }] } } },
    { $set: { tokens: { $subtract: ["$tokens", "$taken"] } } },
  ];
}
