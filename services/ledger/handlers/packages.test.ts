import { createHash } from "node:crypto";
import { createClosedBooks, verified } from "../../../test/support/closed-books.js";
import { tenantCalls } from "../../../test/support/ledger-fixture.js";
import { createPackageBuilds } from "../jobs/packages.js";
import { collections } from "../store/collections.js";
import { createLedgerStore } from "../store/index.js";
import { createPackageStore } from "../store/packages.js";
import { createPeriodStore } from "../store/periods.js";

let books: Awaited<ReturnType<typeof createClosedBooks>>;
const noonOf = (day: string) => Date.parse(`${day}T12:00:00Z`);

jest.setTimeout(120_000);

beforeAll(async () => {
  books = await createClosedBooks("ledger_packages", "2026-11-28T12:00:00Z");
});
afterAll(() => books.stop());

test("a package that opens with another's balances is the same bytes after a restart, of another replica, built anew", async () => {
  const tenant = tenantCalls();
  for (const [day, next] of [
    ["2026-11-28", "2026-11-29"],
    ["2026-11-29", "2026-11-30"],
  ] as const) {
    books.clock.at = noonOf(day);
    await books.move(tenant, day);
    books.clock.at = noonOf(next);
    const { number } = await books.close(tenant, day);
    await books.built(tenant, number);
  }
  const { files } = (await books.built(tenant, 2))!;
  const named = Object.fromEntries(files.map(({ name, sha256 }) => [name, sha256]));
  expect(Object.keys(named)).toHaveLength(9);
  const openingRows = (await books.read(tenant, 2, "opening-balances.csv")).split("\n");
  expect(openingRows.length).toBeGreaterThan(4);
  const hashes = async (from = books.packages) => {
    const entries = files.map(async ({ name }) => {
      const text = await books.read(tenant, 2, name, from);
      return [name, createHash("sha256").update(text).digest("hex")] as const;
    });
    return Object.fromEntries(await Promise.all(entries));
  };
  expect(await hashes()).toEqual(named);

  // What is posted, mapped and opened again later changes none of it.
  await books.move(tenant, "later");
  await books.putMapping(tenant);
  books.clock.at = noonOf("2026-12-01");
  await books.close(tenant, "2026-11-30");
  const another = await books.startAnother();
  expect(await hashes(another.packages)).toEqual(named);
  await another.ledger.stop();
  const restarted = await books.startAnother();
  expect(await hashes(restarted.packages)).toEqual(named);
  await restarted.ledger.stop();

  const { db } = books.fixture.database;
  const second = { tenantId: tenant.tenantId, number: 2 };
  const undone = { $set: { "package.status": "RUNNING" } };
  expect(await db.collection(collections.closings).updateOne(second, undone)).toMatchObject({ modifiedCount: 1 });
  const stores = { store: createLedgerStore(db), periods: createPeriodStore(db), packages: createPackageStore(db) };
  const turn = { signal: new AbortController().signal, complete: async () => undefined };
  await createPackageBuilds({ db, ...stores })(
    { tenantId: tenant.tenantId, payload: { number: 2 } } as never,
    turn as never,
  );
  expect(await hashes()).toEqual(named);
  expect(await verified(await books.download(tenant, 2))).toMatchObject({ isOk: true });
});
