import { mongo } from "mongoose";
import { silentLog, testDatabase, type TestDatabase } from "../../../test/support/index.js";
import { openLedger } from "../../../test/support/ledger-journal.js";
import { runMigrations } from "../../kernel/mongo/migrations.js";
import { migrations } from "./migrations.js";
import { readAtOneMoment } from "./snapshot.js";

let database: TestDatabase;
let ledger: Awaited<ReturnType<typeof openLedger>>;

beforeAll(async () => {
  database = await testDatabase("ledger_snapshot");
  await runMigrations(database.db, migrations, silentLog);
  ledger = await openLedger(database.db);
  await ledger.accounts(["a", "b"]);
});
afterAll(() => database.close());

/** What is sent to MongoDB for the ledger's accounts while something runs. */
async function sentBy(work: () => Promise<unknown>): Promise<mongo.Document[]> {
  const sent: mongo.Document[] = [];
  const listen = ({ command }: mongo.CommandStartedEvent) => void sent.push(command);
  const client = database.db.getClient();
  client.on("commandStarted", listen);
  await work();
  client.off("commandStarted", listen);
  return sent.filter((command) => !("ping" in command) && !("endSessions" in command));
}

test("accounts of one moment are one command, which names the moment", async () => {
  let found: unknown;
  const sent = await sentBy(async () => {
    found = (await ledger.store.findAccountsSnapshot(["a", "b", "nobody"])).map(({ info }) => info.accountId).sort();
  });
  expect(found).toEqual(["a", "b"]);
  expect(sent).toMatchObject([{ find: "accounts", readConcern: { level: "snapshot" } }]);
  // What does not end with its first batch would ask for the moment again.
  expect(sent[0]!["batchSize"]).toBe(4);
  expect(sent[0]!["autocommit"]).toBeUndefined();
});

test.each([
  ["is too old", 239],
  ["is not there", 246],
])("a moment that %s is read again, in a transaction", async (_why, code) => {
  const inTransaction: boolean[] = [];
  const found = await readAtOneMoment(database.db, async (session) => {
    inTransaction.push(session?.inTransaction() === true);
    if (session === undefined) throw new mongo.MongoServerError({ message: "gone", code });
    return ledger.store.findAccounts(["a"], session);
  });
  expect(found.map(({ info }) => info.accountId)).toEqual(["a"]);
  expect(inTransaction).toEqual([false, true]);
});

test("another failure is the reader's own", async () => {
  const read = () => Promise.reject(new mongo.MongoServerError({ message: "no such index", code: 2 }));
  await expect(readAtOneMoment(database.db, read)).rejects.toThrow("no such index");
});
