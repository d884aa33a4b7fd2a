import { silentLog, testDatabase, type TestDatabase } from "../../../test/support/index.js";
import { fund, linked, move, openLedger } from "../../../test/support/ledger-journal.js";
import { runMigrations } from "../../kernel/mongo/migrations.js";
import { JournalLost } from "../journal/lost.js";
import { migrations } from "../store/migrations.js";
import type { PublishedHead } from "../domain/journal.js";
import type { VerifyOptions } from "./verify.js";

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase("ledger_verify");
  await runMigrations(database.db, migrations, silentLog);
});
afterAll(() => database.close());

type Edit = (tenantId: string) => [id: string, update: object | "remove"];

/**
 * Three transfers, the last one in a commit of its own; `edit` then changes what is stored, past
 * every rule.
 */
async function faultsAfter(collection: string, edit: Edit, options?: VerifyOptions) {
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
  return (await ledger.verify(options)).faults;
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

test("one balance after an entry that was changed", async () => {
  const edit = { $set: { "entries.1.balanceMinor": 31n } };
  const faults = await faultsAfter("transfers", (tenant) => [`${tenant}:second`, edit]);
  expect(faults).toEqual([{ seq: 2n, key: "second", what: "its content does not fit its hash" }]);
});

test("an account that was removed", async () => {
  const faults = await faultsAfter("accounts", (tenant) => [`${tenant}:b`, "remove"]);
  expect(faults).toEqual([
    { seq: 2n, key: "second", what: "its account b is missing" },
    { accountId: "b", what: "a record holds it, and it is missing" },
  ]);
});

test("an account that was set back to an earlier transfer", async () => {
  const back = { $set: { creditsPostedMinor: 30n, "openDay.creditsMinor": 30n, lastSeq: 2n } };
  const faults = await faultsAfter("accounts", (tenant) => [`${tenant}:b`, back]);
  expect(faults).toEqual([{ accountId: "b", what: "its figures end at 2, and leave out 3" }]);
});

test("an account through which three times 2^62 went, and what of it was changed", async () => {
  const ledger = await openLedger(database.db);
  await ledger.accounts(["a"]);
  const { journal } = await ledger.open();
  const part = 2n ** 62n;
  const sums = { debitsPostedMinor: 3n * part, creditsPostedMinor: 3n * part + 7n };
  for (const round of [1, 2, 3]) {
    expect(await journal.post(linked(move("bank", "a", part, { key: `in${round}` })))).toMatchObject({
      kind: "posted",
    });
    const out = await journal.post(linked(move("a", "bank", part, { key: `out${round}` })));
    expect(out).toMatchObject({ kind: "posted", transfers: [{ debitBalanceMinor: 0n, creditBalanceMinor: 0n }] });
  }
  await journal.post(linked(move("bank", "a", 7n, { key: "rest" })));
  await ledger.close();
  expect(await ledger.figures("a")).toMatchObject(sums);
  expect(await ledger.verify()).toEqual({ transfers: 7n, faults: [] });
  // Another owner loads what is stored, and books on.
  const next = await ledger.open();
  await next.journal.post(linked(move("a", "bank", 7n, { key: "last" })));
  await ledger.close();
  expect(await ledger.verify()).toEqual({ transfers: 8n, faults: [] });
  expect(await ledger.store.totals()).toMatchObject([
    { debitsMinor: 3n * part + 7n, creditsMinor: 3n * part + 7n },
    { debitsMinor: 3n * part + 7n, creditsMinor: 3n * part + 7n },
  ]);
  const accounts = database.db.collection<{ _id: string; tenantId: string }>("accounts");
  const stored = { _id: `${ledger.tenantId}:a`, tenantId: ledger.tenantId };
  const what = `debitsPostedMinor is ${3n * part + 8n}, its transfers say ${3n * part + 7n}`;
  await accounts.updateOne(stored, { $inc: { "rolledOver.low": 1n } });
  expect((await ledger.verify()).faults).toEqual([{ accountId: "a", what }]);
  // A multiple of 2^64 between days does not go unseen either.
  await accounts.updateOne(stored, { $inc: { "rolledOver.low": -1n } });
  const days = database.db.collection<{ _id: string; tenantId: string; accountId: string }>("days");
  await days.updateOne({ tenantId: ledger.tenantId, accountId: "a" }, { $inc: { "debits.high": 2n ** 32n } });
  expect((await ledger.verify()).faults).toMatchObject([{ accountId: "a" }]);
});

test("one sum of a day that was changed, and one that was moved to another day", async () => {
  const what = "its sums per day are not what its transfers say";
  const more = { $inc: { "openDay.creditsMinor": 1n } };
  expect(await faultsAfter("accounts", (tenant) => [`${tenant}:b`, more])).toEqual([{ accountId: "b", what }]);
  const moved = { $inc: { "openDay.day": -1 } };
  expect(await faultsAfter("accounts", (tenant) => [`${tenant}:a`, moved])).toEqual([{ accountId: "a", what }]);
});

test("one volume that was changed, in the head or beside it", async () => {
  const today = new Date().toISOString().slice(0, 10);
  const more = { $inc: { "openVolumes.0.low": 1n } };
  const what = `volumes of ${today} test USD are 136 in 3, its transfers say 135 in 3`;
  expect(await faultsAfter("heads", (tenant) => [tenant, more])).toEqual([{ what }]);
  const added = { $set: { "openVolumes.0.kind": "other" } };
  expect(await faultsAfter("heads", (tenant) => [tenant, added])).toEqual([
    { what: `volumes of ${today} other USD are 135 in 3, its transfers say 0 in 0` },
    { what: `volumes of ${today} test USD are 0 in 0, its transfers say 135 in 3` },
  ]);
});

describe("a link of a reversal", () => {
  /** One reversal among four transfers over two days; `spoil` then changes what is stored. */
  async function reversed(spoil: (tenantId: string) => Promise<unknown>) {
    let now = Date.parse("2026-11-01T12:00:00Z");
    const ledger = await openLedger(database.db, { now: () => new Date(now) });
    await ledger.accounts(["a", "b"]);
    const { journal } = await ledger.open();
    await fund(journal, "a", 100n);
    await journal.post(linked(move("a", "b", 30n, { key: "wrong" })));
    now += 86_400_000;
    const reversal = move("", "", 0n, { key: "undo", refersTo: "wrong" });
    const { amount: _none, ...whole } = reversal;
    await journal.post(linked(whole));
    await journal.post(linked(move("a", "b", 5n)));
    await ledger.close();
    expect(await ledger.verify()).toEqual({ transfers: 4n, faults: [] });
    await spoil(ledger.tenantId);
    return (await ledger.verify()).faults;
  }
  const links = () => database.db.collection<{ _id: string; tenantId: string }>("reversals");

  test("that is missing", async () => {
    const faults = await reversed((tenantId) => links().deleteOne({ tenantId }));
    expect(faults).toEqual([{ seq: 3n, key: "undo", what: "nothing links wrong to it" }]);
  });

  test("that names another one", async () => {
    const faults = await reversed((tenantId) => links().updateOne({ tenantId }, { $set: { reversedBy: "other" } }));
    expect(faults).toEqual([{ seq: 3n, key: "undo", what: "wrong is linked to other instead" }]);
  });

  test("of what nothing has reversed", async () => {
    const stray = (tenantId: string) => ({ _id: `${tenantId}:right`, tenantId, key: "right", reversedBy: "undo" });
    const faults = await reversed((tenantId) => links().insertOne(stray(tenantId)));
    expect(faults).toEqual([{ key: "right", what: "it is linked to a reversal that is not there" }]);
  });

  test("and a volume of a day that is over", async () => {
    const volumes = database.db.collection("volumes");
    const faults = await reversed((tenantId) => volumes.updateOne({ tenantId }, { $inc: { transfers: 1n } }));
    expect(faults).toEqual([{ what: "volumes of 2026-11-01 test USD are 130 in 3, its transfers say 130 in 2" }]);
  });
});

test("each account is held against its transfers when they take several passes", async () => {
  const edit: Edit = (tenant) => [`${tenant}:bank`, { $set: { debitsPostedMinor: 99n } }];
  const faults = await faultsAfter("accounts", edit, { accountsPerPass: 1 });
  expect(faults).toEqual([{ accountId: "bank", what: "debitsPostedMinor is 99, its transfers say 100" }]);
});

test("a last group that was removed with the head set back is found by a head that was published", async () => {
  const ledger = await openLedger(database.db);
  await ledger.accounts(["a", "b"]);
  const { tenantId } = ledger;
  const { journal } = await ledger.open();
  await fund(journal, "a", 100n);
  const [head, account] = await Promise.all(["heads", "accounts"].map((name) => copyOf(name)));
  await journal.post(linked(move("a", "b", 30n, { key: "gone" })));
  const published: PublishedHead[] = [{ tenantId, ...(await ledger.journalStore.findHead())! }];
  await ledger.close();
  // Everything that the last group wrote, undone without a trace.
  await database.db.collection("transfers").deleteOne({ tenantId, key: "gone" });
  await restore("heads", head!);
  await restore("accounts", account!);
  expect((await ledger.verify()).faults).toEqual([]);
  const what = "the journal ends here, a head was published at 2";
  expect((await ledger.verify({ published })).faults).toEqual([
    { seq: 1n, what },
    { what: "record 1: the records end here, one was published at 2" },
  ]);

  async function copyOf(name: string) {
    return database.db.collection(name).find({ tenantId }).toArray();
  }
  async function restore(name: string, documents: Awaited<ReturnType<typeof copyOf>>) {
    for (const document of documents) {
      await database.db.collection(name).replaceOne({ _id: document._id, tenantId }, document);
    }
  }
});

test("a head that was published with another hash", async () => {
  const ledger = await openLedger(database.db);
  await ledger.accounts(["a"]);
  const { journal } = await ledger.open();
  await fund(journal, "a", 100n);
  await ledger.close();
  const { tenantId } = ledger;
  const published = [{ tenantId, seq: 1n, hash: new Uint8Array(32), records: 0n, recordsHash: new Uint8Array(32) }];
  const { faults } = await ledger.verify({ published });
  expect(faults).toMatchObject([{ seq: 1n, what: "a head was published here with another hash" }]);
});

test("a record that was published with another hash, and one that is not there any more", async () => {
  const ledger = await openLedger(database.db);
  await ledger.accounts(["a"]);
  const { journal } = await ledger.open();
  await fund(journal, "a", 100n);
  await ledger.close();
  const { tenantId } = ledger;
  const head = (await ledger.store.findHead())!;
  expect(head.records).toBe(1n);
  const faultsOf = async (records: bigint, recordsHash: Uint8Array) =>
    (await ledger.verify({ published: [{ tenantId, ...head, records, recordsHash }] })).faults.map(({ what }) => what);
  expect(await faultsOf(1n, head.recordsHash)).toEqual([]);
  expect(await faultsOf(1n, new Uint8Array(32))).toEqual([
    "record 0: what follows it does not fit: it was published with another hash",
  ]);
  expect(await faultsOf(2n, head.recordsHash)).toEqual(["record 1: the records end here, one was published at 2"]);
});

test("beside postings, refusals, new accounts and closings that go on, a sound journal is sound", async () => {
  const ledger = await openLedger(database.db);
  await ledger.accounts(["a", "b"]);
  const { store } = ledger;
  let { journal } = await ledger.open();
  await fund(journal, "a", 1_000_000n);
  let isOver = false;
  let [made, closed] = [0, 0];
  let opening: Promise<void> | undefined;
  const openAnew = async () => {
    ({ journal } = await ledger.open());
    opening = undefined;
  };
  const post = async (...transfers: Parameters<typeof linked>) => {
    const postedBy = journal;
    try {
      await postedBy.post(linked(...transfers));
    } catch (error) {
      // A closing moved the head: one of them takes the journal up again, for all.
      if (!(error instanceof JournalLost)) throw error;
      if (postedBy === journal) await (opening ??= openAnew());
    }
  };
  const load = Array.from({ length: 4 }, async (_, n) => {
    while (!isOver) {
      await post(move("a", "b", 1n), move("b", "a", 1n));
      if (n === 0) await post(move("b", "a", 1_000_000_000n));
      if (n !== 1) continue;
      const id = `new-${(made += 1)}`;
      await ledger.accounts([id]);
      await post(move("bank", id, 1n), move(id, "bank", 1n));
      if (made % 4 !== 0) continue;
      await store.closeAccount(id, () => undefined, new Date());
      closed += 1;
    }
  });
  // Until an account was closed meanwhile, too.
  for (let n = 0; n < 10 || closed === 0; n++)
    expect((await ledger.verify({ accountsPerPass: 2 + (n % 10) * 20 })).faults).toEqual([]);
  isOver = true;
  await Promise.all(load);
  expect((await ledger.verify()).faults).toEqual([]);
  expect([made > 0, closed > 0]).toEqual([true, true]);
  await ledger.close();
});
