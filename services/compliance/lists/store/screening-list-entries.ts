import type { Connection } from "mongoose";
import { recordCollection } from "../../../kernel/mongo/record-collection.js";
import type { ListEntry } from "../domain/list-entry.js";
import { collections } from "../../common/store/collections.js";

export type ListChange = "ADDED" | "CHANGED" | "REMOVED";

/** An entry as one load has read it. */
export interface EntryRow {
  loadId: string;
  entryId: string;
  fingerprint: string;
  /**
   * Against the version that was in use; absent where nothing has changed. REMOVED
   * ones are no part of the version.
   */
  change?: ListChange;
  entry: ListEntry;
}

/**
 * Entries of lists by the load that has read them: a load that was cut
 * off leaves no trace in another.
 */
export function listEntryStore(db: Connection) {
  const all = recordCollection<EntryRow>(db, collections.screeningListEntries);
  return {
    forOwner(owner: string) {
      const rows = all.forTenant(owner);
      return {
        insert: (entries: readonly EntryRow[]) => rows.insertMany(entries),

        /** What each entry of a load was, by id. */
        async fingerprints(loadId: string): Promise<Map<string, string>> {
          const found = new Map<string, string>();
          if (loadId === "") return found;
          const options = { projection: { _id: 0, entryId: 1, fingerprint: 1, change: 1 }, batchSize: 5_000 };
          for await (const { entryId, fingerprint, change } of rows.stream({ loadId }, options)) {
            if (change !== "REMOVED") found.set(entryId, fingerprint);
          }
          return found;
        },

        find: (loadId: string, entryIds: readonly string[]): Promise<EntryRow[]> =>
          rows.find({ loadId, entryId: { $in: [...entryIds] } }),

        /** All that a version has. */
        async *stream(loadId: string): AsyncGenerator<ListEntry> {
          for await (const { entry, change } of rows.stream({ loadId }, { batchSize: 500 })) {
            if (change !== "REMOVED") yield entry;
          }
        },

        /** What a version has changed, by id of the entry, after one. */
        changes: (loadId: string, { after = "", limit }: { after?: string; limit: number }): Promise<EntryRow[]> =>
          rows.find({ loadId, change: { $exists: true }, entryId: { $gt: after } }, { sort: { entryId: 1 }, limit }),

        remove: (loadId: string) => rows.deleteMany({ loadId }),
      };
    },
  };
}
