import type { mongo } from "mongoose";
import { silentLog, testDatabase, type TestDatabase } from "../../../test/support/index.js";
import { fund, linked, move, openLedger } from "../../../test/support/ledger-journal.js";
import { runMigrations } from "../../kernel/mongo/migrations.js";
import { migrations } from "./migrations.js";

let database: TestDatabase;
let tenantId: string;

beforeAll(async () => {
  database = await testDatabase("ledger_plans");
  await runMigrations(database.db, migrations, silentLog);
  const ledger = await openLedger(database.db);
  ({ tenantId } = ledger);
  await ledger.accounts(["a", "b"]);
  const { journal } = await ledger.open();
  for (let n = 0; n < 30; n++) await fund(journal, n % 2 === 0 ? "a" : "b", 10n);
  await journal.post({ ...linked(move("a", "b", 1n)), interactionId: "wanted" });
  await journal.post({ ...linked(move("a", "b", 1_000_000n)), interactionId: "wanted" });
  await journal.post(linked(move("a", "b", 1n, { mode: "PENDING", timeoutMs: 60_000 })));
  await ledger.close();
});
afterAll(() => database.close());

interface Plan {
  inputStage?: Plan;
  stage: string;
  indexName?: string;
}

/** Index, documents examined and documents returned of a find. */
async function planOf(collection: string, filter: mongo.Filter<mongo.BSON.Document>, sort: mongo.Sort = {}) {
  const explained = (await database.db.collection(collection).find(filter).sort(sort).explain("executionStats")) as {
    queryPlanner: { winningPlan: Plan & { queryPlan?: Plan } };
    executionStats: { totalDocsExamined: number; nReturned: number };
  };
  const stages: Plan[] = [];
  const { winningPlan } = explained.queryPlanner;
  for (let plan: Plan | undefined = winningPlan.queryPlan ?? winningPlan; plan; plan = plan.inputStage)
    stages.push(plan);
  expect(stages.map(({ stage }) => stage)).not.toContain("SORT");
  const index = stages.find(({ indexName }) => indexName !== undefined)?.indexName ?? stages.at(-1)!.stage;
  const { totalDocsExamined, nReturned } = explained.executionStats;
  return { index, examined: totalDocsExamined, returned: nReturned };
}

// The filters of store/entries.ts, store/accounts.ts and store/journal.ts.
test("history by interaction id reads its entries and nothing else", async () => {
  const filter = { tenantId, interactionId: "wanted", seq: { $gt: 0n }, entries: { $exists: true } };
  expect(await planOf("transfers", filter, { seq: 1 })).toEqual({ index: "interaction", examined: 1, returned: 1 });
});

test("an account's transfers are found in their order", async () => {
  const filter = { tenantId, "entries.account": "b", seq: { $gt: 0n } };
  expect(await planOf("transfers", filter, { seq: 1 })).toEqual({ index: "account", examined: 16, returned: 16 });
});

test("the journal is paged by sequence, refusals left out", async () => {
  const plan = await planOf("transfers", { tenantId, seq: { $gt: 20n } }, { seq: 1 });
  expect(plan).toEqual({ index: "sequence", examined: 12, returned: 12 });
});

test("due pending transfers are found across tenants by time", async () => {
  const plan = await planOf("pendings", { dueAt: { $lte: new Date(Date.now() + 3_600_000) } }, { dueAt: 1 });
  expect(plan).toEqual({ index: "due", examined: 1, returned: 1 });
  // Those that are passed over cost no document.
  const others = { dueAt: { $lte: new Date(Date.now() + 3_600_000) }, tenantId: { $nin: [tenantId] } };
  expect(await planOf("pendings", others as never, { dueAt: 1 })).toEqual({ index: "due", examined: 0, returned: 0 });
});

test("keys are looked up by _id", async () => {
  const plan = await planOf("transfers", { tenantId, _id: { $in: [`${tenantId}:x`, `${tenantId}:y`] as never } });
  expect(plan).toMatchObject({ index: "_id_", returned: 0 });
});

test("a tenant's accounts are found without reading others'", async () => {
  expect(await planOf("accounts", { tenantId })).toEqual({ index: "code", examined: 3, returned: 3 });
});
