import type { Connection } from "mongoose";
import { recordCollection } from "../../../kernel/mongo/record-collection.js";
import { createTakeDue } from "../../../kernel/mongo/take-due.js";
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
  const all = recordCollection<ListPluginRecord>(db, collections.listPlugins);

  return {
    /** One that is due. */
    takeDue: createTakeDue<WatchedListPlugin>(db, collections.listPlugins, {
      key: ["installationId"],
      reason: "lists are fetched for all tenants",
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
