import { randomUUID } from "node:crypto";
import type { ScreeningListStore, StoredList } from "../store/screening-lists.js";
import { requestLoad, digestOf, type RequestedLoad, type SeenContent } from "./request-load.js";
import type { ListPart } from "./list-file.js";
import { wasCutOff } from "./load-list.js";
import { keepFile } from "./uploads.js";

/** A file as it comes; its digest where whoever offers it has said one. */
export interface FetchedPart {
  part: ListPart;
  stream: AsyncIterable<Uint8Array>;
  sha256?: string;
}

export interface FetchedLoad extends Omit<RequestedLoad, "files" | "publishedAt"> {
  fetched: AsyncIterable<FetchedPart> | Iterable<FetchedPart>;
  /** Asked once the files are there. */
  publishedAt?: () => Date | undefined;
}

// A file that was found faulty is the same for every try; tomorrow it may be
// read by a newer version of us.
const retryFailedAfterMs = 24 * 3_600_000;

/**
 * Keeps fetched files and asks for their load; no version where this content was found faulty
 * lately. What none is made of goes again.
 */
export async function loadFetched(
  store: ScreeningListStore,
  { fetched, publishedAt, ...requested }: FetchedLoad,
  onMake?: (list: Partial<StoredList>) => Promise<unknown>,
): Promise<{ sha256: string; list?: StoredList }> {
  const { owner, source, now } = requested;
  const files: { part: ListPart; uploadId: string; sha256: string }[] = [];
  const parts = store.parts.forOwner(owner);
  let loaded: StoredList["files"] = [];
  try {
    for await (const { part, stream, sha256: stated } of fetched) {
      const file = { part, uploadId: `connector-${randomUUID()}`, sha256: stated ?? "" };
      files.push(file);
      const sha256 = await keepFile(store, { owner, uploadId: file.uploadId, now }, stream);
      file.sha256 = stated ?? sha256;
    }
    const sha256 = digestOf(files);
    if (await hasFailedLately(store, { owner, source, sha256, now })) return { sha256 };
    const at = publishedAt?.();
    const list = await requestLoad(
      store,
      { ...requested, files, ...(at !== undefined && { publishedAt: at }) },
      onMake,
    );
    loaded = list.files;
    return { sha256, list };
  } finally {
    // Of replicas that fetched it together one's files are loaded.
    const own = files.filter(({ uploadId }) => loaded.every((one) => one.uploadId !== uploadId));
    for (const { uploadId } of own) await parts.remove(uploadId);
  }
}

/**
 * Whether this content was found faulty a short while ago, and would be
 * again: against what is still in use.
 */
export async function hasFailedLately(
  store: ScreeningListStore,
  { owner, source, sha256, now }: SeenContent,
): Promise<boolean> {
  const last = await store.forOwner(owner).findLast(source, sha256);
  if (last?.status !== "FAILED" || wasCutOff(last)) return false;
  const inUse = await store.forOwner(owner).findActive(source);
  return (inUse?.version ?? 0) < last.version && now.getTime() - last.loadedAt.getTime() < retryFailedAfterMs;
}
