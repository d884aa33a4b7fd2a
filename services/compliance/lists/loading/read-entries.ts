import { crashPoint } from "../../../kernel/process/crash-point.js";
import { lossesOf } from "../domain/list-losses.js";
import type { FoundList } from "../domain/screening-list.js";
import type { EntryRow } from "../store/screening-list-entries.js";
import type { ScreeningListStore, StoredList } from "../store/screening-lists.js";
import { fingerprintOf } from "./fingerprint.js";
import type { ParsedList } from "./list-file.js";

export interface EntriesToRead extends ParsedList {
  store: ScreeningListStore;
  owner: string;
  /** Which rows the entries become. */
  loadId: string;
  /** The version that they are compared with. */
  inUse: StoredList | undefined;
  /** Called between writes: renews the lease, throws where the load is over. */
  hold(): Promise<void>;
}

const rowsAtOnce = 500;
const mostExamples = 3;

/**
 * Writes a list's entries with what each has changed; what they add, change, remove and
 * lose against the version in use.
 */
export async function readEntries(reading: EntriesToRead): Promise<FoundList> {
  const { store, owner, loadId, inUse, entries, publishedAt, setAside, hold } = reading;
  const rows = store.entries.forOwner(owner);
  const before = inUse?.loadId ?? "";
  const known = await rows.fingerprints(before);
  const counts = { entries: 0, names: 0, added: 0, changed: 0, removed: 0, losingNames: 0, losingDetails: 0 };
  const examples = { losingNames: [] as string[], losingDetails: [] as string[] };
  const note = (kind: keyof typeof examples, entryId: string) => {
    counts[kind] += 1;
    if (examples[kind].length < mostExamples) examples[kind].push(entryId);
  };
  let batch: EntryRow[] = [];
  const write = async () => {
    for (const [old, entry] of await changedOf(batch)) {
      const { losesName, losesDetails } = lossesOf(old, entry);
      if (losesName) note("losingNames", entry.entryId);
      if (losesDetails) note("losingDetails", entry.entryId);
    }
    if (batch.length > 0) await rows.insert(batch);
    batch = [];
    crashPoint("compliance.list.entries");
    await hold();
  };
  /** Those that have changed, each with what it was. */
  async function changedOf(read: readonly EntryRow[]) {
    const changed = new Map(
      read.filter(({ change }) => change === "CHANGED").map(({ entryId, entry }) => [entryId, entry]),
    );
    if (changed.size === 0) return [];
    const old = await rows.find(before, [...changed.keys()]);
    return old.map(({ entryId, entry }) => [entry, changed.get(entryId)!] as const);
  }
  for await (const entry of entries) {
    const fingerprint = fingerprintOf(entry);
    const old = known.get(entry.entryId);
    known.delete(entry.entryId);
    const change = old === undefined ? "ADDED" : old === fingerprint ? undefined : "CHANGED";
    counts.entries += 1;
    counts.names += entry.names.length;
    if (change !== undefined) counts[change === "ADDED" ? "added" : "changed"] += 1;
    batch.push({ loadId, entryId: entry.entryId, fingerprint, entry, ...(change !== undefined && { change }) });
    if (batch.length === rowsAtOnce) await write();
  }
  await write();
  counts.removed = known.size;
  const removed = [...known.keys()];
  for (let at = 0; at < removed.length; at += rowsAtOnce) {
    const gone = await rows.find(before, removed.slice(at, at + rowsAtOnce));
    batch.push(...gone.map((row) => ({ ...row, loadId, change: "REMOVED" as const })));
    await write();
  }
  return { counts, publishedAt: publishedAt(), examples, setAside: setAside?.() ?? [] };
}
