import { randomUUID } from "node:crypto";
import type { Connection } from "mongoose";
import {
  hasFailPoints,
  holdFailPoints,
  silentLog,
  testDatabase,
  testMongoUri,
  testTenant,
  type TestDatabase,
} from "../../../test/support/index.js";
import { Refusal } from "../refusal.js";
import { watchTenantCommands, type TenantWatch } from "../../../test/support/command-monitor.js";
import { connectMongo, type MongoConnection } from "./connect.js";
import { createSharedTransactions, type SharedTransactions } from "./shared-transactions.js";
import { tenantCollection, type TenantCollection } from "./tenant-collection.js";
import { inTransaction } from "./transaction.js";
import { runsFor } from "../../../test/support/time.js";

interface Purse {
  _id: string;
  tenantId: string;
  balance: bigint;
  owner?: string;
  note?: { text: string; lines: bigint[] };
  old?: boolean;
}
interface Receipt {
  _id: string;
  tenantId: string;
  purse: string;
}
type Session = Parameters<Parameters<typeof inTransaction>[1]>[0];

// Fail points are the server's: this name keeps them away from other connections.
const appName = `shared-transactions-test-${randomUUID()}`;
let database: TestDatabase;
let connection: MongoConnection;
let db: Connection;
let purses: TenantCollection<Purse>;
let receipts: TenantCollection<Receipt>;
let shared: SharedTransactions;
let watch: TenantWatch;
let letGo: () => Promise<void>;

beforeAll(async () => {
  letGo = await holdFailPoints();
  database = await testDatabase("shared_transactions");
  const uri = `${testMongoUri()}&appName=${appName}`;
  connection = await connectMongo({ uri, database: database.database, log: silentLog, monitorCommands: true });
  db = connection.db;
  for (const name of ["purses", "receipts"]) await db.createCollection(name);
  watch = watchTenantCommands(db.getClient());
});
afterAll(async () => {
  watch.stop();
  await connection.close();
  await database.close();
  await letGo();
});
beforeEach(() => {
  const tenantId = testTenant();
  purses = tenantCollection<Purse>(db, "purses").forTenant(tenantId);
  receipts = tenantCollection<Receipt>(db, "receipts").forTenant(tenantId);
  shared = createSharedTransactions(db);
});
const failPointTest = hasFailPoints ? test : test.skip;

async function newPurses(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  await purses.insertMany(ids.map((_id) => ({ _id, balance: 0n })));
  watch.reset();
  return ids;
}

/** Adds 1 to a purse and leaves a receipt; false where the purse is not there. */
function deposit(purse: string, receipt: string = randomUUID()) {
  return {
    readBack: async () => ((await receipts.findOne({ _id: receipt })) ? true : undefined),
    async work(session: Session): Promise<boolean> {
      const { matchedCount } = await purses.updateOne({ _id: purse }, { $inc: { balance: 1n } }, { session });
      if (matchedCount === 0) return false;
      await receipts.insertOne({ _id: receipt, purse }, { session });
      return true;
    },
  };
}
const run = ({ work, readBack }: ReturnType<typeof deposit>) => shared.run("deposits", work, { readBack });
const balances = async () => (await purses.find({})).map(({ balance }) => balance);

test("those who come at once share one commit and one command for each step", async () => {
  const ids = await newPurses(8);
  expect(await Promise.all(ids.map((id) => run(deposit(id))))).toEqual(ids.map(() => true));
  expect(watch.counts()).toEqual({ update: 1, insert: 1, commitTransaction: 1 });
  expect(await balances()).toEqual(ids.map(() => 1n));
  expect(await receipts.count({})).toBe(8);
  expect(watch.violations()).toEqual([]);
});

describe("what takes a document's place, and comes beside it", () => {
  const replace = (place: string, successor: string) => ({
    readBack: async () => undefined,
    async work(session: Session): Promise<boolean> {
      const added = [
        { _id: `${successor} 1`, purse: "beside" },
        { _id: `${successor} 2`, purse: "beside" },
      ];
      const which = { filter: { purse: place }, update: { $set: { purse: successor } }, added };
      await receipts.succeed(which, `new ${successor}`, { session });
      return true;
    },
  });
  const inTurn = async (id: string) => (await receipts.findOne({ purse: id }))?._id;

  test("is one command for a lone one, whether the document was there or not", async () => {
    await receipts.insertOne({ _id: "was there", purse: "lone" });
    watch.counts();
    for (const [place, successor] of [
      ["lone", "next of lone"],
      ["nowhere", "next of nowhere"],
    ] as const) {
      expect(await shared.run("places", replace(place, successor).work, replace(place, successor))).toBe(true);
    }
    expect(await inTurn("next of lone")).toBe("was there");
    expect(await inTurn("next of nowhere")).toBe("new next of nowhere");
    expect(await receipts.count({ purse: "beside" })).toBe(4);
  });

  test("goes together with others, and alone where one of them finds nothing", async () => {
    const places = ["a", "b", "c", "d"];
    for (const place of places.slice(0, 3)) await receipts.insertOne({ _id: `id of ${place}`, purse: place });
    const all = places.map((place) => replace(place, `after ${place}`));
    expect(await Promise.all(all.map((one) => shared.run("places", one.work, one)))).toEqual([true, true, true, true]);
    const ids = await Promise.all(places.map((place) => inTurn(`after ${place}`)));
    expect(ids).toEqual(["id of a", "id of b", "id of c", "new after d"]);
  });
});

test("a lone one is a transaction of its own", async () => {
  const [id = ""] = await newPurses(1);
  expect(await run(deposit(id))).toBe(true);
  expect(watch.counts()).toEqual({ update: 1, insert: 1, commitTransaction: 1 });
});

test("two that change the same document both count", async () => {
  const [id = ""] = await newPurses(1);
  await Promise.all(Array.from({ length: 20 }, () => run(deposit(id))));
  expect(await balances()).toEqual([20n]);
  expect(await receipts.count({ purse: id })).toBe(20);
});

test("who finds nothing to write hears that, and the others' writes are there", async () => {
  const ids = await newPurses(3);
  const results = await Promise.all([...ids, "nobody's"].map((id) => run(deposit(id))));
  expect(results).toEqual([true, true, true, false]);
  expect(await balances()).toEqual([1n, 1n, 1n]);
});

test("who throws throws alone, and leaves nothing", async () => {
  const ids = await newPurses(3);
  const refused = {
    ...deposit(ids[0]!),
    async work(session: Session): Promise<boolean> {
      await purses.updateOne({ _id: ids[0]! }, { $inc: { balance: 100n } }, { session });
      throw new Refusal("STATE_CONFLICT", "not today");
    },
  };
  const [no, ...yes] = await Promise.allSettled([run(refused), ...ids.map((id) => run(deposit(id)))]);
  expect(no).toMatchObject({ status: "rejected", reason: { code: "STATE_CONFLICT" } });
  expect(yes.every(({ status }) => status === "fulfilled")).toBe(true);
  expect(await balances()).toEqual([1n, 1n, 1n]);
});

test("who inserts what is there throws alone", async () => {
  const ids = await newPurses(3);
  await run(deposit(ids[0]!, `taken ${ids[0]}`));
  const [no, ...yes] = await Promise.allSettled([
    run(deposit(ids[0]!, `taken ${ids[0]}`)),
    ...ids.map((id) => run(deposit(id))),
  ]);
  expect(no).toMatchObject({ status: "rejected", reason: { code: 11_000 } });
  expect(yes.every(({ status }) => status === "fulfilled")).toBe(true);
  expect(await balances()).toEqual([2n, 1n, 1n]);
});

test("who reads before it writes is kept apart from the others, as transactions are", async () => {
  const [id = ""] = await newPurses(1);
  const once = (receipt: string) => ({
    async work(session: Session): Promise<boolean> {
      const found = await purses.findOne({ _id: id }, { session });
      if (found === null || found.balance > 0n) return false;
      await purses.updateOne({ _id: id }, { $inc: { balance: 1n } }, { session });
      await receipts.insertOne({ _id: receipt, purse: id }, { session });
      return true;
    },
    readBack: async () => undefined,
  });
  const all = Array.from({ length: 6 }, () => once(randomUUID()));
  const results = await Promise.all(all.map((one) => shared.run("last one", one.work, one)));
  expect(results.filter(Boolean)).toHaveLength(1);
  expect(await balances()).toEqual([1n]);
  expect(await receipts.count({})).toBe(1);
});

test("a condition in the filter of a write is met by one alone", async () => {
  const [id = ""] = await newPurses(1);
  const once = () => ({
    async work(session: Session): Promise<boolean> {
      const empty = { _id: id, balance: 0n };
      return (await purses.updateOne(empty, { $inc: { balance: 1n } }, { session })).matchedCount === 1;
    },
    readBack: async () => undefined,
  });
  const results = await Promise.all(Array.from({ length: 6 }, once).map((one) => shared.run("first", one.work, one)));
  expect(results.filter(Boolean)).toHaveLength(1);
  expect(await balances()).toEqual([1n]);
});

test.each<[string, (session: Session, id: string) => Promise<unknown>]>([
  ["a look", (session, id) => purses.findOne({ _id: id }, { session })],
  ["a list", (session, id) => purses.find({ _id: id }, { session })],
  ["a count", (session, id) => purses.count({ _id: id }, { session })],
  ["a sum", (session, id) => purses.aggregate([{ $match: { _id: id } }], { session })],
  [
    "a look with a change",
    (session, id) => purses.findOneAndUpdate({ _id: id }, { $inc: { balance: 0n } }, { session }),
  ],
  ["a removal", (session, id) => receipts.deleteOne({ _id: id }, { session })],
  ["an upsert", (session, id) => purses.updateOne({ _id: id }, { $inc: { balance: 0n } }, { session, upsert: true })],
  ["a write of many", (session, id) => purses.updateMany({ _id: id }, { $inc: { balance: 0n } }, { session })],
  [
    "a bulk",
    (session, id) => receipts.bulkWrite([{ insertOne: { document: { _id: `bulk ${id}`, purse: id } } }], { session }),
  ],
])("%s makes all of the group go alone, and be right", async (_what, step) => {
  const ids = await newPurses(3);
  const [first = "", ...others] = ids;
  const more = deposit(first);
  const work = async (session: Session): Promise<boolean> => {
    await step(session, first);
    return more.work(session);
  };
  const results = await Promise.all([shared.run("deposits", work, more), ...others.map((id) => run(deposit(id)))]);
  expect(results).toEqual([true, true, true]);
  expect(await balances()).toEqual([1n, 1n, 1n]);
  expect(watch.counts()["commitTransaction"]).toBe(3);
});

test("a shared transaction that meets another's lock leaves each to its own, which waits", async () => {
  const ids = await newPurses(3);
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  let isHolding: () => void = () => undefined;
  const holding = new Promise<void>((resolve) => (isHolding = resolve));
  const other = inTransaction(
    db,
    async (session) => {
      await purses.updateOne({ _id: ids[0]! }, { $inc: { balance: 10n } }, { session });
      isHolding();
      await held;
    },
    { readBack: async () => undefined },
  );
  await holding;
  const all = ids.map((id) => run(deposit(id)));
  await Promise.all(all.slice(1));
  release();
  await Promise.all([other, ...all]);
  expect(await balances()).toEqual([11n, 1n, 1n]);
});

test("one that waits for a lock keeps nobody waiting who comes after it", async () => {
  const [locked = "", free = ""] = await newPurses(2);
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  let isHolding: () => void = () => undefined;
  const holding = new Promise<void>((resolve) => (isHolding = resolve));
  const other = inTransaction(
    db,
    async (session) => {
      await purses.updateOne({ _id: locked }, { $inc: { balance: 10n } }, { session });
      isHolding();
      await held;
    },
    { readBack: async () => undefined },
  );
  await holding;
  const waits = run(deposit(locked));
  await runsFor(20);
  // Settles while the lock is held: it is released only afterwards.
  expect(await run(deposit(free))).toBe(true);
  release();
  await Promise.all([other, waits]);
  expect(await balances()).toEqual([11n, 1n]);
});

describe("writes of a group into a collection", () => {
  /** Statements of each update and delete that is sent meanwhile. */
  async function statementsOf(work: () => Promise<unknown>): Promise<number[]> {
    const found: number[] = [];
    const see = ({ command }: { command: { updates?: unknown[]; deletes?: unknown[] } }) => {
      const statements = command.updates ?? command.deletes;
      if (statements !== undefined) found.push(statements.length);
    };
    db.getClient().on("commandStarted", see);
    try {
      await work();
    } finally {
      db.getClient().off("commandStarted", see);
    }
    return found;
  }
  type Step = (session: Session) => Promise<{ matchedCount?: number; deletedCount?: number }>;
  const together = (steps: readonly Step[]) =>
    Promise.all(
      steps.map((step) =>
        shared.run("steps", async (session) => Object.values(await step(session))[0] === 1, {
          readBack: async () => undefined,
        }),
      ),
    );
  const note = (index: number) => ({ text: `$balance ${index}`, lines: [BigInt(index), 2n ** 63n - 1n] });

  test("are one command of a statement each, and come to what they do one by one", async () => {
    const ids = await newPurses(8);
    await purses.updateMany({}, { $set: { old: true, note: { text: "before", lines: [] } } });
    const steps = ids.map((_id, index): Step => {
      const change = { $set: { balance: BigInt(index) - 4n, note: note(index) }, $unset: { old: true as const } };
      return (session) => purses.updateOne({ _id, balance: 0n }, change, { session });
    });
    expect(await statementsOf(() => together(steps))).toEqual([8]);
    const found = new Map((await purses.find({})).map((purse) => [purse._id, purse]));
    for (const [index, id] of ids.entries()) {
      const { tenantId: _, ...purse } = found.get(id)!;
      expect(purse).toEqual({ _id: id, balance: BigInt(index) - 4n, note: note(index) });
    }
    const gone = ids.slice(0, 5).map(
      (_id): Step =>
        (session) =>
          purses.deleteOne({ _id }, { session }),
    );
    expect(await statementsOf(() => together(gone))).toEqual([5]);
    expect((await purses.find({})).map(({ _id }) => _id).toSorted()).toEqual(ids.slice(5).toSorted());
  });

  test("one of which meets nothing leave the others as they are asked for", async () => {
    const ids = await newPurses(4);
    const missing =
      (_id: string): Step =>
      (session) =>
        purses.updateOne({ _id }, { $set: { balance: 1n } }, { session });
    expect(await together([...ids, "nobody's"].map(missing))).toEqual([true, true, true, true, false]);
    const gone = [...ids.slice(1), "nobody's"].map(
      (_id): Step =>
        (session) =>
          purses.deleteOne({ _id }, { session }),
    );
    expect(await together(gone)).toEqual([true, true, true, false]);
    expect(await balances()).toEqual([1n]);
  });

  test("of one document stay in their order", async () => {
    const [id = ""] = await newPurses(1);
    const steps = [1n, 2n, 3n].map((balance): Step => (session) => {
      return purses.updateOne({ _id: id, balance: balance - 1n }, { $set: { balance } }, { session });
    });
    expect(await statementsOf(() => together(steps))).toEqual([3]);
    expect(await balances()).toEqual([3n]);
    const increment: Step = (session) => purses.updateOne({ _id: id }, { $inc: { balance: 1n } }, { session });
    expect(await statementsOf(() => together([increment, increment]))).toEqual([2]);
    expect(await balances()).toEqual([5n]);
  });
});

describe("MongoDB's faults", () => {
  const failPoint = (mode: "off" | { times: number }, data: object = {}) =>
    database.db
      .getClient()
      .db("admin")
      .command({ configureFailPoint: "failCommand", mode, data: { appName, ...data } });
  afterEach(async () => void (hasFailPoints && (await failPoint("off"))));

  failPointTest.each([
    ["a step that is cut off", { failCommands: ["insert"], closeConnection: true }],
    ["a commit that is cut off", { failCommands: ["commitTransaction"], closeConnection: true }],
    ["a commit whose outcome nobody knows", { failCommands: ["commitTransaction"], errorCode: 251 }],
    [
      "a commit that is there though MongoDB cannot say so",
      { failCommands: ["commitTransaction"], writeConcernError: { code: 64, errmsg: "waiting for replication" } },
    ],
  ])("%s: each is done once", async (_what, data) => {
    const ids = await newPurses(5);
    await failPoint({ times: 1 }, data);
    expect(await Promise.all(ids.map((id) => run(deposit(id))))).toEqual(ids.map(() => true));
    expect(await balances()).toEqual(ids.map(() => 1n));
    expect(await receipts.count({})).toBe(5);
  });
});
