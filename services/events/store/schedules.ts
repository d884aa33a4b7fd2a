import type { Connection } from "mongoose";
import { perTenant } from "../../kernel/mongo/per-tenant.js";
import { tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import { retryDuplicates } from "../../kernel/mongo/transaction.js";
import { collections, type Owned } from "./collections.js";

/** Schedules of sandboxes that have one of their own. */
export function createScheduleStore(db: Connection) {
  const all = tenantCollection<Owned<{ waitsS: number[] }>>(db, collections.schedules);
  return {
    forTenant: perTenant((tenantId: string) => {
      const own = all.forTenant(tenantId);
      return {
        /** Seconds; undefined where it has the usual one. */
        async find(): Promise<number[] | undefined> {
          return (await own.findOne({}))?.waitsS.map(Number);
        },
        put: (waitsS: readonly number[]) =>
          retryDuplicates(() => own.updateOne({}, { $set: { waitsS: [...waitsS] } }, { upsert: true })),
        remove: () => own.deleteOne({}),
      };
    }),
  };
}
