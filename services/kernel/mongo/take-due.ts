import type { Connection } from "mongoose";
import { isDiskFull } from "./disk-space.js";
import { createHeldTenants } from "./held-tenants.js";
import { acrossTenants, type Filter } from "./tenant-collection.js";

interface Due {
  tenantId: string;
  dueAt: Date;
}

/**
 * Takes one document of any tenant that is due and not held, as it is from then on: nobody else
 * takes it before `until`. None is taken while the disk is full. Together with its tenant `key`
 * names a document; `reason` is as of `acrossTenants`.
 */
export function createTakeDue<T extends Due>(
  db: Connection,
  name: string,
  { key, reason }: { key: readonly (keyof T & string)[]; reason: string },
): (now: Date, until: Date) => Promise<T | undefined> {
  const all = acrossTenants<T>(db, name, reason);
  const held = createHeldTenants(db, name);
  const dueBy = (now: Date) => ({ ...held.others(), dueAt: { $lte: now } }) as unknown as Filter<T>;
  return (now, until) =>
    held.past(async () => {
      while (!isDiskFull(db)) {
        const due = await all.findOne(dueBy(now), { sort: { dueAt: 1 } });
        if (due === null) return undefined;
        // By its tenant: on shards, a change of one document has to say where it is.
        const which = Object.fromEntries(["tenantId", "dueAt", ...key].map((field) => [field, due[field as keyof T]]));
        const change = { $set: { dueAt: until } } as never;
        const options = { returnDocument: "after", projection: { _id: 0 } } as const;
        const taken = await all.findOneAndUpdate(which as Filter<T>, change, options);
        // Where another replica was faster, the next one.
        if (taken !== null) return taken;
      }
      return undefined;
    });
}
