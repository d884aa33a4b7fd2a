import type { Day } from "../domain/days.js";
import type {
  JournalEnd,
  JournalRefusal,
  PublishedHead,
  StoredPending,
  StoredReversal,
  VolumePage,
} from "../domain/journal.js";
import type { JournalRecord } from "../domain/records.js";
import type { Transfer } from "../domain/model.js";
import { maxFaults, type Fault } from "../domain/verification.js";
import type { AuditedAccount } from "./verify-books.js";
import { enterTransfers, startPass, type PassState } from "./verify-pass.js";

export type { Fault };

export interface Verification {
  readonly transfers: bigint;
  readonly faults: readonly Fault[];
}

/** Where a tenant's journal is read from: the store, or a ledger that runs. */
export interface JournalSource {
  readonly tenantId: string;
  head(): Promise<JournalEnd>;
  /** By sequence, from one after `seq`. */
  transfersAfter(seq: bigint): AsyncIterable<Transfer>;
  /** By id, from one after `accountId`; fewer than `limit`, but not none, while there are more. */
  accountsAfter(accountId: string, limit: number): Promise<readonly AuditedAccount[]>;
  /** Of the days after one, or of all. */
  volumesAfter(day: Day | undefined): Promise<VolumePage>;
  /** By key, from one after `key`; none when there are no more. */
  reversalsAfter(key: string): Promise<readonly StoredReversal[]>;
  /** By number, from one after `number`; none when there are no more. */
  recordsAfter(number: bigint): Promise<readonly JournalRecord[]>;
  /** Those of some keys that were decided against, in any order. */
  refusalsOf(keys: readonly string[]): Promise<readonly JournalRefusal[]>;
  /** By key, from one after `key`; none when there are no more. */
  refusalsAfter(key: string): Promise<readonly JournalRefusal[]>;
  /** Those of some keys that are there, in any order. */
  pendingsOf(keys: readonly string[]): Promise<readonly StoredPending[]>;
}

export interface VerifyOptions {
  /**
   * Heads published by this tenant's owners, in any order; those of other tenants are passed over.
   */
  readonly published?: readonly PublishedHead[];
  /**
   * Accounts whose books are kept at a time: more accounts take more passes over the journal, not
   * more memory.
   */
  readonly accountsPerPass?: number;
  readonly onProgress?: (progress: { pass: number; seq: bigint; last: bigint }) => void;
}

/** A verification on its way: plain values, so that another process can go on with it. */
export interface VerificationRun {
  /** Of the passes before. */
  readonly faults: readonly Fault[];
  readonly pass: PassState;
}

/**
 * Recomputes a tenant's chain and every balance from the transfers alone, beside postings that go
 * on. Streams: memory is that of `accountsPerPass` accounts and of what is reserved at the time.
 */
export async function verifyJournal(source: JournalSource, options: VerifyOptions = {}): Promise<Verification> {
  for (let run = await beginRun(source, options); ;) {
    const next = await advanceRun(source, run, options);
    if (next.outcome !== undefined) return next.outcome;
    run = next.run;
  }
}

/** Reads what the first pass is held against. */
export async function beginRun(source: JournalSource, options: VerifyOptions = {}): Promise<VerificationRun> {
  return { faults: [], pass: await startPass(source, { accountsPerPass: 100_000, ...options, number: 1, after: "" }) };
}

/**
 * Goes on by at most `maxTransfers`, or to the beginning of the next pass; `run` itself is changed
 * and of no use afterwards. With an outcome where that was the end.
 */
export async function advanceRun(
  source: JournalSource,
  { faults: before, pass }: VerificationRun,
  options: VerifyOptions & { readonly maxTransfers?: number } = {},
): Promise<{ run: VerificationRun; outcome?: Verification }> {
  const { accountsPerPass = 100_000 } = options;
  const ending = await enterTransfers(source, pass, options);
  if (ending === undefined) return { run: { faults: before, pass } };
  const faults = [...before, ...ending.faults].slice(0, maxFaults);
  // Nothing after the first one that does not fit can be trusted to.
  if (ending.isBroken || pass.isLast) {
    return { run: { faults, pass }, outcome: { transfers: pass.last.seq, faults } };
  }
  const next = await startPass(source, { ...options, number: pass.number + 1, after: pass.until, accountsPerPass });
  return { run: { faults, pass: next } };
}
