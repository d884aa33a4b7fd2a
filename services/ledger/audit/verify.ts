import { chainHash, genesisHash } from "../domain/canonical.js";
import type { JournalEnd, PublishedHead, StoredReversal, VolumePage } from "../domain/journal.js";
import type { Transfer } from "../domain/model.js";
import { createBooks, type AuditedAccount } from "./verify-books.js";
import { createReversalBook, createVolumeBook } from "./verify-links.js";
import type { Day } from "../domain/days.js";

/**
 * What does not fit, and where: the first of a journal, then every account, volume and link of a
 * reversal that is not what the transfers say. One without a place is of the journal as a whole.
 */
export interface Fault {
  readonly seq?: bigint;
  readonly key?: string;
  readonly accountId?: string;
  readonly what: string;
}

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

type Last = Pick<Transfer, "seq" | "timeMs" | "hash">;

const maxFaults = 100;
const accountsPerRead = 500;
const progressEvery = 1_000n;

/**
 * Recomputes a tenant's chain and every balance from the transfers alone, beside postings that go
 * on. Streams: memory is that of `accountsPerPass` accounts and of what is reserved at the time.
 */
export async function verifyJournal(source: JournalSource, options: VerifyOptions = {}): Promise<Verification> {
  const { accountsPerPass = 100_000 } = options;
  const faults: Fault[] = [];
  let after = "";
  for (let pass = 1; ; pass++) {
    const before = await source.head();
    const range = await readAccounts(source, after, accountsPerPass);
    // Once is enough for what does not belong to accounts.
    const links = pass === 1 ? await readLinks(source) : undefined;
    const end = await source.head();
    const isInRange = (id: string) => id > after && (range.isLast || id <= range.until);
    const { accounts } = range;
    const outcome = await verifyPass(source, { ...options, before, end, pass, isInRange, accounts, links });
    faults.push(...outcome.faults.slice(0, maxFaults - faults.length));
    // Nothing after the first one that does not fit can be trusted to.
    if (outcome.isBroken || range.isLast) return { transfers: outcome.transfers, faults };
    after = range.until;
  }
}

async function readAccounts(source: JournalSource, after: string, limit: number) {
  const accounts: AuditedAccount[] = [];
  let until = after;
  while (accounts.length < limit) {
    const page = await source.accountsAfter(until, Math.min(accountsPerRead, limit - accounts.length));
    if (page.length === 0) return { accounts, until, isLast: true };
    for (const account of page) accounts.push(account);
    until = page.at(-1)!.account.info.accountId;
  }
  return { accounts, until, isLast: false };
}

interface Links {
  readonly volumes: readonly VolumePage[];
  readonly reversals: readonly StoredReversal[];
}

async function readLinks(source: JournalSource): Promise<Links> {
  const volumes: VolumePage[] = [];
  for (let day: Day | undefined; ;) {
    const page = await source.volumesAfter(day);
    volumes.push(page);
    if (page.until === undefined) break;
    day = page.until;
  }
  const reversals: StoredReversal[] = [];
  for (let key = ""; ;) {
    const page = await source.reversalsAfter(key);
    if (page.length === 0) return { volumes, reversals };
    for (const reversal of page) reversals.push(reversal);
    key = page.at(-1)!.key;
  }
}

interface VerifyPass extends VerifyOptions {
  readonly pass: number;
  readonly accounts: readonly AuditedAccount[];
  readonly links: Links | undefined;
  readonly isInRange: (accountId: string) => boolean;
  /** The head before the accounts were read, and after. */
  readonly before: JournalEnd;
  readonly end: JournalEnd;
}

async function verifyPass(source: JournalSource, given: VerifyPass) {
  const { before, end, pass, published = [], onProgress } = given;
  const { tenantId } = source;
  const books = createBooks(given.accounts);
  const reservations = createReservations();
  const volumes = createVolumeBook(given.links?.volumes ?? []);
  const reversals = given.links && createReversalBook(given.links.reversals, before.seq);
  const heads = new Map(published.filter((head) => head.tenantId === tenantId).map(({ seq, hash }) => [seq, hash]));
  const faults: Fault[] = [];
  const closeAccount = (accountId: string) => {
    const what = books.close(accountId);
    if (what !== undefined) faults.push({ accountId, what });
  };
  let last: Last = { seq: 0n, timeMs: 0, hash: genesisHash(tenantId) };
  const broken = (seq: bigint, what: string, key?: string) => {
    const fault = { seq, ...(key === undefined ? {} : { key }), what };
    return { isBroken: true, transfers: last.seq, faults: [fault, ...faults] };
  };

  books.untouched().forEach(closeAccount);
  if (end.seq > 0n) {
    for await (const transfer of source.transfersAfter(0n)) {
      const { seq, key } = transfer;
      const what =
        chainFault(transfer, last) ?? headFault(transfer, heads) ?? enter(transfer, books, reservations, given);
      if (what !== undefined) return broken(seq, what, key);
      last = transfer;
      volumes.enter(transfer);
      const unlinked = reversals?.enter(transfer);
      if (unlinked !== undefined) faults.push({ seq, key, what: unlinked });
      for (const accountId of [transfer.debitAccountId, transfer.creditAccountId]) {
        if (books.isDue(accountId, seq)) closeAccount(accountId);
        else if (seq <= before.seq && books.has(accountId) && seq > books.lastStored(accountId)) {
          faults.push({ accountId, what: `its figures end at ${books.lastStored(accountId)}, and leave out ${seq}` });
        }
      }
      if (seq % progressEvery === 0n) onProgress?.({ pass, seq, last: end.seq });
      if (seq >= end.seq) break;
    }
  }
  if (last.seq < end.seq) return broken(last.seq, `the journal ends here, its head says ${end.seq}`);
  if (Buffer.compare(last.hash, end.hash) !== 0) return broken(last.seq, "the head holds another hash");
  const beyond = [...heads.keys()].filter((seq) => seq > end.seq).sort((a, b) => (a < b ? -1 : 1));
  if (beyond.length > 0) return broken(last.seq, `the journal ends here, a head was published at ${beyond.at(-1)}`);
  books.unclosed().forEach(closeAccount);
  for (const what of volumes.faults()) faults.push({ what });
  for (const key of reversals?.strays() ?? [])
    faults.push({ key, what: "it is linked to a reversal that is not there" });
  onProgress?.({ pass, seq: last.seq, last: end.seq });
  return { isBroken: false, transfers: last.seq, faults: firstOfEach(faults) };
}

function chainFault(transfer: Transfer, last: Last): string | undefined {
  if (transfer.seq !== last.seq + 1n) return `the transfer after ${last.seq} is missing`;
  if (transfer.timeMs < last.timeMs) return "it is older than the transfer before it";
  const { hash, ...content } = transfer;
  if (Buffer.compare(chainHash(content, last.hash), hash) !== 0) return "its content does not fit its hash";
  return undefined;
}

function headFault({ seq, hash }: Transfer, published: ReadonlyMap<bigint, Uint8Array>): string | undefined {
  const head = published.get(seq);
  if (head === undefined || Buffer.compare(head, hash) === 0) return undefined;
  return "a head was published here with another hash";
}

type Books = ReturnType<typeof createBooks>;
type Reservations = ReturnType<typeof createReservations>;

/**
 * Books a transfer on both sides, as far as they are in the range; what is wrong with it, if
 * anything.
 */
function enter(transfer: Transfer, books: Books, reservations: Reservations, pass: VerifyPass): string | undefined {
  const { debitAccountId, creditAccountId, seq } = transfer;
  if (seq <= pass.before.seq) {
    // An account of a later transfer may have been made after the accounts were read.
    const missing = [debitAccountId, creditAccountId].find((id) => pass.isInRange(id) && !books.has(id));
    if (missing !== undefined) return `its account ${missing} is missing`;
  }
  const pendingMinor = reservations.change(transfer);
  if (typeof pendingMinor === "string") return pendingMinor;
  return books.enter(transfer, "debit", pendingMinor) ?? books.enter(transfer, "credit", pendingMinor);
}

/** What is reserved and not yet resolved. */
function createReservations() {
  const open = new Map<string, bigint>();
  return {
    /**
     * By how much the reserved figures of both accounts change; text where the transfer resolves
     * what is not pending.
     */
    change({ mode, key, refersTo, amountMinor }: Transfer): bigint | string {
      if (mode === "POSTED") return 0n;
      if (mode === "PENDING") {
        open.set(key, amountMinor);
        return amountMinor;
      }
      const released = open.get(refersTo);
      if (released === undefined) return `it resolves ${refersTo}, which is not pending`;
      open.delete(refersTo);
      return -released;
    },
  };
}

/** An account is named once, by what was found first. */
function firstOfEach(faults: readonly Fault[]): Fault[] {
  const seen = new Set<string | undefined>();
  return faults.filter(({ accountId }) => accountId === undefined || (!seen.has(accountId) && seen.add(accountId)));
}
