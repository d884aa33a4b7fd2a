import { mongo } from "mongoose";
import { closeDays } from "../../../test/support/close-days.js";
import { linked, move, openLedger } from "../../../test/support/ledger-journal.js";
import { silentLog, testDatabase, type TestDatabase } from "../../../test/support/index.js";
import { runMigrations } from "../../kernel/mongo/migrations.js";
import { parseDay } from "../domain/days.js";
import type { ManualJournal } from "../domain/manual-journal.js";
import type { PartnerAlarm } from "../domain/partner-balance.js";
import type { PositionBook } from "../domain/position-fold.js";
import type { CodedMove, Revaluation } from "../domain/revaluation.js";
import type { SettlementLine, SettlementMark } from "../domain/settlement-lines.js";
import type { Settlement } from "../domain/settlement.js";
import {
  collections,
  type AccountDocument,
  type ChartMappingDocument,
  type ClosingDocument,
  type ClosingPartDocument,
  type DayDocument,
  type DecisionDocument,
  type HeadDocument,
  type LeaseDocument,
  type PendingDocument,
  type RecordDocument,
  type ReplicaDocument,
  type ReversalDocument,
  type TellingDocument,
  type VerificationDocument,
  type VerificationStateDocument,
  type VolumeDocument,
} from "../store/collections.js";
import type { StoredRate } from "../store/middle-rates.js";
import { migrations } from "../store/migrations.js";
import type { PositionLook } from "../store/positions.js";

// Every stored field of the ledger, and who notices that it was changed past every rule: the
// verification, or nobody, because it is no evidence of where money is. A field or a collection
// that stands here not at all fails.

type Notice = "verify" | { readonly because: string };
/** By top-level field; parts that differ from it stand under their path, such as `metadata.k`. */
type Fields<T> = Record<keyof T, Notice> & Record<`${string}.${string}`, Notice>;

const because = (reason: string): Notice => ({ because: reason });
const untouched = because("no transfer has touched it: with the first one it enters the chain of records");
const fencing = because("which owner may write, and which commit was the last: a changed one only stops the owner");

const posted = {
  _id: "verify",
  tenantId: "verify",
  key: "verify",
  groupId: because("which commit wrote it; asked for only while that commit's outcome is unknown"),
  decidedAt: "verify",
  interactionId: "verify",
  createdBy: "verify",
  service: "verify",
  link: "verify",
  fingerprint: because(
    "what a repeated request is recognised by: with another one a repeat is refused, and moves nothing",
  ),
  seq: "verify",
  mode: "verify",
  currency: "verify",
  amountMinor: "verify",
  kind: "verify",
  refersTo: "verify",
  dueAt: "verify",
  effectiveAt: "verify",
  day: "verify",
  belongsTo: "verify",
  description: "verify",
  metadata: "verify",
  entries: "verify",
  holds: "verify",
  hash: "verify",
} satisfies Fields<Omit<DecisionDocument, "refusal" | "record">>;

type RefusedField =
  | ("_id" | "tenantId" | "key" | "groupId" | "decidedAt" | "interactionId")
  | ("createdBy" | "service" | "link" | "fingerprint" | "refusal" | "record");
const refused = {
  _id: "verify",
  tenantId: "verify",
  key: "verify",
  groupId: because("which commit wrote it; asked for only while that commit's outcome is unknown"),
  decidedAt: "verify",
  interactionId: "verify",
  createdBy: "verify",
  service: "verify",
  link: "verify",
  fingerprint: "verify",
  refusal: "verify",
  record: "verify",
} satisfies Fields<Pick<DecisionDocument, RefusedField>>;

const accounts = {
  _id: "verify",
  tenantId: "verify",
  accountId: "verify",
  code: "verify",
  type: "verify",
  service: "verify",
  currency: "verify",
  name: "verify",
  ownerId: "verify",
  flags: "verify",
  metadata: "verify",
  debitsPostedMinor: "verify",
  creditsPostedMinor: "verify",
  debitsPendingMinor: "verify",
  creditsPendingMinor: "verify",
  rolledOver: "verify",
  lastSeq: "verify",
  record: "verify",
  openDay: "verify",
  createdAt: "verify",
} satisfies Fields<AccountDocument>;

/** Made, and nothing more. */
const { record: _record, rolledOver: _rolledOver, openDay: _openDay, metadata: _metadata, ...made } = accounts;
const untouchedAccounts = {
  ...made,
  tenantId: untouched,
  code: untouched,
  type: untouched,
  service: untouched,
  currency: untouched,
  name: untouched,
  ownerId: untouched,
  flags: untouched,
  createdAt: untouched,
};

const records = {
  _id: "verify",
  tenantId: "verify",
  number: "verify",
  time: "verify",
  afterSeq: "verify",
  items: "verify",
  hash: "verify",
} satisfies Fields<RecordDocument>;

const pendings = {
  _id: "verify",
  tenantId: "verify",
  key: "verify",
  debitAccountId: "verify",
  creditAccountId: "verify",
  currency: "verify",
  amountMinor: "verify",
  state: "verify",
  dueAt: because("when the sweep looks at it; whether it is over timeoutAt decides"),
  timeoutAt: "verify",
  resolvedBy: "verify",
} satisfies Fields<PendingDocument>;

const heads = {
  _id: "verify",
  tenantId: "verify",
  epoch: fencing,
  group: fencing,
  groupId: fencing,
  seq: "verify",
  time: because("what the next commit's time follows; each transfer has its own in the chain"),
  hash: "verify",
  records: "verify",
  recordsHash: "verify",
  closedThrough: "verify",
  openVolumes: "verify",
} satisfies Fields<HeadDocument>;

const reversals = {
  _id: "verify",
  tenantId: "verify",
  key: "verify",
  reversedBy: "verify",
} satisfies Fields<ReversalDocument>;

const addedUpById = because("where the next sum of that day is added; sums are read by the other fields");
const days = {
  _id: addedUpById,
  tenantId: "verify",
  accountId: "verify",
  day: "verify",
  debits: "verify",
  credits: "verify",
} satisfies Fields<DayDocument>;

const volumes = {
  _id: addedUpById,
  tenantId: "verify",
  day: "verify",
  kind: "verify",
  currency: "verify",
  transfers: "verify",
  high: "verify",
  low: "verify",
} satisfies Fields<VolumeDocument & { _id: string; tenantId: string }>;

/**
 * Collections that say nothing of money: one reason for all fields, whose names are held by type.
 */
const noEvidence = {
  tellings: [
    "how far events were told; told again they are told once, by their numbers",
    { _id: 0, tenantId: 0, seq: 0, left: 0 } satisfies Record<keyof TellingDocument, 0>,
  ],
  leases: [
    "who serves; the epoch in the head decides who can write",
    { _id: 0, tenantId: 0, address: 0, holder: 0, epoch: 0, until: 0, sessionIds: 0 } satisfies Record<
      keyof LeaseDocument,
      0
    >,
  ],
  replicas: [
    "how busy replicas are",
    { _id: 0, holder: 0, load: 0, isReserved: 0, told: 0, seenAt: 0 } satisfies Record<keyof ReplicaDocument, 0>,
  ],
  verifications: [
    "what a verification found: another one finds it again",
    {
      _id: 0,
      tenantId: 0,
      verificationId: 0,
      status: 0,
      startedAt: 0,
      startedBy: 0,
      endedAt: 0,
      pass: 0,
      checkedSeq: 0,
      lastSeq: 0,
      headHash: 0,
      faults: 0,
      leaseToken: 0,
      leasedUntil: 0,
      failures: 0,
      state: 0,
    } satisfies Record<keyof VerificationDocument, 0>,
  ],
  verification_states: [
    "where a verification goes on; the operator's begins anew and needs none",
    { _id: 0, tenantId: 0, verificationId: 0, stateId: 0, content: 0 } satisfies Record<
      keyof VerificationStateDocument,
      0
    >,
  ],
  settlements: [
    "what people asked for and decided; what moved is posted under their keys, and evidence there",
    {
      settlementId: 0,
      kind: 0,
      accountId: 0,
      amount: 0,
      cost: 0,
      feeMinor: 0,
      bankAccountId: 0,
      valueDay: 0,
      reference: 0,
      isPrefund: 0,
      note: 0,
      status: 0,
      isLiving: 0,
      valueAt: 0,
      lineCount: 0,
      gathering: 0,
      askedBy: 0,
      askedAt: 0,
      approvalId: 0,
      decidedBy: 0,
      transferKeys: 0,
      postedAt: 0,
      refusal: 0,
      reversal: 0,
    } satisfies Record<keyof Settlement, 0>,
  ],
  settlement_lines: [
    "which transfers a settlement is for; it moves nothing",
    {
      settlementId: 0,
      transferKey: 0,
      accountId: 0,
      seq: 0,
      day: 0,
      amountMinor: 0,
      isLiving: 0,
    } satisfies Record<keyof SettlementLine | "settlementId" | "isLiving", 0>,
  ],
  manual_journals: [
    "what people asked for and decided; what moved is posted under their keys, and evidence there",
    {
      journalId: 0,
      kind: 0,
      status: 0,
      lines: 0,
      reason: 0,
      valueDate: 0,
      effectiveAt: 0,
      approvalId: 0,
      failure: 0,
      reverses: 0,
      reversedBy: 0,
      attachment: 0,
      askedBy: 0,
      askedAt: 0,
      decidedBy: 0,
      postedAt: 0,
      interactionId: 0,
    } satisfies Record<keyof ManualJournal, 0>,
  ],
  positions: [
    "folded from the journal up to a sequence; what it realised is posted, and evidence there",
    {
      _id: 0,
      tenantId: 0,
      version: 0,
      code: 0,
      base: 0,
      throughSeq: 0,
      positions: 0,
      toPost: 0,
      priced: 0,
      waiting: 0,
    } satisfies Record<keyof PositionBook | "_id" | "tenantId" | "version", 0>,
  ],
  settlement_marks: [
    "up to where an account has nothing open; made anew from the lines",
    { accountId: 0, throughSeq: 0, version: 0 } satisfies Record<keyof SettlementMark, 0>,
  ],
  partner_alarms: [
    "below which balance people are told, and what they were told last",
    {
      accountId: 0,
      currency: 0,
      belowMinor: 0,
      isLow: 0,
      since: 0,
      version: 0,
      changedBy: 0,
      changedAt: 0,
    } satisfies Record<keyof PartnerAlarm, 0>,
  ],
  position_moves: [
    "folded from the journal, by day; what was revalued of it is posted, and evidence there",
    { code: 0, currency: 0, day: 0, quantityMinor: 0, costMinor: 0 } satisfies Record<keyof CodedMove, 0>,
  ],
  position_looks: [
    "when positions are counted next",
    { tenantId: 0, dueAt: 0 } satisfies Record<keyof PositionLook, 0>,
  ],
  middle_rates: [
    "what was told of rates; those that priced something are named at what was posted",
    {
      fromCurrency: 0,
      toCurrency: 0,
      day: 0,
      rate: 0,
      source: 0,
      at: 0,
      sequence: 0,
      isDayEnd: 0,
      toldAt: 0,
    } satisfies Record<keyof StoredRate, 0>,
  ],
  revaluations: [
    "what was left at the end of days; what it came to is posted under keys of day and round, and evidence there",
    {
      day: 0,
      rounds: 0,
      positions: 0,
      posted: 0,
      toPost: 0,
      revaluedBy: 0,
      revaluedAt: 0,
    } satisfies Record<keyof Revaluation, 0>,
  ],
  manual_journal_files: ["what was handed in with a journal", { journalId: 0, content: 0 }],
  closings: [
    "what a closing found; its package proves itself, and is made anew from the journal",
    {
      _id: 0,
      tenantId: 0,
      number: 0,
      period: 0,
      first: 0,
      last: 0,
      previous: 0,
      openedAfter: 0,
      afterSeq: 0,
      throughSeq: 0,
      previousHash: 0,
      headHash: 0,
      mappingVersion: 0,
      closedBy: 0,
      closedAt: 0,
      supersededAt: 0,
      supersededBy: 0,
      package: 0,
    } satisfies Record<keyof ClosingDocument, 0>,
  ],
  closing_parts: [
    "what a package keeps of the journal; its manifest has the hash of what it comes to",
    { _id: 0, tenantId: 0, closing: 0, what: 0, part: 0, content: 0 } satisfies Record<keyof ClosingPartDocument, 0>,
  ],
  chart_mappings: [
    "the organisation's own names of codes",
    { _id: 0, tenantId: 0, version: 0, codes: 0, changedBy: 0, changedAt: 0 } satisfies Record<
      keyof ChartMappingDocument,
      0
    >,
  ],
} as const satisfies Record<string, readonly [string, Record<string, 0>]>;

/** Of services/kernel, in the ledger's database. */
const shared = {
  idempotency: "answers of requests that begin a verification",
  migrations: "which migrations ran",
  outbox: "work that follows from a commit; it moves money by keys that decide once",
} as const;

interface Section {
  readonly collection: string;
  readonly filter: Record<string, unknown>;
  readonly fields: Record<string, Notice>;
  /** Nothing in the journal says that it was there. */
  readonly mayBeGone?: true;
}

const sections: Record<string, Section> = {
  "a transfer": { collection: collections.transfers, filter: { seq: { $exists: true } }, fields: posted },
  "a refused key": { collection: collections.transfers, filter: { refusal: { $exists: true } }, fields: refused },
  "an account": { collection: collections.accounts, filter: { record: { $exists: true } }, fields: accounts },
  "an untouched account": {
    collection: collections.accounts,
    filter: { record: { $exists: false } },
    fields: untouchedAccounts,
    mayBeGone: true,
  },
  "a record": { collection: collections.records, filter: {}, fields: records },
  "a pending transfer": { collection: collections.pendings, filter: {}, fields: pendings },
  "a head": { collection: collections.heads, filter: {}, fields: heads },
  "a link of a reversal": { collection: collections.reversals, filter: {}, fields: reversals },
  "a day of an account": { collection: collections.days, filter: {}, fields: days },
  "a volume": { collection: collections.volumes, filter: {}, fields: volumes },
};

type Stored = Record<string, unknown> & { _id: string; tenantId: string };

let database: TestDatabase;
let ledger: Awaited<ReturnType<typeof world>>;

beforeAll(async () => {
  database = await testDatabase("ledger_evidence");
  await runMigrations(database.db, migrations, silentLog);
  ledger = await world();
});
afterAll(() => database.close());

/** A journal of three days in which every field of every document that it writes occurs. */
async function world() {
  let nowMs = Date.parse("2026-11-01T12:00:00Z");
  const opened = await openLedger(database.db, { now: () => new Date(nowMs) });
  await opened.accounts(["a", "b", "closed", "untouched"]);
  const { store, tenantId } = opened;
  const metadata = [{ k: "of", v: "test" }];
  const stored = database.db.collection<{ _id: string; tenantId: string }>(collections.accounts);
  await stored.updateOne({ _id: `${tenantId}:b`, tenantId }, { $set: { metadata, ownerId: "owner" } });
  let { journal } = await opened.open();
  const post = async (...group: Parameters<typeof linked>) => {
    const decision = await journal.post(linked(...group));
    return decision.kind === "posted" ? "posted" : decision.refusal.code;
  };
  const without = (more: Parameters<typeof move>[3]) => {
    const { amount: _, ...rest } = move("", "", 0n, more);
    return rest;
  };
  const huge = 2n ** 62n;
  expect(await post(move("bank", "a", huge), move("a", "bank", huge))).toBe("posted");
  expect(await post(move("bank", "a", huge), move("a", "bank", huge))).toBe("posted");
  expect(await post(move("bank", "a", 500n, { description: "first", metadata: [["of", "test"]] }))).toBe("posted");
  expect(await post(move("bank", "closed", 1n), move("closed", "bank", 1n))).toBe("posted");
  const hold = (key: string) => move("a", "b", 20n, { key, mode: "PENDING", timeoutMs: 1_000 });
  expect(await post(hold("open"), hold("paid"), hold("freed"), hold("late"))).toBe("posted");
  const part = { amount: { minor: 7n, currency: "USD" } };
  expect(await post({ ...without({ key: "pay", mode: "POST_PENDING", refersTo: "paid" }), ...part })).toBe("posted");
  expect(await post(without({ key: "free", mode: "VOID_PENDING", refersTo: "freed" }))).toBe("posted");
  expect(await post(move("a", "b", 30n, { key: "wrong" }))).toBe("posted");
  nowMs += 86_400_000;
  const expiry = linked(without({ key: "late#expired", mode: "EXPIRE_PENDING", refersTo: "late" }));
  expect(await journal.post({ ...expiry, service: "ledger" })).toMatchObject({ kind: "posted" });
  expect(await post(without({ key: "undo", refersTo: "wrong" }))).toBe("posted");
  expect(await post(move("b", "a", 10_000n), move("a", "b", 1n))).toBe("INSUFFICIENT_FUNDS");
  nowMs += 86_400_000;
  expect(await post(move("bank", "b", 9n, { effectiveAtMs: nowMs - 86_400_000 }))).toBe("posted");
  expect(await post(move("b", "bank", 2n))).toBe("posted");
  await store.closeAccount("closed", () => undefined, new Date(nowMs));
  await closeDays(database.db, tenantId, parseDay("2026-10-31")!, new Date(nowMs));
  ({ journal } = await opened.open());
  const late = { effectiveAtMs: Date.parse("2026-10-30T12:00:00Z") };
  expect(await post(move("bank", "b", 3n, late))).toBe("posted");
  await opened.close();
  expect((await opened.verify()).faults).toEqual([]);
  const sees = async () => {
    try {
      return (await opened.verify()).faults.length > 0;
    } catch {
      // A transfer, an account or a link that cannot be read ends a verification as failed.
      return true;
    }
  };
  return { tenantId, sees };
}

/**
 * One document of each kind: with the same fields and, where it has one, the same mode or state.
 */
async function documentsOf({ collection, filter }: Section): Promise<Stored[]> {
  const wanted = { ...filter, tenantId: ledger.tenantId } as never;
  const all = (await database.db.collection(collection).find(wanted).toArray()) as unknown as Stored[];
  const kindOf = (one: Stored) => [one["mode"], one["state"], ...leavesOf(one).map(([path]) => nameOf(path))].join();
  return [...Map.groupBy(all, kindOf).values()].map(([first]) => first!);
}

/** Paths of everything that is no object, and its value; a list's members under the list's path. */
function leavesOf(value: unknown, path: readonly (string | number)[] = []): [(string | number)[], unknown][] {
  const isPlain = value !== null && typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype;
  if (!isPlain && !Array.isArray(value)) return [[[...path], value]];
  if (Object.keys(value as object).length === 0) return [[[...path], value]];
  return Object.entries(value as object).flatMap(([name, inner]) =>
    leavesOf(inner, [...path, Array.isArray(value) ? Number(name) : name]),
  );
}

const nameOf = (path: readonly (string | number)[]) => path.filter((step) => typeof step === "string").join(".");

function noticeOf({ fields }: Section, path: readonly (string | number)[]): Notice | undefined {
  return fields[nameOf(path)] ?? fields[String(path[0])];
}

/** Another value of the same kind; of a list of words another word of that list. */
function other(value: unknown, path: readonly (string | number)[]): unknown {
  const words: Record<string, readonly string[]> = {
    mode: ["POSTED", "PENDING", "POST_PENDING", "VOID_PENDING", "EXPIRE_PENDING"],
    state: ["PENDING", "POSTED", "VOIDED", "EXPIRED"],
    type: ["ASSET", "LIABILITY"],
    service: ["wallet", "remittance"],
    currency: ["USD", "EUR"],
    "items.kind": ["ACCOUNT", "REFUSAL"],
  };
  const known = words[nameOf(path)];
  if (known !== undefined) return known.find((word) => word !== value);
  // Not onto the next one's place, which an index holds.
  if (typeof value === "bigint") return value + (["seq", "number"].includes(nameOf(path)) ? 1_000n : 1n);
  if (typeof value === "number") return value + 1;
  if (typeof value === "string") return `${value}x`;
  if (value instanceof Date) return new Date(value.getTime() + 1);
  if (value instanceof mongo.Binary)
    return new mongo.Binary(value.buffer.map((byte, n) => (n === 0 ? byte ^ 1 : byte)));
  if (Array.isArray(value)) return ["x"];
  throw new Error(`${nameOf(path)} is a ${typeof value} that nothing here changes`);
}

function changed(document: Stored, path: readonly (string | number)[], value: unknown): Stored {
  const copy = structuredCopy(document) as Record<string | number, unknown>;
  const holder = path.slice(0, -1).reduce((at, step) => at[step] as never, copy);
  if (value === undefined) delete holder[path.at(-1)!];
  else holder[path.at(-1)!] = value;
  return copy as Stored;
}

function structuredCopy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(structuredCopy);
  if (value === null || typeof value !== "object" || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, structuredCopy(inner)]));
}

/** Whether the verification notices, while a document is another one, or gone. */
async function isSeenWhile(collection: string, document: Stored, instead: Stored | undefined): Promise<boolean> {
  const stored = database.db.collection<Stored>(collection);
  const remove = ({ _id, tenantId }: Stored) => stored.deleteOne({ _id, tenantId });
  await remove(document);
  try {
    if (instead !== undefined) await stored.insertOne(instead as never);
    return await ledger.sees();
  } finally {
    if (instead !== undefined) await remove(instead);
    await stored.insertOne(document as never);
  }
}

test("every collection of the ledger stands here", async () => {
  const names = (await database.db.listCollections()).map(({ name }) => name);
  const evidence = Object.values(sections).map(({ collection }) => collection);
  const classified = new Set<string>([...evidence, ...Object.keys(noEvidence), ...Object.keys(shared)]);
  expect([...Object.values(collections), ...names].filter((name) => !classified.has(name))).toEqual([]);
});

/** No document is without the first two; without a type an account is taken for a liability. */
const neverGone = new Set(["_id", "tenantId", "type"]);

describe.each(Object.entries(sections))("%s", (_name, section) => {
  test("has no field that nobody classified, and every one that is classified occurs", async () => {
    const found = new Set<string>();
    for (const document of await documentsOf(section)) {
      for (const [path] of leavesOf(document)) {
        if (noticeOf(section, path) === undefined) throw new Error(`nobody classified ${nameOf(path)}`);
        found.add(String(path[0]));
      }
    }
    expect(Object.keys(section.fields).filter((name) => !name.includes(".") && !found.has(name))).toEqual([]);
  });

  test.each(Object.entries(section.fields))("%s, changed or gone: %j", async (field, notice) => {
    const wrong: string[] = [];
    let tried = 0;
    for (const document of await documentsOf(section)) {
      const leaves = leavesOf(document).filter(([path]) => path[0] === field);
      const edits = leaves.map(([path, value]) => [nameOf(path), changed(document, path, other(value, path))] as const);
      const isRemovable =
        section.mayBeGone !== true && leaves.length > 0 && notice === "verify" && !neverGone.has(field);
      const gone = isRemovable ? [[`without ${field}`, changed(document, [field], undefined)] as const] : [];
      for (const [what, instead] of [...edits, ...gone]) {
        tried += 1;
        const isSeen = await isSeenWhile(section.collection, document, instead);
        if (isSeen !== (notice === "verify")) wrong.push(`${document._id}: ${what}${isSeen ? " is" : " is not"} seen`);
      }
    }
    expect(wrong).toEqual([]);
    expect(tried).toBeGreaterThan(0);
  });

  test("that is gone is seen, where it is evidence", async () => {
    const isEvidence = section.mayBeGone !== true && Object.values(section.fields).includes("verify");
    for (const document of await documentsOf(section)) {
      expect(await isSeenWhile(section.collection, document, undefined)).toBe(isEvidence);
    }
  });
});
