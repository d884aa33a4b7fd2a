import { isDeepStrictEqual } from "node:util";
import type { RemittanceStore } from "./store.js";
import type { ChangeStamp, VersionedStore } from "./versioned-store.js";

/**
 * Puts content in the place of the version that holds; what is put again unchanged makes no version, so that a file may be loaded
 * twice. `check` sees the version before, or undefined.
 */
export async function putVersion<T extends { version: number }>(
  store: Pick<RemittanceStore, "transaction">,
  things: VersionedStore<T>,
  { key, content, stamp }: { key: Partial<T>; content: Omit<T, "version">; stamp: ChangeStamp },
): Promise<T> {
  const same = (held: T | undefined): T | undefined => {
    if (held === undefined) return undefined;
    const { version: _version, ...rest } = held;
    return isDeepStrictEqual(rest, content) ? held : undefined;
  };
  return store.transaction(
    async (session) => {
      const held = await things.find(key, session);
      const unchanged = same(held);
      if (unchanged !== undefined) return unchanged;
      const next = { ...content, version: (held?.version ?? 0) + 1 } as T;
      const gone = Object.keys(held ?? {}).filter((field) => !(field in next));
      await things.put(key, { ...next, ...stamp }, gone, session);
      return next;
    },
    async () => same(await things.find(key)),
  );
}
