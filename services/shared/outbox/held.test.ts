import { createOutboxHarness, type OutboxHarness } from "../../../test/support/outbox.js";
import { testTenant } from "../../../test/support/index.js";
import { everyTenant, holdOf, isHeld, readHeld } from "../mongo/held-tenants.js";
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
