import { Refusal } from "../../../kernel/refusal.js";
import type { ListSource } from "./list-entry.js";

export const screeningListStatuses = ["LOADING", "WAITING", "ACTIVE", "SUPERSEDED", "FAILED"] as const;
export type ScreeningListStatus = (typeof screeningListStatuses)[number];

/**
 * A version of a list, of one owner: the operator's for live tenants or
 * for sandboxes, or a tenant's own.
 */
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
  losingNames: number;
  losingDetails: number;
  /** Why it failed or waits. */
  reason: string;
  line: number;
  loadedAt: Date;
  /**
   * User id, "connector" or "operator:NAME"; of what a plugin fetches, who has set the plugin up.
   */
  loadedBy: string;
  plugin?: ListPlugin;
  /** User id or "operator:NAME"; empty where nobody had to. */
  approvedBy: string;
  /** When the source was last seen to publish this content. */
  lastSeenAt: Date;
  /** Which rows are its entries. */
  loadId: string;
  /** The version that it was compared with; empty for none. */
  comparedWith: string;
}

/** A plugin that fetched a version. */
export interface ListPlugin {
  installationId: string;
  /** From the publisher's own address: nobody of the organisation can have changed what it says. */
  isPublishers: boolean;
}

/** What a load has counted. */
export interface ListCounts {
  entries: number;
  names: number;
  added: number;
  changed: number;
  removed: number;
  /** Entries that stay and lose a name. */
  losingNames: number;
  /** Entries that stay and lose every date of birth or every document. */
  losingDetails: number;
}

/** A list that was read whole. */
export interface FoundList {
  counts: ListCounts;
  publishedAt: Date | undefined;
  /** The first of the entries that stay and lose something, by id: for whoever has to look. */
  examples: Readonly<Record<"losingNames" | "losingDetails", readonly string[]>>;
  /** Rows that nothing was read of: for whoever has to look. */
  setAside: readonly { part: string; line: number; text: string }[];
}

/** What of the version in use a new one is judged by. */
export type ListInUse = Pick<ScreeningListRecord, "entries" | "publishedAt">;

/**
 * Who loads a version: the connector or a publisher itself, or a person of the
 * operator or of an organisation.
 */
export type ListLoader = "CONNECTOR" | "OPERATOR" | "ORGANISATION";

// Published lists lose 1 to 5 in a hundred entries a year, and names of at most 3 in a hundred
// (real-lists.test.ts): a load that loses months of that is looked at, a regime that ends as well
// as a file that is not what it seems.
const waitsAbovePercent = { removed: 2, losingNames: 1, losingDetails: 1 };
const failsAbovePercent = 60;
const nothing = { removed: 0, losingNames: 0, losingDetails: 0 };
const lossKinds = ["removed", "losingNames", "losingDetails"] as const;

/**
 * Whether a list that was read whole may replace the one in use: at once, after a second person
 * has looked, or not at all. Adding entries, names and details stops nobody from being found and
 * needs nobody's word; whatever people are found by and is gone does, above a small part of the
 * list. What a person of an organisation loads may do nothing but add entries without a second
 * one: a date of birth that is added, or another country, is enough for somebody to be told apart
 * from an entry. `replacesOperators`: from then on the operator's list no longer counts, whoever
 * is on it, so nobody does that alone. What people load waits where the connector's would fail:
 * they may mean to replace a wrong list.
 */
export function judgeList(
  { counts, publishedAt, examples, setAside }: FoundList,
  inUse: ListInUse | undefined,
  { loader, replacesOperators }: { loader: ListLoader; replacesOperators: boolean },
): { verdict: "ACTIVE" } | { verdict: "WAITING" | "FAILED"; reason: string } {
  if (counts.entries === 0) return { verdict: "FAILED", reason: "the list is empty" };
  const unread = setAside.length === 0 ? [] : [unreadText(setAside)];
  const verdictOf = (reasons: readonly string[]) =>
    reasons.length === 0
      ? ({ verdict: "ACTIVE" } as const)
      : ({ verdict: "WAITING", reason: reasons.join("; ") } as const);
  if (replacesOperators) return verdictOf(["takes the place of the operator's list for this organisation", ...unread]);
  if (inUse === undefined || inUse.entries === 0) return verdictOf(unread);
  const whole = inUse.entries;
  const isAbove = (part: number, percent: number) => part * 100 > percent * whole;
  const figures = (part: number) => `${part} of ${whole} entries (${percentText(part, whole)} %)`;
  const sentences = {
    removed: `removes ${figures(counts.removed)}`,
    losingNames: `takes names from ${figures(counts.losingNames)}, such as ${examples.losingNames.join(", ")}`,
    losingDetails: `takes every date of birth or document from ${figures(counts.losingDetails)}, such as ${examples.losingDetails.join(", ")}`,
  };
  const isShorter = counts.entries < whole;
  if (loader === "CONNECTOR" && isShorter && isAbove(counts.removed, failsAbovePercent))
    return { verdict: "FAILED", reason: sentences.removed };
  const limits = loader === "ORGANISATION" ? nothing : waitsAbovePercent;
  const reasons = lossKinds.filter((kind) => isAbove(counts[kind], limits[kind])).map((kind) => sentences[kind]);
  if (loader === "ORGANISATION" && counts.changed > 0) reasons.unshift(`changes ${figures(counts.changed)}`);
  if (publishedAt !== undefined && publishedAt < inUse.publishedAt) {
    const days = [publishedAt, inUse.publishedAt].map((date) => date.toISOString().slice(0, 10));
    reasons.push(`was published on ${days[0]}, and the list in use on ${days[1]}`);
  }
  return verdictOf([...reasons, ...unread]);
}

const mostShown = 3;

function unreadText(rows: FoundList["setAside"]): string {
  const [first] = rows;
  const lines = rows.map(({ line }) => line).join(", ");
  const texts = rows.slice(0, mostShown).map(({ text }) => text.replace(/\s+/g, " "));
  return `nothing was read of ${first!.part} line ${lines}, whose quotes are broken: ${texts.join(" | ")}`;
}

/** Refuses FORBIDDEN whoever loaded it, STATE_CONFLICT where it does not wait. */
export function assertMayApprove({ status, loadedBy }: ScreeningListRecord, approver: string): void {
  if (loadedBy === approver) throw new Refusal("FORBIDDEN", "whoever loaded a list does not approve it");
  if (status !== "WAITING") throw new Refusal("STATE_CONFLICT", `the list is ${status}, and does not wait`);
}

/** To a tenth; what is something is never written as nothing. */
function percentText(part: number, whole: number): string {
  const percent = Math.round((part * 1_000) / whole) / 10;
  return percent === 0 && part > 0 ? "under 0.1" : String(percent);
}
