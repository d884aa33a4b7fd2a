import { randomUUID } from "node:crypto";
import {
  asManager,
  createEventsWorld,
  endpointDraft,
  on,
  sandboxTenant,
  newEvent,
  type EventsWorld,
} from "../../../test/support/events-fixture.js";
import { askAgain } from "../../../test/support/insist.js";
import { waitFor } from "../../../test/support/index.js";
import { startReceiver, type Receiver } from "../../../test/support/webhook-receiver.js";

let world: EventsWorld;
let receiver: Receiver;
const dayMs = 24 * 3_600_000;
const patiently = { timeoutMs: 30_000 };

beforeAll(async () => {
  receiver = await startReceiver();
  world = await createEventsWorld("bounds", { expiryMs: 100 });
});
afterAll(async () => {
  await world.close();
  await receiver.close();
});
beforeEach(() => (receiver.behaviour.answer = () => ({ status: 204 })));

async function create(tenantId: string, path: string, more: object = {}): Promise<string> {
  const draft = endpointDraft(receiver.url(path), more);
  return (await world.webhooks.createEndpoint(draft, asManager(tenantId))).endpoint!.endpointId;
}
const publish = (tenantId: string, events: ReturnType<typeof newEvent>[]) =>
  world.remittance[0]!.publishEvents({ events }, on(tenantId));
const deliveries = () => world.db.db!.collection("webhook_deliveries");
const countOf = (tenantId: string, status: string) => deliveries().countDocuments({ tenantId, status });

test("what came after an erasure of a receiver's answer is not kept, whether ordered or not", async () => {
  const tenantId = sandboxTenant();
  const customerId = randomUUID();
  const paths = ["/late", "/late-ordered"];
  for (const path of paths) await create(tenantId, path, { ordered: path === "/late-ordered" });
  const erased = Promise.withResolvers<void>();
  receiver.behaviour.answer = () => ({ status: 200, body: "hello Amina", behind: erased.promise });
  await publish(tenantId, [newEvent("T1", { customerId })]);
  await waitFor(() => paths.every((path) => receiver.received.some((one) => one.path === path)));
  await world.erase({ tenantId, customerId, userId: "U1" }, "AT_ONCE");
  expect(await countOf(tenantId, "PENDING")).toBe(2);
  erased.resolve();
  await waitFor(async () => (await countOf(tenantId, "DELIVERED")) === 2, patiently);
  const stored = await deliveries().find({ tenantId }).toArray();
  expect(stored.flatMap(({ attempts }) => attempts as object[])).toMatchObject([{ status: 200 }, { status: 200 }]);
  for (const attempt of stored.flatMap(({ attempts }) => attempts as object[]))
    expect(attempt).not.toHaveProperty("answer");
});

test("a confidential delivery that waits for its next try is not sent once the endpoint gets none of them", async () => {
  const tenantId = sandboxTenant();
  const endpointId = await create(tenantId, "/secret", { includesConfidential: true, eventTypes: ["customer.*"] });
  const event = newEvent("C1", { type: "customer.blocked" });
  receiver.behaviour.answer = () => ({ status: 500 });
  await publish(tenantId, [event]);
  await waitFor(async () => (await deliveries().countDocuments({ tenantId, attemptCount: 1 })) === 1);
  receiver.behaviour.answer = () => ({ status: 204 });
  const change = {
    endpointId,
    includesConfidential: false,
    mayIncludeConfidential: true,
    idempotencyKey: randomUUID(),
  };
  await world.webhooks.changeEndpoint(change, asManager(tenantId));
  world.pass(10_000);
  await waitFor(async () => (await countOf(tenantId, "GIVEN_UP")) === 1, patiently);
  expect(receiver.received.filter(({ path }) => path === "/secret")).toHaveLength(1);
  const [given] = (
    await world.webhooks.listDeliveries({ endpointId, mayIncludeConfidential: true }, asManager(tenantId))
  ).deliveries;
  expect(given!.attempts.at(-1)).toMatchObject({ error: "the endpoint gets no confidential events any more" });
  const again = { deliveryId: given!.deliveryId, idempotencyKey: randomUUID(), mayIncludeConfidential: true };
  await expect(world.webhooks.resendDelivery(again, asManager(tenantId))).rejects.toMatchObject({
    code: "STATE_CONFLICT",
  });
});

test("a rate holds however often and by whomever it is asked", async () => {
  const tenantId = sandboxTenant();
  const endpointId = await create(tenantId, "/rate", { rateLimitPerSecond: 5 });
  const lanes = world.resources.store.lanes.forTenant(tenantId);
  const startedAt = performance.now();
  let taken = 0;
  for (let round = 0; round < 10; round++) {
    const requested = await Promise.all([1, 2, 3].map(() => lanes.takeTokens(endpointId, 5, 10)));
    taken += requested.reduce((sum, one) => sum + one, 0);
  }
  expect(taken).toBeGreaterThanOrEqual(5);
  // A second's worth at once, and what has come since: however slow this machine is.
  expect(taken).toBeLessThanOrEqual(5 + Math.ceil(((performance.now() - startedAt) / 1_000) * 5));
});

test("what a router with a faster clock has noted gives nothing anew", async () => {
  const tenantId = sandboxTenant();
  const endpointId = await create(tenantId, "/ahead", { rateLimitPerSecond: 5 });
  const tokensAt = new Date(Date.now() + 60_000);
  const one = { tenantId, endpointId };
  await world.db.db!.collection("webhook_lanes").updateOne(one, { $set: { tokens: 0, tokensAt } });
  const lanes = world.resources.store.lanes.forTenant(tenantId);
  expect(await lanes.takeTokens(endpointId, 5, 10)).toBe(0);
  expect(await world.db.db!.collection("webhook_lanes").findOne(one)).toMatchObject({ tokensAt });
});

test("nothing is left open of an endpoint that is removed while a delivery is sent again", async () => {
  const tenantId = sandboxTenant();
  const ids: { endpointId: string; deliveryId: string }[] = [];
  for (let index = 0; index < 6; index++) await create(tenantId, `/removed-${index}`);
  await publish(tenantId, [newEvent("T1")]);
  await waitFor(async () => (await countOf(tenantId, "DELIVERED")) === 6, patiently);
  receiver.behaviour.answer = () => ({ status: 500 });
  for (const { endpointId, deliveryId } of await deliveries().find({ tenantId }).toArray()) {
    ids.push({ endpointId: String(endpointId), deliveryId: String(deliveryId) });
  }
  const resent = await Promise.all(
    ids.map(async ({ endpointId, deliveryId }) => {
      const again = world.webhooks.resendDelivery({ deliveryId, idempotencyKey: randomUUID() }, asManager(tenantId));
      const [answer] = await Promise.allSettled([
        again,
        world.webhooks.removeEndpoint({ endpointId }, asManager(tenantId)),
      ]);
      return answer.status === "fulfilled" ? "SENT" : (answer.reason as { code: string }).code;
    }),
  );
  expect(resent.filter((one) => !["SENT", "NOT_FOUND", ...askAgain].includes(one))).toEqual([]);
  await waitFor(async () => (await countOf(tenantId, "PENDING")) === 0, patiently);
  const rows = world.db.db!.collection("outbox");
  await waitFor(
    async () => (await rows.countDocuments({ tenantId, kind: "webhook.clean-up", state: "DUE" })) === 0,
    patiently,
  );
  expect(await countOf(tenantId, "PENDING")).toBe(0);
});

test("a paused endpoint keeps what came for as long as events are kept; the next says what was given up", async () => {
  const tenantId = sandboxTenant();
  const ordered = await create(tenantId, "/paused", { ordered: true });
  const plain = await create(tenantId, "/paused-plain");
  for (const endpointId of [ordered, plain]) await world.webhooks.pauseEndpoint({ endpointId }, asManager(tenantId));
  await publish(tenantId, [newEvent("P1"), newEvent("P1"), newEvent("P1"), newEvent("P2")]);
  expect(await countOf(tenantId, "PENDING")).toBe(8);
  world.pass(20 * dayMs);
  await publish(tenantId, [newEvent("P1")]);
  world.pass(11 * dayMs);
  await waitFor(async () => (await countOf(tenantId, "GIVEN_UP")) === 8, patiently);
  expect(await countOf(tenantId, "PENDING")).toBe(2);
  for (const endpointId of [ordered, plain]) await world.webhooks.resumeEndpoint({ endpointId }, asManager(tenantId));
  await waitFor(async () => (await countOf(tenantId, "DELIVERED")) === 2, patiently);
  const got = receiver.received.filter(({ path }) => path === "/paused");
  expect(got.map(({ event, headers }) => [event.sequence, headers["webhook-given-up"]])).toEqual([[4, "1-3"]]);
});

test("deliveries that cannot be given up, more than one look takes, are left and keep none behind them from it", async () => {
  const tenantId = sandboxTenant();
  const endpointId = await create(tenantId, "/poisoned");
  await world.webhooks.pauseEndpoint({ endpointId }, asManager(tenantId));
  await publish(
    tenantId,
    Array.from({ length: 60 }, (_, index) => newEvent(`P${index}`)),
  );
  const inOrder = await deliveries().find({ tenantId }).sort({ place: 1 }).toArray();
  // One in the midst of sound ones, and more than a page of them: nothing
  // can be added to their attempts.
  const isPoisoned = (index: number) => index === 3 || (index >= 5 && index < 57);
  const [poisoned, sound] = [isPoisoned, (index: number) => !isPoisoned(index)].map((which) =>
    inOrder.filter((_one, index) => which(index)).map(({ deliveryId }) => String(deliveryId)),
  ) as [string[], string[]];
  const ofPoisoned = { tenantId, deliveryId: { $in: poisoned } };
  await deliveries().updateMany(ofPoisoned, { $set: { attempts: "unreadable" } });
  world.pass(31 * dayMs);
  await waitFor(async () => (await countOf(tenantId, "GIVEN_UP")) === sound.length, patiently);
  const given = await deliveries().find({ tenantId, status: "GIVEN_UP" }).sort({ place: 1 }).toArray();
  expect(given.map(({ deliveryId }) => deliveryId)).toEqual(sound);
  // All of them are told of, and nobody else.
  const left = () =>
    world.network.lines
      .map((line) => JSON.parse(line) as { work?: string; tenantId?: string; deliveryId?: string })
      .flatMap((line) => (line.work === "deliveries" && line.tenantId === tenantId ? [line.deliveryId!] : []));
  await waitFor(() => poisoned.every((id) => left().includes(id)), patiently);
  expect(left().filter((id) => sound.includes(id))).toEqual([]);
});
