import type { ListSource } from "./list-entry.js";

export type ScreeningListStatus = "LOADING" | "WAITING" | "ACTIVE" | "SUPERSEDED" | "FAILED";

/** A version of a list, of one owner: the operator's for live tenants or for sandboxes, or a tenant's own. */
export interface ScreeningListRecord {
  listId: string;
  source: ListSource;
  /** 1, 2, 3… per owner and source. */
  version: number;
  status: ScreeningListStatus;
  /** As the file says, or who loads it; the time of loading where neither does. */
  publishedAt: Date;
  /** Of the file; of several, of their digests. */
  sha256: string;
  files: readonly { part: string; uploadId: string; sha256: string }[];
  entries: number;
  names: number;
  added: number;
  changed: number;
  removed: number;
  /** Why it failed or waits. */
  reason: string;
  line: number;
  loadedAt: Date;
  /** User id, "connector" or "operator". */
  loadedBy: string;
  approvedBy: string;
  /** When the source was last seen to publish this content. */
  lastSeenAt: Date;
  /** Which rows are its entries. */
  loadId: string;
  /** The version that it was compared with; empty for none. */
  comparedWith: string;
}

/** What a load has counted. */
export interface ListCounts {
  entries: number;
  names: number;
  added: number;
  changed: number;
  removed: number;
}

/** What of the version in use a new one is judged by. */
export type ListInUse = Pick<ScreeningListRecord, "entries" | "names" | "publishedAt" | "version">;

// Published lists lose one in a hundred entries a year, and now and then a whole regime.
const waitsAbovePercent = 10;
const failsAbovePercent = 60;

/**
 * Whether a list that was read whole may replace the one in use: at once, after a second person has looked, or not at all. A list
 * may grow and change as much as it likes, since that stops nobody from being found.
 */
export function judgeList(
  counts: ListCounts,
  publishedAt: Date | undefined,
  inUse: ListInUse | undefined,
): { verdict: "ACTIVE" } | { verdict: "WAITING" | "FAILED"; reason: string } {
  if (counts.entries === 0) return { verdict: "FAILED", reason: "the list is empty" };
  if (inUse === undefined || inUse.entries === 0) return { verdict: "ACTIVE" };
  const removes = percent(counts.removed, inUse.entries);
  const loses = percent(inUse.names - counts.names, inUse.names);
  const sentence = `removes ${counts.removed} of ${inUse.entries} entries (${removes} %)`;
  if (removes > failsAbovePercent) return { verdict: "FAILED", reason: sentence };
  if (removes > waitsAbovePercent) return { verdict: "WAITING", reason: sentence };
  if (loses > waitsAbovePercent) {
    return { verdict: "WAITING", reason: `has ${counts.names} names, and the list in use ${inUse.names}` };
  }
  if (publishedAt !== undefined && publishedAt < inUse.publishedAt) {
    const days = [publishedAt, inUse.publishedAt].map((date) => date.toISOString().slice(0, 10));
    return { verdict: "WAITING", reason: `was published on ${days[0]}, and the list in use on ${days[1]}` };
  }
  return { verdict: "ACTIVE" };
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part * 1_000) / whole) / 10;
}
