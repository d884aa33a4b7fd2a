import { accountContent, genesisHash, recordHash, recordsGenesisHash, refusalContent } from "../domain/canonical.js";
import { dayText, parseDay, type Day } from "../domain/days.js";
import type { JournalEnd, JournalRefusal } from "../domain/journal.js";
import type { Account, Transfer } from "../domain/model.js";
import type { JournalRecord } from "../domain/records.js";
import type { Fault } from "../domain/verification.js";
import type { JournalSource } from "./verify.js";

/** Through when days were closed after a transfer. */
export interface Period {
  readonly afterSeq: bigint;
  readonly closedThrough: Day;
  /** Of the transfer, as the record says. */
  readonly hash: Uint8Array;
}

export interface RecordsRead {
  /** Oldest first. */
  readonly periods: readonly Period[];
  /** Of accounts of the range, by id. */
  readonly made: ReadonlyMap<string, Held>;
  readonly closed: ReadonlyMap<string, Held>;
}

interface Held {
  readonly number: bigint;
  readonly content: Uint8Array;
}

export interface RecordsOptions {
  readonly end: JournalEnd;
  readonly isInRange: (accountId: string) => boolean;
  /** Hashes of records that were published outside the database, by number. */
  readonly published: ReadonlyMap<bigint, Uint8Array>;
  /** In the first pass alone: once is enough for what does not belong to accounts. */
  readonly isFirst: boolean;
  readonly note: (fault: Fault) => void;
}

const refusalsPerRead = 500;

/**
 * Recomputes the chain of records up to an end, and holds kept refusals against it. Undefined where
 * records do not fit each other: nothing can be held against them.
 */
export async function readRecords(source: JournalSource, options: RecordsOptions): Promise<RecordsRead | undefined> {
  const { end, published, isFirst, note } = options;
  const read = createRead(options);
  const refusals = createRefusalReader(source, note);
  let last = { number: 0n, timeMs: 0, afterSeq: 0n, hash: recordsGenesisHash(source.tenantId) };
  const tell = (what: string) => isFirst && note({ what: `record ${last.number}: ${what}` });
  while (last.number < end.records) {
    const page = await source.recordsAfter(last.number);
    for (const record of page.filter(({ number }) => number <= end.records)) {
      const what = recordFault(record, last, published) ?? read.enter(record);
      if (what !== undefined) return void tell(`what follows it does not fit: ${what}`);
      last = record;
      if (isFirst) await refusals.add(record);
    }
    if (page.length === 0) return void tell(`the records end here, the head says ${end.records}`);
  }
  if (Buffer.compare(last.hash, end.recordsHash) !== 0) return void tell("the head holds another hash");
  const beyond = [...published.keys()].find((number) => number > end.records);
  if (beyond !== undefined) tell(`the records end here, one was published at ${beyond}`);
  if (read.periods.at(-1)?.closedThrough !== end.closedThrough) {
    tell(`the head is closed through ${nameOf(end)}, records are not`);
  }
  if (isFirst) await refusals.end(end.records);
  return read;
}

const nameOf = ({ closedThrough }: JournalEnd) => (closedThrough === undefined ? "no day" : dayText(closedThrough));

function recordFault(
  record: JournalRecord,
  last: Omit<JournalRecord, "items">,
  published: ReadonlyMap<bigint, Uint8Array>,
): string | undefined {
  if (record.number !== last.number + 1n) return `the record after ${last.number} is missing`;
  if (record.afterSeq < last.afterSeq) return "it stands after an earlier transfer than the record before it";
  const { hash, ...content } = record;
  if (Buffer.compare(recordHash(content, last.hash), hash) !== 0) return "its content does not fit its hash";
  const head = published.get(record.number);
  return head === undefined || Buffer.compare(head, hash) === 0 ? undefined : "it was published with another hash";
}

function createRead({ isInRange }: RecordsOptions) {
  const periods: Period[] = [];
  const made = new Map<string, Held>();
  const closed = new Map<string, Held>();
  return {
    periods,
    made,
    closed,
    /** What is wrong with the items of a record, if anything. */
    enter({ number, afterSeq, items }: JournalRecord): string | undefined {
      for (const { kind, subject, content } of items) {
        if (kind === "PERIOD") {
          const closedThrough = parseDay(subject);
          if (closedThrough === undefined) return `${subject} is no day`;
          periods.push({ afterSeq, closedThrough, hash: content });
        } else if (kind !== "REFUSAL" && isInRange(subject)) {
          const held = kind === "ACCOUNT" ? made : closed;
          if (held.has(subject)) return `account ${subject} stands in record ${held.get(subject)!.number} already`;
          held.set(subject, { number, content });
        }
      }
      return undefined;
    },
  };
}

/** Holds refusals that records name against those that are kept, some at a time. */
function createRefusalReader(source: JournalSource, note: (fault: Fault) => void) {
  let waiting = new Map<string, Held>();
  let count = 0;
  let isComplete = true;

  async function refusalsOf(keys: readonly string[]) {
    const pages = Array.from({ length: Math.ceil(keys.length / refusalsPerRead) }, (_, n) =>
      keys.slice(n * refusalsPerRead, (n + 1) * refusalsPerRead),
    );
    const kept: JournalRefusal[] = [];
    for (const page of pages) kept.push(...(await source.refusalsOf(page)));
    return kept;
  }

  async function compare(): Promise<void> {
    const named = waiting;
    waiting = new Map();
    if (named.size === 0) return;
    const kept = new Map((await refusalsOf([...named.keys()])).map((refusal) => [refusal.key, refusal]));
    for (const [key, { number, content }] of named) {
      const refusal = kept.get(key);
      if (refusal === undefined) note({ key, what: `record ${number} holds its refusal, which is missing` });
      else if (refusal.record !== number || Buffer.compare(refusalContent(refusal), content) !== 0) {
        note({ key, what: `its refusal is not what record ${number} holds` });
      } else continue;
      isComplete = false;
    }
  }

  return {
    async add({ number, items }: JournalRecord): Promise<void> {
      for (const { kind, subject, content } of items) {
        if (kind !== "REFUSAL") continue;
        count += 1;
        waiting.set(subject, { number, content });
      }
      if (waiting.size >= refusalsPerRead) await compare();
    },

    /** Once all records are read: whether more are kept than they hold. */
    async end(records: bigint): Promise<void> {
      await compare();
      let kept = 0;
      for (let key = ""; ;) {
        const page = await source.refusalsAfter(key);
        if (page.length === 0) break;
        for (const { key: of, record } of page) {
          if (record === undefined) note({ key: of, what: "no record holds its refusal" });
          else if (record <= records) kept += 1;
        }
        key = page.at(-1)!.key;
      }
      if (isComplete && kept !== count) note({ what: `${kept} refusals are kept, records hold ${count}` });
    },
  };
}

/** What an account, as it was read between two heads, says otherwise than records; if anything. */
export function accountFault(
  { info, figures, record }: Account,
  { made, closed }: RecordsRead,
  before: JournalEnd,
): string | undefined {
  const own = made.get(info.accountId);
  if (record === undefined) {
    if (figures.lastSeq > 0n) return "no record holds it, though transfers have touched it";
    if (own !== undefined && own.number <= before.records)
      return `record ${own.number} holds it, which it does not name`;
  } else if (own?.number !== record) return `it names record ${record}, which does not hold it`;
  else if (Buffer.compare(accountContent(info), own.content) !== 0) return `it is not what record ${record} holds`;
  const end = closed.get(info.accountId);
  const isClosed = info.flags.includes("CLOSED");
  if (end === undefined) return isClosed ? "no record says that it was closed" : undefined;
  if (!isClosed && end.number <= before.records) return `it is open, record ${end.number} says that it was closed`;
  if (Buffer.compare(accountContent(info), end.content) !== 0) return `it is not what record ${end.number} closed`;
  return undefined;
}

/** Accounts of the range that records hold and that are not there, by id. */
export function missingAccounts({ made }: RecordsRead, before: JournalEnd, has: (id: string) => boolean): string[] {
  return [...made].flatMap(([id, { number }]) => (number <= before.records && !has(id) ? [id] : []));
}

/** Holds transfers, in their order, against the days that were closed when they came. */
export function createPeriodBook(periods: readonly Period[], { tenantId }: { tenantId: string }) {
  let next = 0;
  let closedThrough: Day | undefined;
  return {
    /** What is wrong with the day of a transfer, or with a period that was closed before it. */
    enter({ seq, day, belongsTo }: Transfer, previous: Pick<Transfer, "seq" | "hash">): string | undefined {
      for (; next < periods.length && periods[next]!.afterSeq < seq; next += 1) {
        const period = periods[next]!;
        closedThrough = period.closedThrough;
        if (period.afterSeq === previous.seq && !isAt(period, previous.hash))
          return "days were closed after another one";
      }
      if (closedThrough !== undefined && day <= closedThrough) return `it counts for ${dayText(day)}, which was closed`;
      if (belongsTo === undefined) return undefined;
      const isLate = closedThrough !== undefined && belongsTo <= closedThrough && day === closedThrough + 1;
      return isLate ? undefined : `it belongs to ${dayText(belongsTo)}, which was open`;
    },
    /** What is wrong with periods that were closed after the last transfer, if anything. */
    end({ seq, hash }: Pick<Transfer, "seq" | "hash">): string | undefined {
      const own = periods.filter(({ afterSeq }) => afterSeq === seq);
      return own.every((period) => isAt(period, hash)) ? undefined : "days were closed after another one";
    },
  };

  function isAt({ afterSeq, hash }: Period, of: Uint8Array): boolean {
    return Buffer.compare(hash, afterSeq === 0n ? genesisHash(tenantId) : of) === 0;
  }
}
