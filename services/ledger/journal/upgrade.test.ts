import { silentLog, testDatabase, type TestDatabase } from "../../../test/support/index.js";
import { fund, linked, move, openLedger } from "../../../test/support/ledger-journal.js";
import { runMigrations } from "../../shared/mongo/migrations.js";
import { dayOf } from "../domain/days.js";
import { migrations } from "../store/migrations.js";

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase("ledger_upgrade");
  await runMigrations(database.db, migrations, silentLog);
});
afterAll(() => database.close());

const day = (text: string) => ({ effectiveAtMs: Date.parse(`${text}T10:00:00Z`) });
const now = () => new Date("2026-11-20T12:00:00Z");

/** What the version before sums left out of its documents. */
async function withoutSums(tenantId: string): Promise<void> {
  const { db } = database;
  await db.collection("accounts").updateMany({ tenantId }, { $unset: { openDay: "" } });
  await db.collection("heads").updateMany({ tenantId }, { $unset: { sumsSeq: "", openVolumes: "" } });
  for (const name of ["days", "volumes"]) await db.collection(name).deleteMany({ tenantId });
}

/** Runs `work` as that version would: it leaves every field of sums as it is. */
async function asBefore(tenantId: string, work: () => Promise<void>): Promise<void> {
  const { db } = database;
  const names = ["accounts", "heads", "days", "volumes"] as const;
  const kept = await Promise.all(names.map((name) => db.collection(name).find({ tenantId }).toArray()));
  await work();
  const [accounts, heads, days, volumes] = kept;
  const restore = async (name: string, documents: typeof accounts, fields: readonly string[]) => {
    for (const document of documents!) {
      const present = fields.filter((field) => document[field] !== undefined);
      const absent = fields.filter((field) => document[field] === undefined);
      await db.collection(name).updateOne({ _id: document._id, tenantId }, {
        ...(present.length === 0 ? {} : { $set: Object.fromEntries(present.map((field) => [field, document[field]])) }),
        ...(absent.length === 0 ? {} : { $unset: Object.fromEntries(absent.map((field) => [field, ""])) }),
      } as never);
    }
  };
  await restore("accounts", accounts, ["openDay"]);
  await restore("heads", heads, ["sumsSeq", "openVolumes"]);
  for (const [name, documents] of [
    ["days", days],
    ["volumes", volumes],
  ] as const) {
    await db.collection(name).deleteMany({ tenantId });
    if (documents!.length > 0) await db.collection(name).insertMany(documents!);
  }
}

/** Three days of postings, a reservation among them; `post` posts two more. */
async function lived() {
  const ledger = await openLedger(database.db, { now });
  await ledger.accounts(["a", "b"]);
  const first = await ledger.open();
  await first.journal.post(linked(move("bank", "a", 100n, day("2026-11-01"))));
  await first.journal.post(linked(move("a", "b", 30n, day("2026-11-10"))));
  await fund(first.journal, "a", 5n);
  await first.journal.post(linked(move("a", "b", 1n, { mode: "PENDING" })));
  return {
    ...ledger,
    journal: first.journal,
    async onDay(accountId: string, text: string) {
      const found = (await ledger.store.findWithDaysAfter(accountId, dayOf(Date.parse(text))))!;
      const { figures } = found.account;
      const after = found.days.reduce((sum, { debitsMinor, creditsMinor }) => sum + creditsMinor - debitsMinor, 0n);
      return figures.creditsPostedMinor - figures.debitsPostedMinor - after;
    },
    volumes: async () =>
      (await ledger.store.volumesBetween(dayOf(Date.parse("2026-11-01")), dayOf(Date.parse("2026-11-30")))).map(
        ({ day: at, amountMinor, transfers }) => [at - dayOf(Date.parse("2026-11-01")), transfers, amountMinor],
      ),
  };
}

const balances = [
  ["2026-10-31", 0n],
  ["2026-11-01", 100n],
  ["2026-11-09", 100n],
  ["2026-11-10", 70n],
  ["2026-11-20", 75n],
] as const;
const volumes = [
  [0, 1n, 100n],
  [9, 1n, 30n],
  [19, 1n, 5n],
];

type Lived = Awaited<ReturnType<typeof lived>>;

async function expectRight(ledger: Lived): Promise<void> {
  for (const [date, balance] of balances) expect([date, await ledger.onDay("a", date)]).toEqual([date, balance]);
  expect(await ledger.volumes()).toEqual(volumes);
  expect((await ledger.verify()).faults).toEqual([]);
}

test("documents of the version before verify and read as they are", async () => {
  const ledger = await lived();
  await withoutSums(ledger.tenantId);
  await expectRight(ledger);
  await ledger.close();
});

test("the migration makes their sums, run twice it changes nothing", async () => {
  const ledger = await lived();
  await withoutSums(ledger.tenantId);
  const last = migrations.find(({ id }) => id === "0003-sums")!;
  await Promise.all([last.up(database.db), last.up(database.db)]);
  await last.up(database.db);
  expect((await ledger.store.findHead())!.sumsSeq).toBe(4n);
  await expectRight(ledger);
  await ledger.close();
});

test("what the version before posts beside this one is right at once, and made up for at the next take-over", async () => {
  const ledger = await lived();
  await asBefore(ledger.tenantId, async () => {
    await ledger.journal.post(linked(move("b", "a", 2n, day("2026-11-10"))));
    await ledger.journal.post(linked(move("bank", "a", 3n)));
  });
  const check = async () => {
    expect(await ledger.onDay("a", "2026-11-09")).toBe(100n);
    expect(await ledger.onDay("a", "2026-11-10")).toBe(72n);
    expect(await ledger.onDay("a", "2026-11-20")).toBe(80n);
    expect(await ledger.volumes()).toEqual([
      [0, 1n, 100n],
      [9, 2n, 32n],
      [19, 2n, 8n],
    ]);
    expect((await ledger.verify()).faults).toEqual([]);
  };
  expect((await ledger.store.findHead())!.sumsSeq).toBe(4n);
  await check();
  let steps = 0;
  await ledger.journalStore.raiseEpoch(99n, async () => void steps++);
  expect(steps).toBe(1);
  expect((await ledger.store.findHead())!.sumsSeq).toBe(6n);
  await check();
  await ledger.close();
});

test("the migration runs beside an owner that goes on posting", async () => {
  const ledger = await lived();
  await withoutSums(ledger.tenantId);
  const last = migrations.find(({ id }) => id === "0003-sums")!;
  const posting = (async () => {
    for (let n = 0; n < 20; n++) {
      const decision = await ledger.journal.post(linked(move("bank", "b", 1n, day("2026-10-01"))));
      expect(decision.kind).toBe("posted");
    }
  })();
  await Promise.all([last.up(database.db), posting]);
  expect((await ledger.verify()).transfers).toBe(24n);
  await ledger.close();
});
