import { createHash } from "node:crypto";
import { v7 as uuid } from "uuid";
import type { ListSource } from "../../domain/screening/list-entry.js";
import type { ScreeningListStore, StoredList } from "../../store/screening-lists.js";

export interface AskedLoad {
  owner: string;
  source: ListSource;
  files: readonly { part: string; uploadId: string; sha256: string }[];
  publishedAt?: Date;
  loadedBy: string;
  now: Date;
}

/** Of a list: its file's digest, or where it is several files that of their names and digests. */
export function digestOf(files: readonly { part: string; sha256: string }[]): string {
  const [only] = files;
  if (files.length === 1 && only !== undefined) return only.sha256;
  const lines = files.map(({ part, sha256 }) => `${part}:${sha256}`).sort();
  return createHash("sha256").update(lines.join("\n")).digest("hex");
}

/**
 * Makes the version that uploaded files are read into; the load itself is the loader's. The same content as that of the version in
 * use, or of one that loads or waits, makes none: the source is noted to publish it still.
 */
export async function askForLoad(store: ScreeningListStore, asked: AskedLoad): Promise<StoredList> {
  const { owner, source, files, loadedBy, now } = asked;
  const ofOwner = store.forOwner(owner);
  const sha256 = digestOf(files);
  const known = [await ofOwner.findActive(source), await ofOwner.findNewest(source)];
  const same = known.find(
    (list) => list?.sha256 === sha256 && list.status !== "FAILED" && list.status !== "SUPERSEDED",
  );
  if (same !== undefined) {
    await ofOwner.seen(same.listId, now);
    return { ...same, lastSeenAt: now };
  }
  const list = {
    listId: uuid(),
    source,
    status: "LOADING" as const,
    publishedAt: asked.publishedAt ?? now,
    sha256,
    files,
    ...{ entries: 0, names: 0, added: 0, changed: 0, removed: 0, reason: "", line: 0 },
    loadedAt: now,
    loadedBy,
    approvedBy: "",
    lastSeenAt: now,
    ...{ loadId: "", comparedWith: "" },
  };
  return ofOwner.insert(list, now);
}
