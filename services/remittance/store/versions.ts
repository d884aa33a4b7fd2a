import { isDeepStrictEqual } from "node:util";
import type { RemittanceStore } from "./index.js";
import type { ChangeStamp, VersionChange, VersionedStore } from "./versioned-store.js";

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
