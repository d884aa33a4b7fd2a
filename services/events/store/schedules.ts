import type { Connection } from "mongoose";
import { perTenant } from "../../kernel/mongo/per-tenant.js";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import { retryDuplicates } from "../../kernel/mongo/transaction.js";
import { collections } from "./collections.js";

/** Schedules of sandboxes that have one of their own. */
export function createScheduleStore(db: Connection) {
  const all = recordCollection<{ waitsS: number[] }>(db, collections.schedules);
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
