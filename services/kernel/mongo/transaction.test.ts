import { randomUUID } from "node:crypto";
import type { Connection } from "mongoose";
import {
  hasFailPoints,
  holdFailPoints,
  silentLog,
  testDatabase,
  testMongoUri,
  testTenant,
  waitFor,
  type TestDatabase,
} from "../../../test/support/index.js";
import { Refusal } from "../refusal.js";
import { connectMongo, type MongoConnection } from "./connect.js";
import { killSessions, sessionId } from "./sessions.js";
import { inTransaction, isDuplicateKey } from "./transaction.js";
import { tenantCollection, type TenantCollection } from "./tenant-collection.js";
import { nothingFor, runsFor } from "../../../test/support/time.js";

interface Purse {
  _id: string;
  tenantId: string;
  balance: bigint;
}

// Fail points are the server's: this name keeps them away from other connections.
const appName = `transaction-test-${randomUUID()}`;
let database: TestDatabase;
let failing: MongoConnection;
let db: Connection;
let purses: TenantCollection<Purse>;
let letGo: () => Promise<void>;

beforeAll(async () => {
  letGo = await holdFailPoints();
  database = await testDatabase("transaction");
  const uri = `${testMongoUri()}&appName=${appName}`;
  failing = await connectMongo({ uri, database: database.database, log: silentLog });
  db = failing.db;
});
afterAll(async () => {
  await failing.close();
  await database.close();
  await letGo();
});
beforeEach(async () => {
  purses = tenantCollection<Purse>(db, "purses").forTenant(testTenant());
  await purses.insertOne({ _id: randomUUID(), balance: 0n });
});

const admin = () => database.db.getClient().db("admin");

afterEach(async () => void (hasFailPoints && (await failPoint("off"))));
const [failPointTest, describeFailPoints] = hasFailPoints ? [test, describe] : [test.skip, describe.skip];

async function failPoint(mode: "off" | "alwaysOn" | { times: number }, data: object = {}): Promise<void> {
  await admin().command({ configureFailPoint: "failCommand", mode, data: { appName, ...data } });
}

/** Adds 1 to the purse and leaves a receipt, counting how often the work is run. */
function deposit(id = randomUUID()) {
  const deposited = {
    id,
    runs: 0,
    work: async (session: Parameters<Parameters<typeof inTransaction>[1]>[0]) => {
      deposited.runs++;
      await purses.insertOne({ _id: id, balance: 0n }, { session });
      await purses.updateOne({ _id: { $ne: id } }, { $inc: { balance: 1n } }, { session });
      return { id };
    },
    readBack: async () => ((await purses.findOne({ _id: id })) ? { id } : undefined),
  };
  return deposited;
}

const run = (given: ReturnType<typeof deposit>, deadlineMs?: number) =>
  inTransaction(db, given.work, { readBack: given.readBack, ...(deadlineMs === undefined ? {} : { deadlineMs }) });

/** The purse's balance and the number of receipts, which must agree. */
async function outcome() {
  const all = await purses.find({});
  return { balance: all.reduce((sum, { balance }) => sum + balance, 0n), receipts: all.length - 1 };
}

test("commits once and returns the work's result", async () => {
  const given = deposit();
  expect(await run(given)).toEqual({ id: given.id });
  expect(await outcome()).toEqual({ balance: 1n, receipts: 1 });
});

test("rolls back and rethrows what the work throws", async () => {
  const given = deposit();
  const refused = inTransaction(
    db,
    async (session) => {
      await given.work(session);
      throw new Refusal("INSUFFICIENT_FUNDS", "no");
    },
    { readBack: given.readBack },
  );
  await expect(refused).rejects.toMatchObject({ code: "INSUFFICIENT_FUNDS" });
  expect(await outcome()).toEqual({ balance: 0n, receipts: 0 });
});

test("hands a duplicate key to the caller", async () => {
  const given = deposit();
  await run(given);
  expect(await run(deposit(given.id)).catch(isDuplicateKey)).toBe(true);
  expect(await outcome()).toEqual({ balance: 1n, receipts: 1 });
});

test("thirty writers of one document all get through", async () => {
  await Promise.all(Array.from({ length: 30 }, () => run(deposit())));
  expect(await outcome()).toEqual({ balance: 30n, receipts: 30 });
});

describeFailPoints("when nobody knows whether the commit happened", () => {
  test("and it did: retries until MongoDB says committed", async () => {
    // Executed, but the majority's confirmation is reported lost.
    await failPoint(
      { times: 3 },
      { failCommands: ["commitTransaction"], writeConcernError: { code: 64, errmsg: "lost" } },
    );
    const given = deposit();
    expect(await run(given)).toEqual({ id: given.id });
    expect(given.runs).toBe(1);
    expect(await outcome()).toEqual({ balance: 1n, receipts: 1 });
  });

  test("and it did not: commits at a later try", async () => {
    await failPoint({ times: 5 }, { failCommands: ["commitTransaction"], closeConnection: true });
    const given = deposit();
    expect(await run(given)).toEqual({ id: given.id });
    expect(given.runs).toBe(1);
    expect(await outcome()).toEqual({ balance: 1n, receipts: 1 });
  });

  test("and it did, then the transaction is forgotten: reads back and does not run it again", async () => {
    const lost = { failCommands: ["commitTransaction"], writeConcernError: { code: 64, errmsg: "lost" } };
    await failPoint("alwaysOn", lost);
    const given = deposit();
    const readBack = jest.fn(given.readBack);
    const running = inTransaction(db, given.work, { readBack });
    await waitFor(given.readBack);
    const forgotten = { errorCode: 251, errorLabels: ["TransientTransactionError"] };
    // Every try: the driver may make one of its own.
    await failPoint("alwaysOn", { failCommands: ["commitTransaction"], ...forgotten });
    expect(await running).toEqual({ id: given.id });
    expect(given.runs).toBe(1);
    expect(readBack).toHaveBeenCalledTimes(1);
    expect(await outcome()).toEqual({ balance: 1n, receipts: 1 });
  });

  test("and it was rolled back: reads back and runs the whole work again", async () => {
    await failPoint("alwaysOn", { failCommands: ["commitTransaction"], closeConnection: true });
    const given = deposit();
    let first: ReturnType<typeof sessionId> | undefined;
    const running = inTransaction(
      db,
      async (session) => {
        first ??= sessionId(session);
        return given.work(session);
      },
      { readBack: given.readBack },
    );
    await waitFor(() => given.runs > 0);
    await runsFor(50);
    // The server gives the transaction up while its commit is being tried.
    if (first) await killSessions(database.db, [first]);
    await failPoint("off");
    expect(await running).toEqual({ id: given.id });
    expect(given.runs).toBe(2);
    expect(await outcome()).toEqual({ balance: 1n, receipts: 1 });
  });

  test("nobody is answered before MongoDB is back", async () => {
    await failPoint("alwaysOn", { failCommands: ["commitTransaction"], closeConnection: true });
    const given = deposit();
    let isAnswered = false;
    const running = run(given, 100).finally(() => (isAnswered = true));
    await nothingFor(600);
    expect(isAnswered).toBe(false);
    await failPoint("off");
    expect(await running).toEqual({ id: given.id });
    expect(await outcome()).toEqual({ balance: 1n, receipts: 1 });
  });
});

failPointTest("ends, unanswered, when its client is closed while the outcome is unknown", async () => {
  const uri = `${testMongoUri()}&appName=${appName}`;
  const closing = await connectMongo({ uri, database: database.database, log: silentLog });
  await failPoint("alwaysOn", { failCommands: ["commitTransaction"], closeConnection: true });
  const own = tenantCollection<Purse>(closing.db, "purses").forTenant(testTenant());
  const running = inTransaction(
    closing.db,
    (session) => own.insertOne({ _id: randomUUID(), balance: 0n }, { session }),
    {
      readBack: async () => undefined,
    },
  );
  const failure = expect(running).rejects.toThrow();
  await runsFor(100);
  await closing.close();
  await failure;
});

failPointTest("reads back for as long as MongoDB is away", async () => {
  const given = deposit();
  let reads = 0;
  const readBack = async () => {
    if (reads++ === 0) await failPoint({ times: 6 }, { failCommands: ["find"], closeConnection: true });
    return given.readBack();
  };
  const forgotten = { errorCode: 251, errorLabels: ["TransientTransactionError"] };
  await failPoint({ times: 1 }, { failCommands: ["commitTransaction"], ...forgotten });
  expect(await inTransaction(db, given.work, { readBack })).toEqual({ id: given.id });
  expect(reads).toBeGreaterThan(1);
  expect(await outcome()).toEqual({ balance: 1n, receipts: 1 });
});

describeFailPoints("when the server asks to try again", () => {
  const busy = { errorCode: 112, errorLabels: ["TransientTransactionError"] };

  test("runs the whole work again", async () => {
    await failPoint({ times: 3 }, { failCommands: ["update"], ...busy });
    const given = deposit();
    expect(await run(given)).toEqual({ id: given.id });
    expect(given.runs).toBe(4);
    expect(await outcome()).toEqual({ balance: 1n, receipts: 1 });
  });

  test("runs it again when the commit itself is refused", async () => {
    await failPoint({ times: 1 }, { failCommands: ["commitTransaction"], ...busy });
    const given = deposit();
    expect(await run(given)).toEqual({ id: given.id });
    expect(given.runs).toBe(2);
    expect(await outcome()).toEqual({ balance: 1n, receipts: 1 });
  });

  test("gives up after the deadline with nothing written", async () => {
    await failPoint("alwaysOn", { failCommands: ["update"], ...busy });
    await expect(run(deposit(), 200)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await failPoint("off");
    expect(await outcome()).toEqual({ balance: 0n, receipts: 0 });
  });

  test("survives a connection cut in the middle of the work", async () => {
    await failPoint({ times: 1 }, { failCommands: ["update"], closeConnection: true });
    const given = deposit();
    expect(await run(given)).toEqual({ id: given.id });
    expect(await outcome()).toEqual({ balance: 1n, receipts: 1 });
  });
});

test("a successor frees what a dead owner's transaction holds", async () => {
  const dead = await db.startSession();
  dead.startTransaction();
  await purses.updateOne({}, { $inc: { balance: 5n } }, { session: dead });
  const startedAt = performance.now();
  await killSessions(db, [sessionId(dead)]);
  await run(deposit());
  expect(performance.now() - startedAt).toBeLessThan(2_000);
  expect(await outcome()).toEqual({ balance: 1n, receipts: 1 });
  await dead.endSession();
});
