import { genesisHash, recordsGenesisHash } from "./canonical.js";
import type { Day } from "./days.js";
import type { Account, DaySums, Head, Link, Pending, RefusedGroup, Transfer, Volume } from "./model.js";

/**
 * What is kept under a key: the fingerprint of the linked group it came in, and what was decided.
 */
export interface StoredDecision {
  readonly key: string;
  readonly fingerprint: Uint8Array;
  readonly link: Link;
  readonly groupId: string;
  readonly decidedAt: Date;
  readonly transfer?: Transfer;
  readonly refusal?: RefusedGroup;
}

/** A transfer as its chain hashes it, and the fingerprint that its key is recognised by. */
export interface JournalEntry {
  readonly transfer: Transfer;
  readonly fingerprint: Uint8Array;
}

/** A key that was decided against, as it is kept. */
export interface JournalRefusal extends Omit<StoredDecision, "transfer" | "groupId"> {
  readonly refusal: RefusedGroup;
  readonly interactionId: string;
  readonly createdBy: string;
  readonly service: string;
  /** Number of the record that holds it; absent until an import has it. */
  readonly record?: bigint;
}

/** Where a journal and its records end: 0 and the genesis hashes where there is nothing. */
export type JournalEnd = Pick<Head, "seq" | "hash" | "records" | "recordsHash" | "closedThrough">;

/** The head of a journal that was never written to. */
export function emptyHead(tenantId: string): Head {
  const chains = { hash: genesisHash(tenantId), records: 0n, recordsHash: recordsGenesisHash(tenantId) };
  return { epoch: 0n, group: 0n, seq: 0n, timeMs: 0, ...chains };
}

/** A head that was written outside the database when it was committed. */
export interface PublishedHead extends Omit<JournalEnd, "closedThrough"> {
  readonly tenantId: string;
}

/** An account with all its days, the open one among them, as of one moment. */
export interface AccountDays {
  readonly account: Account;
  readonly days: readonly DaySums[];
}

/**
 * Stored volumes of the days after the page before's and up to `until`, all as of one moment; no
 * `until`: of all later days.
 */
export interface VolumePage {
  readonly volumes: readonly Volume[];
  readonly until?: Day | undefined;
  /** Transfers up to here are in them. */
  readonly sumsSeq: bigint;
}

/**
 * A pending transfer as it is kept; the sequence of what it says resolved it, where that is there.
 */
export interface StoredPending {
  readonly pending: Pending;
  readonly resolvedSeq?: bigint;
}

/** The key of a transfer that was reversed, and of the transfer that reversed it. */
export interface StoredReversal {
  readonly key: string;
  readonly reversedBy: string;
}
