import { createHash } from "node:crypto";
import type { ListSource } from "../domain/list-entry.js";
import type { ListPlugin } from "../domain/screening-list.js";
import type { ScreeningListStore, StoredList } from "../store/screening-lists.js";

export interface RequestedLoad {
  owner: string;
  source: ListSource;
  files: readonly { part: string; uploadId: string; sha256: string }[];
  publishedAt?: Date;
  loadedBy: string;
  /** The plugin that fetched it. */
  plugin?: ListPlugin;
  now: Date;
  /**
   * What repeating it names, such as the uploads; the content after
   * the version before where absent.
   */
  requestedAs?: string;
  /**
   * The newest version when the content was looked for: whoever has read it as long,
   * and comes later, makes no version of its own, also where the first one's has
   * failed. The newest one now where absent.
   */
  after?: number;
}

/** Of a version that nothing was read of. */
const unread = {
  entries: 0,
  names: 0,
  added: 0,
  changed: 0,
  removed: 0,
  losingNames: 0,
  losingDetails: 0,
  reason: "",
  line: 0,
  loadId: "",
  comparedWith: "",
};

/** Of a list: its file's digest, or where it is several files that of their names and digests. */
export function digestOf(files: readonly { part: string; sha256: string }[]): string {
  const [only] = files;
  if (files.length === 1 && only !== undefined) return only.sha256;
  const lines = files.map(({ part, sha256 }) => `${part}:${sha256}`).sort();
  return createHash("sha256").update(lines.join("\n")).digest("hex");
}

/** What a source publishes now. */
export interface SeenContent {
  owner: string;
  source: ListSource;
  sha256: string;
  now: Date;
}

/**
 * The version of this content that is in use, waits or loads; it is noted that the source publishes
 * it still. Undefined where there is none.
 */
export async function seeAgain(
  store: ScreeningListStore,
  { owner, source, sha256, now }: SeenContent,
): Promise<StoredList | undefined> {
  const ofOwner = store.forOwner(owner);
  const same = await ofOwner.findOpen(source, sha256);
  if (same === undefined) return undefined;
  await ofOwner.seen(same.listId, now);
  return { ...same, lastSeenAt: now };
}

/** The version that these uploads were loaded as, if they were. */
export function findRequestedLoad(
  store: ScreeningListStore,
  requested: { owner: string; source: ListSource; requestedAs: string },
) {
  return store.forOwner(requested.owner).find(listIdOf(requested.owner, requested.source, requested.requestedAs));
}

/**
 * Makes the version that uploaded files are read into; the load itself is the loader's. The same
 * content as that of the version in use, or of one that loads or waits, makes none, and those who
 * ask together make one. `onMake` comes before it is made: what it writes may be there without the
 * version, never the other way round.
 */
export async function requestLoad(
  store: ScreeningListStore,
  requested: RequestedLoad,
  onMake?: (list: Partial<StoredList>) => Promise<unknown>,
): Promise<StoredList> {
  const { owner, source, files, loadedBy, now, requestedAs } = requested;
  const ofOwner = store.forOwner(owner);
  const sha256 = digestOf(files);
  const before = requestedAs === undefined ? undefined : await findRequestedLoad(store, { owner, source, requestedAs });
  if (before !== undefined) return before;
  // Read once: whoever inserts the same content after this gives it the same id.
  const after = requested.after ?? (await ofOwner.findNewest(source))?.version ?? 0;
  const same = await seeAgain(store, { owner, source, sha256, now });
  if (same !== undefined) return same;
  const list = {
    listId: listIdOf(owner, source, requestedAs ?? `${sha256} after ${after}`),
    source,
    status: "LOADING" as const,
    publishedAt: requested.publishedAt ?? now,
    sha256,
    files,
    ...unread,
    loadedAt: now,
    loadedBy,
    ...(requested.plugin !== undefined && { plugin: requested.plugin }),
    approvedBy: "",
    lastSeenAt: now,
  };
  await onMake?.(list);
  return ofOwner.insert(list, now);
}

/** The same for everybody who asks for the same: of those who insert it together one is first. */
function listIdOf(owner: string, source: ListSource, requestedAs: string): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([owner, source, requestedAs]))
    .digest("hex");
  return `list-${digest.slice(0, 32)}`;
}
