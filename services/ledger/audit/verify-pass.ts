import { chainHash, genesisHash } from "../domain/canonical.js";
import type { Day } from "../domain/days.js";
import type { JournalEnd, StoredReversal, VolumePage } from "../domain/journal.js";
import type { Transfer } from "../domain/model.js";
import { maxFaults, type Fault } from "../domain/verification.js";
import { booksOf, createBooks, type AuditedAccount, type Book } from "./verify-books.js";
import {
  createReversalBook,
  createVolumeBook,
  reversalsOf,
  volumesOf,
  type ReversalState,
  type VolumeState,
} from "./verify-links.js";
import { accountFault, createPeriodBook, missingAccounts, readRecords, type Period } from "./verify-records.js";
import { createPendingReader, reserve, type Reserved } from "./verify-pendings.js";
import type { JournalSource, VerifyOptions } from "./verify.js";

type Last = Pick<Transfer, "seq" | "timeMs" | "hash">;

/**
 * One pass over the journal with the books of a range of accounts. Only maps, lists and plain
 * values, which are kept between two pieces: another form of them is another `passForm`.
 */
export interface PassState {
  /** 1 first. */
  readonly number: number;
  /** The range: ids after the one and up to the other, or all after it in the last pass. */
  readonly after: string;
  readonly until: string;
  readonly isLast: boolean;
  /** The head before the accounts were read, and after. */
  readonly before: JournalEnd;
  readonly end: JournalEnd;
  /** The last transfer that was entered. */
  last: Last;
  readonly books: Map<string, Book>;
  /** What is reserved and not yet resolved, by key. */
  readonly reserved: Map<string, Reserved>;
  readonly volumes: VolumeState;
  /** In the first pass alone: once is enough for what does not belong to accounts. */
  readonly reversals: ReversalState | undefined;
  /** Days that were closed, and opened again, up to the end; in the first pass alone. */
  readonly periods: readonly Period[];
  readonly faults: Fault[];
}

/** Of a state that this version can go on with. */
export const passForm = 3;

const accountsPerRead = 500;
const progressEvery = 1_000n;

/** Reads the accounts of a pass and, in the first, what links transfers. */
export async function startPass(
  source: JournalSource,
  options: VerifyOptions & { readonly number: number; readonly after: string; readonly accountsPerPass: number },
): Promise<PassState> {
  const { number, after, accountsPerPass } = options;
  const before = await source.head();
  const { accounts, until, isLast } = await readAccounts(source, after, accountsPerPass);
  const volumes = number === 1 ? await readVolumes(source) : [];
  const reversals = number === 1 ? await readReversals(source) : undefined;
  const end = await source.head();
  const faults: Fault[] = [];
  const range = { after, until, isLast };
  const read = await readRecords(source, {
    end,
    isInRange: (accountId) => isInRange(accountId, range),
    published: publishedOf(source, options).records,
    isFirst: number === 1,
    note: (fault) => note({ faults }, fault),
  });
  const pass: PassState = {
    number,
    ...range,
    before: endOf(before),
    end: endOf(end),
    last: { seq: 0n, timeMs: 0, hash: genesisHash(source.tenantId) },
    books: booksOf(accounts),
    reserved: new Map(),
    volumes: volumesOf(volumes),
    reversals: reversals && reversalsOf(reversals, before.seq),
    periods: number === 1 ? (read?.periods ?? []) : [],
    faults,
  };
  for (const { account } of read === undefined ? [] : accounts) {
    const what = accountFault(account, read!, before);
    if (what !== undefined) note(pass, { accountId: account.info.accountId, what });
  }
  for (const accountId of read === undefined ? [] : missingAccounts(read, before, (id) => pass.books.has(id))) {
    note(pass, { accountId, what: "a record holds it, and it is missing" });
  }
  const books = createBooks(pass.books);
  for (const accountId of books.untouched()) closeAccount(pass, books, accountId);
  return pass;
}

/** A head may know more than its end. */
function endOf({ seq, hash, records, recordsHash, closedThrough }: JournalEnd): JournalEnd {
  return { seq, hash, records, recordsHash, ...(closedThrough === undefined ? {} : { closedThrough }) };
}

/** Heads that were published of a tenant: hashes of transfers and of records. */
function publishedOf({ tenantId }: JournalSource, { published = [] }: VerifyOptions) {
  const own = published.filter((head) => head.tenantId === tenantId);
  return {
    transfers: new Map(own.flatMap(({ seq, hash }) => (seq > 0n ? [[seq, hash]] : []))),
    records: new Map(own.flatMap(({ records, recordsHash }) => (records > 0n ? [[records, recordsHash]] : []))),
  };
}

function isInRange(
  accountId: string,
  { after, until, isLast }: Pick<PassState, "after" | "until" | "isLast">,
): boolean {
  return accountId > after && (isLast || accountId <= until);
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

async function readVolumes(source: JournalSource): Promise<VolumePage[]> {
  const pages: VolumePage[] = [];
  for (let day: Day | undefined; ;) {
    const page = await source.volumesAfter(day);
    pages.push(page);
    if (page.until === undefined) return pages;
    day = page.until;
  }
}

async function readReversals(source: JournalSource): Promise<StoredReversal[]> {
  const reversals: StoredReversal[] = [];
  for (let key = ""; ;) {
    const page = await source.reversalsAfter(key);
    if (page.length === 0) return reversals;
    for (const reversal of page) reversals.push(reversal);
    key = page.at(-1)!.key;
  }
}

/** How a pass ended: with the first transfer that does not fit, where it is broken. */
export interface PassEnding {
  readonly isBroken: boolean;
  readonly faults: readonly Fault[];
}

/** Enters the next transfers of a pass, at most `maxTransfers`; how it ended, where it did. */
export async function enterTransfers(
  source: JournalSource,
  pass: PassState,
  options: VerifyOptions & { readonly maxTransfers?: number },
): Promise<PassEnding | undefined> {
  const { maxTransfers = Infinity, onProgress } = options;
  const heads = publishedOf(source, options).transfers;
  const periods = createPeriodBook(pass.periods, source);
  const enter = createEntering(pass, heads, periods);
  const pendings = createPendingReader(source, pass, (fault) => note(pass, fault));
  const progress = () => onProgress?.({ pass: pass.number, seq: pass.last.seq, last: pass.end.seq });
  if (pass.last.seq < pass.end.seq) {
    let entered = 0;
    for await (const transfer of source.transfersAfter(pass.last.seq)) {
      const what = enter(transfer);
      if (what !== undefined) return brokenAt(pass, { seq: transfer.seq, key: transfer.key, what });
      await pendings.add(transfer);
      entered += 1;
      if (transfer.seq % progressEvery === 0n) progress();
      if (transfer.seq >= pass.end.seq) break;
      if (entered >= maxTransfers) break;
    }
    await pendings.compare();
    if (pass.last.seq < pass.end.seq && entered >= maxTransfers) return undefined;
  }
  progress();
  if (pass.last.seq >= pass.end.seq) await pendings.compareOpen();
  return endPass(pass, heads, periods);
}

type Heads = ReadonlyMap<bigint, Uint8Array>;

/** Enters one transfer into all books; what is wrong with it, if anything. */
function createEntering(pass: PassState, heads: Heads, periods: ReturnType<typeof createPeriodBook>) {
  const books = createBooks(pass.books);
  const volumes = createVolumeBook(pass.volumes);
  const reversals = pass.reversals && createReversalBook(pass.reversals);
  return (transfer: Transfer): string | undefined => {
    const { seq, key, timeMs, hash, debitAccountId, creditAccountId } = transfer;
    const what = chainFault(transfer, pass.last) ?? headFault(transfer, heads) ?? enterAccounts(transfer, books, pass);
    if (what !== undefined) return what;
    const early = periods.enter(transfer, pass.last);
    if (early !== undefined) note(pass, { seq, key, what: early });
    pass.last = { seq, timeMs, hash };
    volumes.enter(transfer);
    const unlinked = reversals?.enter(transfer);
    if (unlinked !== undefined) note(pass, { seq, key, what: unlinked });
    for (const accountId of [debitAccountId, creditAccountId]) {
      if (books.isDue(accountId, seq)) closeAccount(pass, books, accountId);
      else if (seq <= pass.before.seq && books.has(accountId) && seq > books.lastStored(accountId)) {
        note(pass, { accountId, what: `its figures end at ${books.lastStored(accountId)}, and leave out ${seq}` });
      }
    }
    return undefined;
  };
}

/** What is asked once all transfers up to the head are entered. */
function endPass(pass: PassState, heads: Heads, periods: ReturnType<typeof createPeriodBook>): PassEnding {
  const { last, end } = pass;
  const broken = (what: string) => brokenAt(pass, { seq: last.seq, what });
  if (last.seq < end.seq) return broken(`the journal ends here, its head says ${end.seq}`);
  if (Buffer.compare(last.hash, end.hash) !== 0) return broken("the head holds another hash");
  const beyond = [...heads.keys()].filter((seq) => seq > end.seq).sort((a, b) => (a < b ? -1 : 1));
  if (beyond.length > 0) return broken(`the journal ends here, a head was published at ${beyond.at(-1)}`);
  const early = periods.end(last);
  if (early !== undefined) note(pass, { seq: last.seq, what: early });
  const books = createBooks(pass.books);
  for (const accountId of books.unclosed()) closeAccount(pass, books, accountId);
  for (const what of createVolumeBook(pass.volumes).faults()) note(pass, { what });
  const strays = pass.reversals === undefined ? [] : createReversalBook(pass.reversals).strays();
  for (const key of strays) note(pass, { key, what: "it is linked to a reversal that is not there" });
  return { isBroken: false, faults: pass.faults };
}

function brokenAt({ faults }: PassState, fault: Fault): PassEnding {
  return { isBroken: true, faults: [fault, ...faults] };
}

function closeAccount(pass: PassState, books: ReturnType<typeof createBooks>, accountId: string): void {
  const what = books.close(accountId);
  if (what !== undefined) note(pass, { accountId, what });
}

/** An account is named once, by what was found first; more faults than are told are not kept. */
function note({ faults }: Pick<PassState, "faults">, fault: Fault): void {
  if (faults.length >= maxFaults) return;
  if (fault.accountId !== undefined && faults.some(({ accountId }) => accountId === fault.accountId)) return;
  faults.push(fault);
}

function chainFault(transfer: Transfer, last: Last): string | undefined {
  if (transfer.seq !== last.seq + 1n) return `the transfer after ${last.seq} is missing`;
  if (transfer.timeMs < last.timeMs) return "it is older than the transfer before it";
  const { hash, ...content } = transfer;
  if (Buffer.compare(chainHash(content, last.hash), hash) !== 0) return "its content does not fit its hash";
  return undefined;
}

function headFault({ seq, hash }: Transfer, published: Heads): string | undefined {
  const head = published.get(seq);
  if (head === undefined || Buffer.compare(head, hash) === 0) return undefined;
  return "a head was published here with another hash";
}

/**
 * Books a transfer on both sides, as far as they are in the range; what is wrong with it, if
 * anything.
 */
function enterAccounts(transfer: Transfer, books: ReturnType<typeof createBooks>, pass: PassState): string | undefined {
  const { debitAccountId, creditAccountId, seq } = transfer;
  if (seq <= pass.before.seq) {
    // An account of a later transfer may have been made after the accounts were read.
    const missing = [debitAccountId, creditAccountId].find((id) => isInRange(id, pass) && !books.has(id));
    if (missing !== undefined) return `its account ${missing} is missing`;
  }
  const pendingMinor = reserve(pass.reserved, transfer);
  if (typeof pendingMinor === "string") return pendingMinor;
  return books.enter(transfer, "debit", pendingMinor) ?? books.enter(transfer, "credit", pendingMinor);
}
