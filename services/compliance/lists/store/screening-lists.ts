import type { Connection } from "mongoose";
import { acrossTenants, tenantCollection } from "../../../kernel/mongo/tenant-collection.js";
import { inTransaction, unlessThere } from "../../../kernel/mongo/transaction.js";
import type { ListSource } from "../domain/list-entry.js";
import type { ScreeningListRecord, ScreeningListStatus } from "../domain/screening-list.js";
import { collections, type Owned, type Page, type Session } from "../../common/store/collections.js";
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
    /** How many others have come into use since it is LOADING. */
    passedBy?: number;
  }
>;

/** Its place among versions by time of loading. */
export function placeOfList({ loadedAt, listId }: Pick<StoredList, "loadedAt" | "listId">): string {
  return `${loadedAt.toISOString()}.${listId}`;
}

export type ScreeningListStore = ReturnType<typeof createScreeningListStore>;

const projection = { _id: 0, isActive: 0, dueAt: 0, passedBy: 0 };
const openStatuses: ScreeningListStatus[] = ["LOADING", "WAITING", "ACTIVE"];

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
        /** The newest version of a content. */
        findLast: (source: ListSource, sha256: string) => find({ source, sha256 }, { sort: { version: -1 } }),
        /** The version of a content that is in use, or else is read or waits. */
        findOpen: (source: ListSource, sha256: string) =>
          find({ source, sha256, status: { $in: openStatuses } }, { sort: { isActive: -1, version: -1 } }),

        /** Newest first, by time of loading. */
        list: (
          { limit, after }: Page,
          by: { source?: ListSource; status?: ScreeningListStatus },
        ): Promise<StoredList[]> =>
          lists.find(
            { ...by, ...(after !== undefined && { _id: { $lt: after } as never }) },
            { sort: { _id: -1 }, limit, projection },
          ),

        /**
         * Under the next number of its source; the one that is there already where the id is known.
         */
        async insert(list: Omit<ScreeningListRecord, "version">, dueAt: Date): Promise<StoredList> {
          for (;;) {
            const known = await find({ listId: list.listId });
            if (known !== undefined) return known;
            const newest = await find({ source: list.source }, { sort: { version: -1 } });
            const version = (newest?.version ?? 0) + 1;
            const _id = placeOfList(list);
            await unlessThere(lists.insertOne({ _id, ...list, version, dueAt, attempts: 0 } as never));
          }
        },

        /** Holds a load on; false where somebody else has taken it up. */
        async renew({ listId, attempts }: StoredList, until: Date): Promise<boolean> {
          const prolonged = await lists.updateOne({ listId, attempts, status: "LOADING" }, { $set: { dueAt: until } });
          return prolonged.matchedCount === 1;
        },

        /** Ends a load without putting the list to use. */
        async end({ listId, attempts }: StoredList, found: Partial<ScreeningListRecord>): Promise<void> {
          await lists.updateOne({ listId, attempts, status: "LOADING" }, { $set: found, $unset: { dueAt: true } });
        },

        /** Lets another replica begin anew at once; the try does not count. */
        async giveBack({ listId, attempts }: StoredList, now: Date): Promise<void> {
          const given = { $set: { dueAt: now }, $inc: { attempts: -1 } };
          await lists.updateOne({ listId, attempts, status: "LOADING" }, given);
        },

        seen: (listId: string, at: Date) => lists.updateOne({ listId }, { $set: { lastSeenAt: at } }),

        /**
         * Lets a version wait for a second person. False where another has come into
         * use than it was compared with.
         */
        wait(
          { listId, source, attempts }: StoredList,
          found: Partial<ScreeningListRecord> & { comparedWith: string },
        ): Promise<boolean> {
          const own = { listId, attempts, status: "LOADING" as const };
          return inTransaction(
            db,
            async (session) => {
              const inUse = await lists.findOne({ source, isActive: true }, { session });
              if ((inUse?.listId ?? "") !== found.comparedWith) return false;
              const change = { $set: { ...found, status: "WAITING" as const }, $unset: { dueAt: true as const } };
              return (await lists.updateOne(own, change, { session })).matchedCount === 1;
            },
            {
              readBack: async () =>
                (await find({ listId, attempts, status: "WAITING" })) === undefined ? undefined : true,
            },
          );
        },

        /**
         * Puts a version to use in place of the one that it was compared with, which gives way, and
         * so do all that wait: they were compared with it, too. False, and nothing is changed,
         * where another version has come into use meanwhile. `onSwap` is of the same commit.
         */
        swap(
          { listId, source, comparedWith }: ScreeningListRecord,
          found: Partial<ScreeningListRecord>,
          onSwap?: (list: StoredList, session: Session) => Promise<void>,
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
              const others = { source, listId: { $ne: listId } };
              await lists.updateMany({ ...others, status: "WAITING" }, superseded, { session });
              // A write on what is read meanwhile: one that is about to wait beside the
              // version before conflicts with it.
              await lists.updateMany({ ...others, status: "LOADING" }, { $inc: { passedBy: 1 } }, { session });
              const active = { ...found, status: "ACTIVE" as const, isActive: true as const };
              const after = { session, projection, returnDocument: "after" } as const;
              const swapped = await lists.findOneAndUpdate(
                { listId },
                { $set: active, $unset: { dueAt: true } },
                after,
              );
              await onSwap?.(swapped!, session);
              return true;
            },
            { readBack: async () => ((await find({ listId, isActive: true })) === undefined ? undefined : true) },
          );
        },

        /**
         * Loads whose entries nobody needs: all that are over save the one that
         * the version in use has replaced.
         */
        async findOver(source: ListSource): Promise<StoredList[]> {
          const before = (await find({ source, isActive: true }))?.comparedWith ?? "";
          return lists.find(
            { source, status: { $in: ["SUPERSEDED", "FAILED"] }, loadId: { $ne: "" }, listId: { $ne: before } },
            { projection },
          );
        },
        forgetEntries: (listId: string) => lists.updateOne({ listId }, { $set: { loadId: "" } }),
      };
    },
  };
}
