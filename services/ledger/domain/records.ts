import { accountContent, recordHash, refusalContent } from "./canonical.js";
import { dayText, type Day } from "./days.js";
import type { JournalRefusal } from "./journal.js";
import type { AccountInfo, Head } from "./model.js";

/**
 * What the chain of records holds beside transfers: an account as it was made, at the first
 * transfer that touches it or where it is closed before; that it was closed; a refusal that is
 * kept; through when days are closed from then on.
 */
export type RecordKind = "ACCOUNT" | "ACCOUNT_CLOSED" | "REFUSAL" | "PERIOD";

export interface RecordItem {
  readonly kind: RecordKind;
  /** Id of the account, key of the refusal, or day. */
  readonly subject: string;
  /** Hash of what is stored of it; of a period the hash of the journal's last transfer. */
  readonly content: Uint8Array;
}

/** A link of the chain of records: all that one commit had to record. */
export interface JournalRecord {
  /** From 1, without gaps. */
  readonly number: bigint;
  readonly timeMs: number;
  /** The journal's last transfer when it was made. */
  readonly afterSeq: bigint;
  readonly items: readonly RecordItem[];
  readonly hash: Uint8Array;
}

/** The record that follows a head. */
export function nextRecord(
  { records, recordsHash, seq }: Pick<Head, "records" | "recordsHash" | "seq">,
  items: readonly RecordItem[],
  timeMs: number,
): JournalRecord {
  const record = { number: records + 1n, timeMs, afterSeq: seq, items };
  return { ...record, hash: recordHash(record, recordsHash) };
}

export function accountMade(info: AccountInfo): RecordItem {
  return { kind: "ACCOUNT", subject: info.accountId, content: accountContent(info) };
}

export function accountClosed(info: AccountInfo): RecordItem {
  return { kind: "ACCOUNT_CLOSED", subject: info.accountId, content: accountContent(info) };
}

export function refusalKept(refusal: JournalRefusal): RecordItem {
  return { kind: "REFUSAL", subject: refusal.key, content: refusalContent(refusal) };
}

/** Closed or opened again: from now on days are closed through this one. */
export function periodMoved(closedThrough: Day, { hash }: Pick<Head, "hash">): RecordItem {
  return { kind: "PERIOD", subject: dayText(closedThrough), content: hash };
}
