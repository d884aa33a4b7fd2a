import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Connection } from "mongoose";
import { everyTenant } from "../../../services/kernel/mongo/held-tenants.js";
import { testTenant } from "../../../test/support/index.js";
import {
  collectionIn as of,
  copyAtOnce as copyTenant,
  openTwoCells,
  type TwoCells,
} from "../../../test/support/two-cells.js";
import { runShell, untilStopped } from "../meanwhile.js";
import { comment, lockCollection, nativeOf, type DatabaseService, type Place } from "../places.js";
import { takeBarrier } from "./barrier.js";
import { holdTenant, listHolds, releaseTenant } from "./hold.js";
import { compareTenant } from "./move.js";
import { waitFor } from "../../../test/support/index.js";

// Of both cells, the collections that these tests need; move.test.ts has what the migrations make.
const collections: Partial<Record<DatabaseService, string[]>> = {
  identity: ["tenants", "keys", "master_keys"],
  wallet: ["cash_limits", "outbox", "payments", "data_keys", "master_keys"],
  ledger: ["heads"],
};
let cells: TwoCells;
let here: Place;
let there: Place;

beforeAll(async () => {
  cells = await openTwoCells();
  ({ here, there } = cells);
  for (const { databases } of [here, there]) {
    for (const [service, db] of databases) {
      for (const name of collections[service] ?? []) await nativeOf(db).createCollection(name);
    }
  }
  for (const place of [here, there]) {
    const unique = { tenantId: 1, cashierId: 1, currency: 1 } as const;
    await of(place, "wallet", "cash_limits").createIndex(unique, { unique: true });
  }
}, 240_000);

afterAll(() => cells?.close());

async function makeTenant(): Promise<string> {
  const tenantId = testTenant();
  await of(here, "identity", "tenants").insertOne({ _id: tenantId, tenantId });
  return tenantId;
}

test("a document that was deleted and made anew under a unique key since the backup is replaced", async () => {
  const tenantId = await makeTenant();
  const limit = { tenantId, cashierId: "c", currency: "USD" };
  await of(here, "wallet", "cash_limits").insertOne({ _id: `${tenantId}-old`, ...limit, perDay: 1n });
  await of(there, "wallet", "cash_limits").insertOne({ _id: `${tenantId}-new`, ...limit, perDay: 2n });
  await holdTenant(there, tenantId);

  expect((await copyTenant(here, there, tenantId)).differences).toEqual([]);
  const found = await of(there, "wallet", "cash_limits").find({ tenantId }).toArray();
  expect(found.map(({ _id }) => _id)).toEqual([`${tenantId}-old`]);
}, 60_000);

test("nobody changes holds beside a barrier, and no hold is lost", async () => {
  const tenantId = await makeTenant();
  const meanwhile = async () => {
    await expect(copyTenant(here, there, tenantId)).rejects.toThrow(/being changed by .*--take-lock/);
    await expect(takeBarrier(there)).rejects.toThrow("being changed by");
  };
  await takeBarrier(there, { meanwhile });
  expect(await listHolds(there)).not.toContain("*");
  expect((await copyTenant(here, there, tenantId)).differences).toEqual([]);
  expect(await listHolds(there)).toContain(tenantId);
}, 60_000);

test("a lock that was left behind is told with its owner and age, and taken by who says so", async () => {
  const tenantId = testTenant();
  const since = new Date(Date.now() - 60_000);
  const left = { _id: "holds", token: "t", owner: "ann, process 7 of x", since };
  await of(there, "identity", lockCollection).insertOne(left, { comment });
  await expect(holdTenant(there, tenantId)).rejects.toThrow(/ann, process 7 of x since .*, [6-9]\d s ago/);
  await holdTenant(there, tenantId, true);
  await releaseTenant(there, tenantId);
  expect(await listHolds(there)).not.toContain(tenantId);
}, 60_000);

test("a barrier that did not stand in all collections to its end is none", async () => {
  const lift = async () => {
    await nativeOf(here.databases.get("wallet")!).command({ collMod: "payments", validator: {} });
  };
  await expect(takeBarrier(here, { meanwhile: lift })).rejects.toThrow("writes went on in wallet.payments");
  expect(await listHolds(here)).not.toContain("*");
}, 60_000);

test("a tenant that a collection of either side does not hold is not proven to be moved", async () => {
  const tenantId = await makeTenant();
  expect((await copyTenant(here, there, tenantId)).differences).toEqual([]);
  await nativeOf(there.databases.get("wallet")!).command({ collMod: "payments", validator: {} });
  const { differences } = await compareTenant(here, there, tenantId);
  expect(differences).toEqual(["wallet.payments: the tenant is not held there"]);
}, 60_000);

test.each(["SIGINT", "SIGTERM"] as const)(
  "a barrier that meets %s lets writes go on, and its script ends",
  async (how) => {
    const started = join(cells.dir, `started-${how}`);
    const barrier = takeBarrierWith(`echo $$ > ${started}; sleep 3600`, 60_000);
    const failed = expect(barrier).rejects.toThrow(`${how}: there is no barrier`);
    await waitFor(() => existsSync(started));
    expect(await listHolds(here)).toContain("*");
    process.emit(how, how);
    await failed;
    expect(await listHolds(here)).not.toContain("*");
    const script = Number(readFileSync(started, "utf8"));
    expect(() => process.kill(script, 0)).toThrow("ESRCH");
  },
  60_000,
);

test("a script that does not end does not stop writes for ever", async () => {
  await expect(takeBarrierWith("sleep 3600", 100)).rejects.toThrow("longer than 0.1 s");
  expect(await listHolds(here)).not.toContain("*");
}, 60_000);

test("an election while a barrier ends leaves nothing refused", async () => {
  let refusals = 3;
  const native = nativeOf(here.databases.get("wallet")!);
  const command = async (given: { validator?: object }) => {
    const isRelease = given.validator !== undefined && !JSON.stringify(given.validator).includes(everyTenant);
    if (isRelease && refusals-- > 0) throw new Error("not primary");
    return native.command(given);
  };
  const db = new Proxy(native, {
    get: (target, key) => {
      const value: unknown = key === "command" ? command : Reflect.get(target, key, target);
      return typeof value === "function" ? (value as () => unknown).bind(target) : value;
    },
  });
  const databases = new Map([...here.databases, ["wallet", { db } as unknown as Connection]] as const);
  const lines: string[] = [];
  await takeBarrier({ databases, close: here.close }, { print: (line) => lines.push(line) });
  expect(lines).toEqual(Array(3).fill("writes are still refused, trying again: not primary"));
  expect(await listHolds(here)).not.toContain("*");
}, 60_000);

test("a tenant is copied once nobody works on it: after the longest run, and when no row is leased", async () => {
  const tenantId = await makeTenant();
  const outbox = of(here, "wallet", "outbox");
  const leasedUntil = new Date(Date.now() + 3_600_000);
  await outbox.insertOne({ _id: `${tenantId}-r`, tenantId, state: "DUE", leasedUntil });
  const pauses: number[] = [];
  const lines: string[] = [];
  const pause = async (ms: number) => {
    pauses.push(ms);
    // What works on it ends in the third look after the longest run.
    if (pauses.length < 4) return;
    const ended = { $set: { leasedUntil: new Date(0) } };
    await outbox.updateOne({ tenantId }, ended, { bypassDocumentValidation: true });
  };
  const options = { pause, print: (line: string) => lines.push(line) };
  expect((await copyTenant(here, there, tenantId, options)).differences).toEqual([]);
  expect(pauses).toEqual([60_000, 500, 500, 500]);
  expect(lines).toContain("waits for 1 outbox rows that are worked on");
  const copied = await of(there, "wallet", "outbox").findOne({ tenantId });
  expect(copied).toMatchObject({ leasedUntil: new Date(0) });
}, 60_000);

describe("keys that the target's master key may not open", () => {
  const keyUnder = (masterKeyId: string, _id = masterKeyId) => ({
    _id,
    purpose: "personal-data",
    isCurrent: false,
    secret: { masterKeyId, sealed: "" },
  });
  const keys = (place: Place) => of(place, "wallet", "data_keys");
  const uses = () => of(there, "wallet", "master_keys");
  afterEach(async () => {
    for (const place of [here, there]) await keys(place).deleteMany({}, { comment });
    await uses().deleteMany({}, { comment });
  });

  test("one under a version that wraps no key there is refused before anything is held", async () => {
    const tenantId = await makeTenant();
    await keys(here).insertOne(keyUnder("a"), { comment });
    await keys(there).insertOne(keyUnder("b"), { comment });
    await expect(copyTenant(here, there, tenantId)).rejects.toThrow("master key a, which wraps none there");
    expect(await keys(there).countDocuments({}, { comment })).toBe(1);
    expect(await listHolds(here)).not.toContain(tenantId);
  }, 60_000);

  test("one under a version that is retired there is refused", async () => {
    const tenantId = await makeTenant();
    await keys(here).insertOne(keyUnder("a"), { comment });
    await uses().insertOne({ _id: "a", retiredAt: new Date() }, { comment });
    await expect(copyTenant(here, there, tenantId)).rejects.toThrow("master key a is retired there");
    expect(await keys(there).countDocuments({}, { comment })).toBe(0);
  }, 60_000);

  test("one that goes along is noted, so that nobody retires its version; an empty cell is told it", async () => {
    const tenantId = await makeTenant();
    await keys(here).insertMany([keyUnder("a"), keyUnder("a", "a2")], { comment });
    const lines: string[] = [];
    expect((await copyTenant(here, there, tenantId, { print: (line) => lines.push(line) })).differences).toEqual([]);
    expect(lines).toContain("no key is there yet: it must start with the master key a");
    expect(await keys(there).countDocuments({}, { comment })).toBe(2);
    expect(await uses().findOne({ _id: "a" }, { comment })).toMatchObject({ stored: 1n });
  }, 60_000);
});

/** As `backup barrier --run` does. */
function takeBarrierWith(script: string, limitMs: number) {
  return untilStopped(limitMs, (signal) => takeBarrier(here, { signal, meanwhile: () => runShell(script, signal) }));
}
