import { silentLog, testDatabase, type TestDatabase } from "../../test/support/index.js";
import { fund, linked, move, openLedger } from "../../test/support/ledger-journal.js";
import { runMigrations } from "../shared/mongo/migrations.js";
import { migrations } from "./migrations.js";

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase("ledger_verify");
  await runMigrations(database.db, migrations, silentLog);
});
afterAll(() => database.close());

/** Three transfers, the last one in a commit of its own; `edit` then changes what is stored, past every rule. */
async function faultsAfter(collection: string, edit: (tenantId: string) => [id: string, update: object | "remove"]) {
  const ledger = await openLedger(database.db);
  await ledger.accounts(["a", "b"]);
  const { journal } = await ledger.open();
  await fund(journal, "a", 100n);
  await journal.post(linked(move("a", "b", 30n, { key: "second" })));
  await journal.post(linked(move("a", "b", 5n, { key: "last" })));
  await ledger.close();
  expect(await ledger.verify()).toEqual({ transfers: 3n, faults: [] });
  const { tenantId } = ledger;
  const [id, update] = edit(tenantId);
  const stored = database.db.collection<{ _id: string; tenantId: string }>(collection);
  if (update === "remove") await stored.deleteOne({ _id: id, tenantId });
  else await stored.updateOne({ _id: id, tenantId }, update);
  return (await ledger.verify()).faults;
}

test("one stored amount that was changed", async () => {
  const faults = await faultsAfter("transfers", (tenant) => [`${tenant}:second`, { $set: { amountMinor: 3n } }]);
  expect(faults).toEqual([{ seq: 2n, key: "second", what: "its content does not fit its hash" }]);
});

test("one balance of an account that was changed", async () => {
  const faults = await faultsAfter("accounts", (tenant) => [`${tenant}:b`, { $set: { creditsPostedMinor: 99n } }]);
  expect(faults).toEqual([{ accountId: "b", what: "creditsPostedMinor is 99, its transfers say 35" }]);
});

test("a transfer that was removed", async () => {
  const faults = await faultsAfter("transfers", (tenant) => [`${tenant}:second`, "remove"]);
  expect(faults).toEqual([{ seq: 3n, key: "last", what: "the transfer after 1 is missing" }]);
});

test("a tail that was cut off", async () => {
  const faults = await faultsAfter("transfers", (tenant) => [`${tenant}:last`, "remove"]);
  expect(faults[0]).toEqual({ seq: 2n, what: "the journal ends here, its head says 3" });
});
