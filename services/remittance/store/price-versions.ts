import type { ClientSession, Connection } from "mongoose";
import { tenantCollection } from "../../shared/mongo/tenant-collection.js";
import { collections } from "./collections.js";

/** Counts the changes of what a tenant's prices are made from: corridors, rates and markups. */
export function createPriceVersionStore(db: Connection) {
  const versions = tenantCollection<{ tenantId: string; version: number }>(db, collections.priceVersions);
  const projection = { _id: 0, version: 1 };
  return {
    forTenant: (tenantId: string) => ({
      /** 0 before the first change that was counted. */
      async priceVersion(): Promise<number> {
        return Number((await versions.forTenant(tenantId).findOne({}, { projection }))?.version ?? 0);
      },

      /** Belongs into the transaction that makes the change. */
      async raisePriceVersion(session: ClientSession): Promise<void> {
        await versions.forTenant(tenantId).updateOne({}, { $inc: { version: 1 } }, { session, upsert: true });
      },
    }),
  };
}

export type PriceVersionStore = ReturnType<typeof createPriceVersionStore>;
