import type { Connection } from "mongoose";
import { createHeldTenants } from "../../../kernel/mongo/held-tenants.js";
import { acrossTenants, tenantCollection } from "../../../kernel/mongo/tenant-collection.js";
import { collections, type Owned } from "../../common/store/collections.js";

/** A plugin that fetches a list, from its first test on. */
export interface ListPluginRecord {
  installationId: string;
  /** When it is looked at next; while it is, by when the next replica may. */
  dueAt: Date;
  /** When it is fetched next; absent before the first time. */
  fetchAt?: Date;
  /** Of the installation that was fetched by. */
  revision?: number;
  /**
   * What was fetched last: its digest, and what the server said of each
   * file, in the order of the files.
   */
  sha256?: string;
  said?: { etag?: string; lastModified?: string }[];
}

export type WatchedListPlugin = Owned<ListPluginRecord>;
export type ListPluginStore = ReturnType<typeof createListPluginStore>;

/** Which plugins are looked after, of all tenants. */
export function createListPluginStore(db: Connection) {
  const all = tenantCollection<WatchedListPlugin>(db, collections.listPlugins);
  const due = acrossTenants<WatchedListPlugin>(db, collections.listPlugins, "lists are fetched for all tenants");
  const held = createHeldTenants(db, collections.listPlugins);

  return {
    /** One that is due, taken until then. */
    takeDue: (now: Date, until: Date): Promise<WatchedListPlugin | undefined> =>
      held.past(async () => {
        for (;;) {
          const [found] = await due.find(
            { ...held.others(), dueAt: { $lte: now } },
            { sort: { dueAt: 1 }, limit: 1, projection: { _id: 0 } },
          );
          if (found === undefined) return undefined;
          const { tenantId, installationId, dueAt } = found;
          const change = { $set: { dueAt: until } };
          const taken = await all.forTenant(tenantId).updateOne({ installationId, dueAt }, change);
          // Where another replica was faster, the next one.
          if (taken.matchedCount === 1) return found;
        }
      }),

    forTenant(tenantId: string) {
      const own = all.forTenant(tenantId);
      return {
        async watch(installationId: string, dueAt: Date): Promise<void> {
          await own.updateOne({ installationId }, { $setOnInsert: { dueAt } }, { upsert: true });
        },
        async set(installationId: string, change: Partial<ListPluginRecord>): Promise<void> {
          await own.updateOne({ installationId }, { $set: change });
        },
        async forget(installationId: string): Promise<void> {
          await own.deleteMany({ installationId });
        },
      };
    },
  };
}
