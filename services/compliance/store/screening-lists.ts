import type { Connection } from "mongoose";
import { acrossTenants, tenantCollection } from "../../shared/mongo/tenant-collection.js";
import { inTransaction, isDuplicateKey } from "../../shared/mongo/transaction.js";
import type { ListSource } from "../domain/screening/list-entry.js";
import type { ScreeningListRecord, ScreeningListStatus } from "../domain/screening/screening-list.js";
import { collections, type Owned, type Page } from "./collections.js";
import { listEntryStore } from "./screening-list-entries.js";
import { listPartStore } from "./screening-list-parts.js";

/** A version with its owner, and what a load of it is claimed by. */
export type StoredList = Owned<
  ScreeningListRecord & {
    /** Only of the one in use: its index lets one per source be it. */
    isActive?: true;
    /** While LOADING: when the next replica may take it up. */
    dueAt?: Date;
    attempts: number;
  }
>;

export type ScreeningListStore = ReturnType<typeof createScreeningListStore>;

const projection = { _id: 0, isActive: 0, dueAt: 0 };

/** Versions of lists with their entries and the parts of files they are read from, per owner. */
export function createScreeningListStore(db: Connection) {
  const all = tenantCollection<StoredList>(db, collections.screeningLists);
  const everywhere = acrossTenants<StoredList>(
    db,
    collections.screeningLists,
    "lists are loaded and watched for all owners",
  );
  const entries = listEntryStore(db);
  const parts = listPartStore(db);

  return {
    entries,
    parts,

    /** Those in use, of all owners. */
    findActive: (): Promise<StoredList[]> => everywhere.find({ isActive: true }, { projection }),

    /** The next one that nobody loads, taken until then. */
    async takeDue(now: Date, until: Date): Promise<StoredList | undefined> {
      const found = await everywhere.findOne({ status: "LOADING", dueAt: { $lte: now } }, { sort: { dueAt: 1 } });
      if (found === null) return undefined;
      // By its owner: on shards, a change of one document has to say where it is.
      const { tenantId, listId, attempts } = found;
      const taken = await all
        .forTenant(tenantId)
        .findOneAndUpdate(
          { listId, attempts, status: "LOADING", dueAt: { $lte: now } },
          { $set: { dueAt: until }, $inc: { attempts: 1 } },
          { returnDocument: "after" },
        );
      return taken ?? undefined;
    },

    forOwner(owner: string) {
      const lists = all.forTenant(owner);
      const find = async (filter: object, options: object = {}): Promise<StoredList | undefined> =>
        (await lists.findOne(filter, { projection, ...options })) ?? undefined;

      return {
        find: (listId: string) => find({ listId }),
        findNewest: (source: ListSource) => find({ source }, { sort: { version: -1 } }),
        findActive: (source: ListSource) => find({ source, isActive: true }),

        /** Newest first, by time of loading. */
        list: (
          { limit, after }: Page,
          by: { source?: ListSource; status?: ScreeningListStatus },
        ): Promise<StoredList[]> =>
          lists.find(
            { ...by, ...(after !== undefined && { _id: { $lt: after } as never }) },
            { sort: { _id: -1 }, limit, projection },
          ),

        /** Under the next number of its source; the one that is there already where the id is known. */
        async insert(list: Omit<ScreeningListRecord, "version">, dueAt: Date): Promise<StoredList> {
          for (;;) {
            const known = await find({ listId: list.listId });
            if (known !== undefined) return known;
            const newest = await find({ source: list.source }, { sort: { version: -1 } });
            const version = (newest?.version ?? 0) + 1;
            const _id = `${list.loadedAt.toISOString()} ${list.listId}`;
            try {
              await lists.insertOne({ _id, ...list, version, dueAt, attempts: 0 } as never);
            } catch (error) {
              if (!isDuplicateKey(error)) throw error;
            }
          }
        },

        /** Holds a load on; false where somebody else has taken it up. */
        async renew({ listId, attempts }: StoredList, until: Date): Promise<boolean> {
          const kept = await lists.updateOne({ listId, attempts, status: "LOADING" }, { $set: { dueAt: until } });
          return kept.matchedCount === 1;
        },

        /** Ends a load without putting the list to use. */
        async end({ listId, attempts }: StoredList, found: Partial<ScreeningListRecord>): Promise<void> {
          await lists.updateOne({ listId, attempts, status: "LOADING" }, { $set: found, $unset: { dueAt: true } });
        },

        seen: (listId: string, at: Date) => lists.updateOne({ listId }, { $set: { lastSeenAt: at } }),

        /**
         * Puts a version to use in place of the one that it was compared with; those that wait or were in use give way. False,
         * and nothing is changed, where another version has come into use meanwhile.
         */
        swap(
          { listId, source, version, comparedWith }: ScreeningListRecord,
          found: Partial<ScreeningListRecord>,
        ): Promise<boolean> {
          return inTransaction(
            db,
            async (session) => {
              const inUse = await lists.findOne({ source, isActive: true }, { session });
              if (inUse?.listId === listId) return true;
              if ((inUse?.listId ?? "") !== comparedWith) return false;
              const own = await lists.findOne({ listId }, { session });
              if (own?.status !== "LOADING" && own?.status !== "WAITING") return false;
              const superseded = { $set: { status: "SUPERSEDED" as const }, $unset: { isActive: true as const } };
              await lists.updateMany({ source, isActive: true }, superseded, { session });
              await lists.updateMany({ source, status: "WAITING", version: { $lt: version } }, superseded, { session });
              const active = { ...found, status: "ACTIVE" as const, isActive: true as const };
              await lists.updateOne({ listId }, { $set: active, $unset: { dueAt: true } }, { session });
              return true;
            },
            { readBack: async () => ((await find({ listId, isActive: true })) === undefined ? undefined : true) },
          );
        },

        /** Loads whose entries nobody needs: failed, and older than the version before the one in use. */
        async findOver(source: ListSource): Promise<StoredList[]> {
          const found = await lists.find(
            { source, status: { $in: ["SUPERSEDED", "FAILED"] }, loadId: { $ne: "" } },
            { sort: { version: -1 }, projection },
          );
          const before = found.find(({ status }) => status === "SUPERSEDED");
          return found.filter((list) => list !== before);
        },
        forgetEntries: (listId: string) => lists.updateOne({ listId }, { $set: { loadId: "" } }),
      };
    },
  };
}
