import { randomUUID } from "node:crypto";
import { ada, on } from "../../../test/support/remittance-calls.js";
import { waitFor } from "../../../test/support/index.js";
import { createWorld, type World } from "../../../test/support/remittance-fixture.js";
import { openTenant, order } from "../../../test/support/remittance-samples.js";
import { nothingFor } from "../../../test/support/time.js";

let world: World;
beforeAll(async () => void (world = await createWorld("removed_recipients")));
afterEach(() => world.reset());
afterAll(() => world.close());

const hourMs = 3_600_000;
const code = "B-NGOZI";
const remove = (tenantId: string) =>
  world.gateway.removeBeneficiary({ idempotencyKey: randomUUID(), code }, on(tenantId, ada));
const forgotten = (tenantId: string) =>
  world.neighbours.forgotten.filter((one) => one === `${tenantId}/c1/${code}`).length;
const rowsOf = (tenantId: string) =>
  world.db.collection("outbox").find({ tenantId, kind: "compliance.forget-recipient" }).sort({ seq: 1 }).toArray();
const isWaiting = (tenantId: string, seq: number) =>
  waitFor(async () => (await rowsOf(tenantId)).some((row) => row["seq"] === seq && row["state"] === "DUE"), {
    what: `round ${seq} to wait`,
  });

test("compliance is told once of a recipient who was removed and to whom nothing is on its way, an hour later", async () => {
  const tenantId = await openTenant(world);
  await remove(tenantId);
  await isWaiting(tenantId, 2);
  // Something to them may be about to be kept.
  expect(forgotten(tenantId)).toBe(0);
  world.pass(hourMs);
  await waitFor(() => forgotten(tenantId) === 1, { what: "compliance to be told" });
  await waitFor(async () => (await rowsOf(tenantId)).every((row) => row["state"] === "DONE"));
  expect([forgotten(tenantId), (await rowsOf(tenantId)).length]).toEqual([1, 2]);
});

test("as long as a transaction to them is not over compliance is not told, and is in the first round after its end", async () => {
  const tenantId = await openTenant(world);
  const { transaction } = await world.gateway.createTransaction(order(), on(tenantId, ada));
  await remove(tenantId);
  await isWaiting(tenantId, 2);
  const statusOf = async () =>
    (await world.store.forTenant(tenantId).findTransaction(transaction!.transactionId))!.status;
  // Nobody pays for it.
  world.pass(hourMs / 2 + 60_000);
  await waitFor(async () => (await statusOf()) === "EXPIRED", { what: "the transaction to expire" });
  expect(forgotten(tenantId)).toBe(0);
  world.pass(hourMs / 2);
  await waitFor(() => forgotten(tenantId) === 1, { what: "compliance to be told" });
});

test("where compliance still needs them it is asked again, an hour later", async () => {
  const tenantId = await openTenant(world);
  world.neighbours.keeps = true;
  await remove(tenantId);
  await isWaiting(tenantId, 2);
  world.pass(hourMs);
  await isWaiting(tenantId, 3);
  expect(forgotten(tenantId)).toBe(1);
  const third = (await rowsOf(tenantId))[2];
  const inMs = (third!["dueAt"] as Date).getTime() - world.now().getTime();
  expect([inMs > hourMs - 60_000, inMs <= hourMs]).toEqual([true, true]);
  world.neighbours.keeps = false;
  await nothingFor(200);
  expect(forgotten(tenantId)).toBe(1);
  world.pass(hourMs);
  await waitFor(() => forgotten(tenantId) === 2, { what: "compliance to be asked again" });
  await waitFor(async () => (await rowsOf(tenantId)).every((row) => row["state"] === "DONE"));
  expect(await rowsOf(tenantId)).toHaveLength(3);
});
