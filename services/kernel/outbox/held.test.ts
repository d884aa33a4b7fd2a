import { createOutboxHarness, type OutboxHarness } from "../../../test/support/outbox.js";
import { testTenant } from "../../../test/support/index.js";
import { systemClock } from "../time/clock.js";
import { createHeldTenants, everyTenant, holdOf, isHeld, readHeld } from "../mongo/held-tenants.js";
import { createLeases } from "./leases.js";
import { refusalOfUnexpected } from "../grpc/unexpected.js";
import { silentLog } from "../../../test/support/index.js";

let harness: OutboxHarness;

beforeAll(async () => {
  harness = await createOutboxHarness("held");
});
afterAll(() => harness.close());
afterEach(async () => {
  await hold();
  await harness.clean();
});

const hold = (...tenantIds: string[]) =>
  harness.database.db.db!.command({ collMod: "outbox", validator: holdOf(tenantIds), validationLevel: "strict" });

test("rows of a held tenant wait, those behind them run, and the end of the hold lets them go on", async () => {
  const outbox = harness.make();
  const other = testTenant();
  const rows = Array.from({ length: 40 }, (_, seq) => ({ seq, aggregate: `payment:${seq}` }));
  await harness.add(outbox, ...rows);
  await harness.add(outbox, { seq: 100, tenantId: other, aggregate: "late" });
  await hold(harness.tenantId);
  expect(await readHeld(harness.database.db, "outbox")).toEqual([harness.tenantId]);
  const ran: string[] = [];
  harness.start(outbox, async (row) => void ran.push(row.tenantId));
  await harness.whenAll("DONE", 1);
  expect(ran).toEqual([other]);
  await hold();
  await harness.whenAll("DONE", 41);
  // Whatever was tried meanwhile was refused before it began.
  expect(ran).toHaveLength(41);
});

test("a refused write is a database that is away for now, to callers; nobody writes while all are held", async () => {
  const outbox = harness.make();
  await hold(everyTenant);
  const error: unknown = await harness.add(outbox, { seq: 1 }).catch((reason: unknown) => reason);
  expect(isHeld(error)).toBe(true);
  expect(refusalOfUnexpected(error, "i", silentLog)).toMatchObject({ code: "UNAVAILABLE" });
  await hold();
  await harness.add(outbox, { seq: 1 });
});

/** Due rows, one aggregate each, in the order of their ids; the held tenant's come last. */
async function fillMixed(free: number, held: number): Promise<string> {
  const other = testTenant();
  const rows = Array.from({ length: free + held }, (_, seq) => ({
    _id: `row-${seq}`,
    tenantId: seq < free ? other : harness.tenantId,
    aggregate: `payment:${seq}`,
    seq,
  }));
  await harness.fill(rows);
  return other;
}

test("rows beside a held tenant's are taken in the same turn, and count one attempt", async () => {
  const other = await fillMixed(5, 3);
  await hold(harness.tenantId);
  const { taken } = await createLeases(harness.database.db, systemClock, 60_000).takeDue({ limit: 8 });
  expect(taken.map(({ row }) => [row.tenantId, row.attempts])).toEqual(Array.from({ length: 5 }, () => [other, 1]));
  const held = await harness.stored.find({ tenantId: harness.tenantId });
  expect(held.map(({ attempts, leaseToken }) => [attempts, leaseToken])).toEqual(
    Array.from({ length: 3 }, () => [0, undefined]),
  );
});

test("a held tenant's lease is not said to be renewed", async () => {
  await fillMixed(1, 1);
  const leases = createLeases(harness.database.db, systemClock, 60_000);
  const { taken } = await leases.takeDue({ limit: 8 });
  expect(taken).toHaveLength(2);
  expect(await leases.renew(taken)).toEqual(new Set(["row-0", "row-1"]));
  await hold(harness.tenantId);
  expect(await leases.renew(taken)).toEqual(new Set(["row-0"]));
});

test("who is held is read again after a while, not found out by another refusal", async () => {
  const { db } = harness.database;
  const held = createHeldTenants(db, "outbox");
  await fillMixed(1, 1);
  await hold(harness.tenantId);
  let tries = 0;
  const touch = () =>
    held.past(() => {
      tries += 1;
      return harness.stored.updateMany({ ...held.others() }, { $set: { lastError: String(tries) } });
    });
  await touch();
  expect(tries).toBe(2);
  const { now } = performance;
  try {
    performance.now = () => now.call(performance) + 60_000;
    await touch();
    expect(tries).toBe(3);
    await hold();
    performance.now = () => now.call(performance) + 120_000;
    expect((await touch()).matchedCount).toBe(2);
  } finally {
    performance.now = now;
  }
});
