import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startMongo, type RunningMongo } from "../../../deploy/local/servers.js";
import { silentLog } from "../../../test/support/index.js";
import { fund, linked, move, openLedger } from "../../../test/support/ledger-journal.js";
import { connectMongo, type MongoConnection } from "../../kernel/mongo/connect.js";
import { runMigrations } from "../../kernel/mongo/migrations.js";
import { migrations } from "../store/migrations.js";

// A mongod of its own: there is one failCommand per server, and other tests use that of the run's.
let dir: string;
let server: RunningMongo;
let mongo: MongoConnection;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "manilla-journal-"));
  server = await startMongo({ dir, extraArgs: ["--setParameter", "enableTestCommands=1"] });
  mongo = await connectMongo({ uri: server.uri, database: "ledger", log: silentLog });
  await runMigrations(mongo.db, migrations, silentLog);
});
afterAll(async () => {
  await mongo.close();
  await server.kill();
  await rm(dir, { recursive: true, force: true });
});

async function failPoint(mode: object | string, data: object = {}) {
  await mongo.db.getClient().db("admin").command({ configureFailPoint: "failCommand", mode, data });
}
afterEach(() => failPoint("off"));

test("a commit whose outcome is unknown is found out before anybody is answered", async () => {
  const ledger = await openLedger(mongo.db);
  await ledger.accounts(["a"]);
  const { journal } = await ledger.open();
  await fund(journal, "a", 1n);
  // The first attempts never arrive; then the commit happens, but MongoDB cannot vouch for it.
  await failPoint({ times: 3 }, { failCommands: ["commitTransaction"], closeConnection: true });
  await fund(journal, "a", 1n);
  await failPoint(
    { times: 2 },
    {
      failCommands: ["commitTransaction"],
      writeConcernError: { code: 64, errmsg: "waiting for replication timed out" },
    },
  );
  await fund(journal, "a", 1n);
  expect(await ledger.verify()).toEqual({ transfers: 3n, faults: [] });
});

test("a commit that turns out not to have happened is done again", async () => {
  const ledger = await openLedger(mongo.db);
  await ledger.accounts(["a"]);
  const { journal } = await ledger.open();
  await failPoint(
    { times: 1 },
    { failCommands: ["commitTransaction"], errorCode: 251, errorLabels: ["TransientTransactionError"] },
  );
  await fund(journal, "a", 1n);
  expect(await ledger.verify()).toEqual({ transfers: 1n, faults: [] });
});

test("transient errors inside the transaction are worked through", async () => {
  const ledger = await openLedger(mongo.db);
  await ledger.accounts(["a"]);
  const { journal } = await ledger.open();
  const data = { failCommands: ["insert"], errorCode: 112, errorLabels: ["TransientTransactionError"] };
  await failPoint({ times: 3 }, data);
  await fund(journal, "a", 1n);
  expect(await ledger.verify()).toEqual({ transfers: 1n, faults: [] });
});

test("a look-up that fails refuses those who asked, and nobody after them", async () => {
  const ledger = await openLedger(mongo.db);
  await ledger.accounts(["a"]);
  const { journal } = await ledger.open();
  await failPoint({ times: 10 }, { failCommands: ["find"], closeConnection: true });
  await expect(journal.post(linked(move("bank", "a", 1n)))).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await failPoint("off");
  await fund(journal, "a", 1n);
});
