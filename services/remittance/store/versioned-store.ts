import { isDeepStrictEqual } from "node:util";
import type { ClientSession, Connection } from "mongoose";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import type { Filter, FindOptions } from "../../kernel/mongo/tenant-collection.js";
import { versionCollections } from "./collections.js";
import type { RemittanceStore } from "./index.js";

/** Who changed something, and when. */
export interface ChangeStamp {
  changedAt: Date;
  changedBy: string;
  /** Who approved it, of a change that took two persons. */
  approvedBy?: string;
}

/** One thing's next version. */
export interface VersionChange<T> {
  /** The part of it that never changes. */
  key: Partial<T>;
  version: T & ChangeStamp;
  /** Fields that the version before has and this one has not. */
  gone: readonly string[];
}

/**
 * Things of which one version holds and every version is kept, found by their key fields: what the
 * key fields equal in one version they equal in all of them.
 */
export function versionedStore<T extends { version: number }>(
  db: Connection,
  name: string,
  /** Runs in every transaction that changes something. */
  onChange?: (tenantId: string, session: ClientSession) => Promise<void>,
) {
  const names = versionCollections(name);
  const current = recordCollection<T>(db, names.current);
  const versions = recordCollection<T & ChangeStamp>(db, names.versions);
  return {
    forTenant: (tenantId: string) => ({
      find: (key: Partial<T>, session?: ClientSession): Promise<T | undefined> =>
        current.forTenant(tenantId).findOne(key as Filter<T>, { session }),

      list: (filter: object, options: Omit<FindOptions, "projection"> = {}): Promise<T[]> =>
        current.forTenant(tenantId).find(filter as Filter<T>, options),

      /** Replaces what holds and adds to the history, in one round trip each for any number. */
      async putMany(changes: readonly VersionChange<T>[], session: ClientSession): Promise<void> {
        await current.forTenant(tenantId).bulkWrite(
          changes.map(({ key, version, gone }) => {
            const { changedAt: _at, changedBy: _by, approvedBy: _also, ...whole } = version;
            const content = Object.fromEntries(Object.entries(whole).filter(([field]) => !(field in key)));
            const unset = Object.fromEntries(gone.map((field) => [field, ""]));
            const update = { $set: content, ...(gone.length > 0 && { $unset: unset }) };
            return { updateOne: { filter: key, update, upsert: true } } as never;
          }),
          { session },
        );
        await versions.forTenant(tenantId).insertMany(changes.map(({ version }) => version) as never, { session });
        await onChange?.(tenantId, session);
      },

      /** Versions, the newest first. */
      history: (key: object, { below, limit }: { below?: number; limit: number }): Promise<(T & ChangeStamp)[]> =>
        versions
          .forTenant(tenantId)
          .find({ ...key, ...(below !== undefined && { version: { $lt: below } }) } as never, {
            sort: { version: -1 },
            limit,
          }) as Promise<(T & ChangeStamp)[]>,
    }),
  };
}

export type VersionedStore<T extends { version: number }> = ReturnType<
  ReturnType<typeof versionedStore<T>>["forTenant"]
>;

interface Put<T extends { version: number }> {
  key: Partial<T>;
  content: Omit<T, "version">;
}

/**
 * Puts content in the place of the version that holds; what is put again unchanged makes no
 * version, so that a file may be loaded twice.
 */
export async function putVersion<T extends { version: number }>(
  store: Pick<RemittanceStore, "transaction">,
  things: VersionedStore<T>,
  { key, content, stamp }: Put<T> & { stamp: ChangeStamp },
): Promise<T> {
  const same = (held: T | undefined): T | undefined => (isSame(held, content) ? held : undefined);
  return store.transaction(
    async (session) => {
      const held = await things.find(key, session);
      const unchanged = same(held);
      if (unchanged !== undefined) return unchanged;
      const change = nextVersion({ key, content }, held, stamp);
      await things.putMany([change], session);
      const { changedAt: _at, changedBy: _by, ...next } = change.version;
      return next as unknown as T;
    },
    async () => same(await things.find(key)),
  );
}

/** Whether what holds says the same. */
export function isSame<T extends { version: number }>(held: T | undefined, content: Omit<T, "version">): boolean {
  if (held === undefined) return false;
  const { version: _version, ...rest } = held;
  return isDeepStrictEqual(rest, content);
}

export function nextVersion<T extends { version: number }>(
  { key, content }: Put<T>,
  held: T | undefined,
  stamp: ChangeStamp,
): VersionChange<T> {
  const next = { ...content, version: (held?.version ?? 0) + 1 } as T;
  const gone = Object.keys(held ?? {}).filter((field) => !(field in next));
  return { key, version: { ...next, ...stamp }, gone };
}
