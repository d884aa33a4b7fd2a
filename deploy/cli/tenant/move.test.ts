import { runMigrations, type Migration } from "../../../services/kernel/mongo/migrations.js";
import { everyTenant } from "../../../services/kernel/mongo/held-tenants.js";
import { silentLog, testTenant } from "../../../test/support/index.js";
import { codeOf, fund, linked, move, openLedger } from "../../../test/support/ledger-journal.js";
import {
  collectionIn as of,
  copyAtOnce as copyTenant,
  openTwoCells,
  type TwoCells,
} from "../../../test/support/two-cells.js";
import { takeViolations } from "../../../test/support/tenant-watch.js";
import { comment, databaseServices, nativeOf, type Place } from "../places.js";
import { takeBarrier } from "./barrier.js";
import { endSessions } from "./end-sessions.js";
import { holdTenant, listHolds, releaseTenant } from "./hold.js";
import { compareTenant } from "./move.js";
import { runsFor } from "../../../test/support/time.js";

let cells: TwoCells;
let here: Place;
let there: Place;

beforeAll(async () => {
  cells = await openTwoCells();
  ({ here, there } = cells);
  for (const service of databaseServices) {
    const file = `../../../services/${service}/store/migrations.ts`;
    const { migrations } = (await import(file)) as { migrations: readonly Migration[] };
    for (const place of [here, there]) await runMigrations(place.databases.get(service)!, migrations, silentLog);
  }
}, 240_000);

afterAll(() => cells?.close());

/** A tenant with a journal of `transfers` and some records in other services. */
async function makeTenant(transfers = 20) {
  const ledger = await openLedger(here.databases.get("ledger")!);
  const { tenantId } = ledger;
  await ledger.accounts(["a", "b"]);
  const { journal } = await ledger.open();
  await fund(journal, "a", 1_000_00n);
  for (let i = 0; i < transfers; i++) expect(codeOf(await journal.post(linked(move("a", "b", 1n))))).toBe("POSTED");
  await of(here, "ledger", "leases").insertOne({ _id: tenantId, tenantId, epoch: 7n, address: "x", holder: "y" });
  await of(here, "identity", "tenants").insertOne({ _id: tenantId, tenantId, name: "Acme" });
  await of(here, "identity", "hosts").insertOne({ _id: `${tenantId}.example`, tenantId });
  await of(here, "identity", "sessions").insertOne({ _id: `${tenantId}-s`, tenantId });
  const rows = Array.from({ length: 1_200 }, (_, i) => ({ _id: `${tenantId}-${i}`, tenantId, slot: i, rate: 1.0 }));
  await of(here, "wallet", "payments").insertMany(rows.map((row) => ({ ...row, paymentReference: row._id })));
  return { tenantId, ledger, journal };
}

test("a copied tenant is the same to the byte, its books fit on both sides, and its journal goes on there", async () => {
  const { tenantId, ledger, journal } = await makeTenant();
  const { differences, documents, books } = await copyTenant(here, there, tenantId);
  expect(differences).toEqual([]);
  expect(documents).toBeGreaterThan(1_220);
  expect(books.to.transfers).toBe(21n);
  expect(books.to.totals).toEqual(new Map([["USD", { debitsMinor: 1_000_20n, creditsMinor: 1_000_20n }]]));

  // Held on both sides: what posts here is refused, and nothing is half-written.
  await expect(journal.post(linked(move("a", "b", 1n)))).rejects.toMatchObject({ name: "JournalLost" });
  await expect(ledger.open()).rejects.toMatchObject({ code: 121 });
  await expect(of(there, "wallet", "payments").insertOne({ _id: "late", tenantId })).rejects.toMatchObject({
    code: 121,
  });
  await releaseTenant(there, tenantId);
  expect(await listHolds(here)).toContain(tenantId);
  const lease = await of(there, "ledger", "leases").findOne({ tenantId });
  expect(lease).toMatchObject({ epoch: 7n, address: "", holder: "" });
  expect(await of(there, "identity", "sessions").countDocuments({ tenantId })).toBe(0);
  const moved = await openLedger(there.databases.get("ledger")!, { tenantId, epoch: 7n });
  const next = await moved.open();
  expect(codeOf(await next.journal.post(linked(move("a", "b", 1n))))).toBe("POSTED");
  expect(await moved.verify()).toEqual({ transfers: 22n, faults: [] });
  await moved.close();
  const { differences: since } = await compareTenant(here, there, tenantId);
  expect(since).toEqual(
    expect.arrayContaining([expect.stringContaining("ledger.heads"), "21 transfers here, 22 there"]),
  );
  // Open there, it is not replaced by accident.
  await expect(copyTenant(here, there, tenantId)).rejects.toThrow("is open there");
  await ledger.close();
  await releaseTenant(here, tenantId);
}, 120_000);

test("all that people of a restored tenant were signed in by ends, held or not, and nobody else's", async () => {
  const [{ tenantId }, other] = [await makeTenant(1), await makeTenant(1)];
  for (const one of [tenantId, other.tenantId]) {
    await of(here, "identity", "users").insertOne({ _id: `${one}-u`, tenantId: one, emailKey: `${one}@x.example` });
  }
  await holdTenant(here, tenantId);
  // An hour goes by while sessions end: what was issued meanwhile is worth nothing either.
  const [begun, over] = [new Date("2026-11-21T10:00:00Z"), new Date("2026-11-21T11:00:00Z")];
  let now = begun;
  const ended = ({ commandName, reply }: { commandName: string; reply: unknown }) => {
    if (commandName === "update" && Number((reply as { nModified: unknown }).nModified) === 1) now = over;
  };
  const client = here.databases.get("identity")!.getClient();
  client.on("commandSucceeded", ended);
  expect(await endSessions(here, tenantId, () => now)).toBe(1);
  client.off("commandSucceeded", ended);
  const sessions = await of(here, "identity", "sessions").find({ tenantId }).toArray();
  expect(sessions).toMatchObject([{ revokedAt: begun }]);
  // As identity reads it, and tells Redis at its next look.
  expect(await of(here, "identity", "revocations").findOne({ _id: `user:${tenantId}-u`, tenantId })).toMatchObject({
    tenantId,
    kind: "user",
    issuedBefore: over,
    mirrored: false,
  });
  expect(await endSessions(here, tenantId)).toBe(0);
  const left = await of(here, "identity", "sessions").findOne({ tenantId: other.tenantId });
  expect(left).not.toHaveProperty("revokedAt");
  expect(await of(here, "identity", "revocations").countDocuments({ tenantId: other.tenantId })).toBe(0);
  await releaseTenant(here, tenantId);

  // Of all: identity may start on that database again.
  const life = { life: "of the copy", beat: 7n };
  const which = { _id: "identity" };
  const lives = of(here, "identity", "lives");
  await lives.replaceOne(which, life, { upsert: true, comment });
  await endSessions(here, tenantId);
  expect(await lives.findOne(which, { comment })).toMatchObject(life);
  await endSessions(here, everyTenant);
  const anew = await lives.findOne(which, { comment });
  expect(anew).toMatchObject({ beat: 0n, life: expect.not.stringMatching("of the copy") as string });
});

test("other tenants write on while one is held", async () => {
  const [held, free] = [testTenant(), testTenant()];
  await holdTenant(here, held);
  const payments = of(here, "wallet", "payments");
  await payments.insertOne({ _id: `${free}-1`, tenantId: free, paymentReference: free });
  await expect(payments.insertOne({ _id: `${held}-1`, tenantId: held })).rejects.toMatchObject({ code: 121 });
  await releaseTenant(here, held);
  await payments.insertOne({ _id: `${held}-1`, tenantId: held, paymentReference: held });
}, 60_000);

test("a move that was cut off goes on where it was, and puts right what differs", async () => {
  const { tenantId, ledger } = await makeTenant(3);
  const cut = (line: string) => {
    if (line.startsWith("wallet.payments")) throw new Error("cut off");
  };
  await expect(copyTenant(here, there, tenantId, { print: cut })).rejects.toThrow("cut off");
  // As a crash in the middle of a batch leaves it, and as nothing ever should.
  await of(there, "wallet", "payments").deleteMany({ tenantId, slot: { $gte: 1_000 } });
  const payments = of(there, "wallet", "payments");
  await payments.updateOne({ tenantId, slot: 5 }, { $set: { slot: 6 } }, { bypassDocumentValidation: true });
  const strange = { _id: `${tenantId}-x`, tenantId, paymentReference: "x" };
  await payments.insertOne(strange, { bypassDocumentValidation: true });

  const lines: string[] = [];
  const { differences } = await copyTenant(here, there, tenantId, { print: (line) => lines.push(line) });
  expect(differences).toEqual([]);
  expect(lines).toContain("wallet.payments: 1200 documents, 201 sent");
  expect(lines).toContain("identity.tenants: 1 documents, 0 sent");
  await ledger.close();
}, 120_000);

test("a tenant does not move over another one's ids, nor to keys or migrations that are not its own", async () => {
  const { tenantId, ledger } = await makeTenant(1);
  const host = { _id: `${tenantId}.example`, tenantId: "other" };
  await of(there, "identity", "hosts").insertOne(host);
  await expect(copyTenant(here, there, tenantId)).rejects.toThrow("belongs to another tenant there");
  await of(there, "identity", "hosts").deleteOne({ _id: host._id, tenantId: "other" });

  await of(there, "identity", "keys").insertOne({ _id: "k", purpose: "mac", state: "CURRENT" });
  await expect(copyTenant(here, there, tenantId)).rejects.toThrow("its own key k");
  await of(there, "identity", "keys").deleteMany({});

  await of(there, "wallet", "migrations").insertOne({ _id: "9999-later", doneAt: new Date() });
  await expect(copyTenant(here, there, tenantId)).rejects.toThrow("wallet: migrations are");
  await of(there, "wallet", "migrations").deleteOne({ _id: "9999-later" });
  // This test's own hand, past every guard.
  takeViolations();
  await expect(copyTenant(here, there, testTenant())).rejects.toThrow("no tenant");
  await ledger.close();
}, 120_000);

test("databases read each at its own time of a barrier hold no effect without its cause", async () => {
  // Wallet lies on one server and the ledger on another, as after a split.
  const split: Place = {
    databases: new Map([
      ["wallet", here.databases.get("wallet")!],
      ["ledger", there.databases.get("ledger")!],
    ]),
    close: async () => {},
  };
  for (const db of split.databases.values()) {
    await db.db!.admin().command({ setParameter: 1, minSnapshotHistoryWindowInSeconds: 300 });
  }
  const tenantId = testTenant();
  const [requested, booked] = [of(split, "wallet", "payables"), of(split, "ledger", "pendings")];
  let isOver = false;
  let refused = 0;
  const writer = (async () => {
    for (let n = 0; !isOver; n++) {
      // Cause, effect on the other server, then what follows here: each after the one before.
      const write = async (into: typeof requested, kind: string) => {
        for (;;) {
          try {
            return await into.insertOne({ _id: `${tenantId}-${n}-${kind}`, tenantId, n, kind });
          } catch (error) {
            if ((error as { code?: number }).code !== 121) throw error;
            refused++;
          }
        }
      };
      await write(requested, "asked");
      await write(booked, "booked");
      await write(requested, "done");
    }
  })();
  for (let i = 0; i < 5; i++) {
    const times = await takeBarrier(split, {
      meanwhile: () => runsFor(50),
    });
    const read = async (service: "wallet" | "ledger", collection: typeof requested, kind: string) => {
      const { Timestamp } = (await import("mongoose")).mongo.BSON;
      const atClusterTime = new Timestamp(times.get(service)!);
      const answer = await nativeOf(split.databases.get(service)!).command({
        find: collection.collectionName,
        filter: { tenantId, kind },
        batchSize: 100_000,
        readConcern: { level: "snapshot", atClusterTime },
      });
      return new Set((answer["cursor"] as { firstBatch: { n: number }[] }).firstBatch.map(({ n }) => Number(n)));
    };
    const [requestedThen, bookedThen, doneThen] = [
      await read("wallet", requested, "asked"),
      await read("ledger", booked, "booked"),
      await read("wallet", requested, "done"),
    ];
    expect([...bookedThen].filter((n) => !requestedThen.has(n))).toEqual([]);
    expect([...doneThen].filter((n) => !bookedThen.has(n))).toEqual([]);
  }
  isOver = true;
  await writer;
  expect(refused).toBeGreaterThan(0);
  expect(await listHolds(split)).not.toContain(everyTenant);
}, 120_000);
