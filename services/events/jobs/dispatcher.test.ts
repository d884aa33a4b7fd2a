import { randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { waitFor } from "../../../test/support/index.js";
import {
  asManager,
  createEventsWorld,
  endpointDraft,
  managersMail,
  on,
  sandboxTenant,
  newEvent,
  type EventsWorld,
} from "../../../test/support/events-fixture.js";
import { insist } from "../../../test/support/insist.js";
import { startReceiver, type Receiver } from "../../../test/support/webhook-receiver.js";

let world: EventsWorld;
let receiver: Receiver;
const hourMs = 3_600_000;

beforeAll(async () => {
  receiver = await startReceiver();
  world = await createEventsWorld("dispatcher", { replicas: 3, attemptMs: 600, leaseMs: 2_000 });
});
afterAll(async () => {
  await world.close();
  await receiver.close();
});
beforeEach(() => (receiver.behaviour.answer = () => ({ status: 204 })));

async function create(tenantId: string, path: string, more: object = {}) {
  const draft = endpointDraft(receiver.url(path), more);
  const { endpoint, secret } = await world.webhooks.createEndpoint(draft, asManager(tenantId));
  return { endpointId: endpoint!.endpointId, secret };
}
const publish = (tenantId: string, events: ReturnType<typeof newEvent>[], replica = 0) =>
  world.remittance[replica]!.publishEvents({ events }, on(tenantId));
const deliveriesOf = async (tenantId: string, endpointId: string) =>
  (await world.webhooks.listDeliveries({ endpointId, pageSize: 100 }, asManager(tenantId))).deliveries;
const oneOf = async (tenantId: string, endpointId: string) => {
  const [first] = await deliveriesOf(tenantId, endpointId);
  return (await world.webhooks.getDelivery({ deliveryId: first!.deliveryId }, asManager(tenantId))).delivery!;
};
const secondsUntil = (time: Date | undefined) => Math.round((time!.getTime() - world.now().getTime()) / 1_000);

test("an event arrives signed, at the endpoints that want it alone", async () => {
  const tenantId = sandboxTenant();
  const { secret, endpointId } = await create(tenantId, "/signed");
  await create(tenantId, "/loans", { eventTypes: ["loan.*"] });
  const event = newEvent("T1");
  await publish(tenantId, [event, newEvent("C1", { type: "customer.blocked" })]);
  const arrived = await waitFor(() => receiver.received.find(({ path }) => path === "/signed"));
  expect(arrived.headers["webhook-id"]).toBe(event.eventId);
  expect(new Webhook(secret).verify(arrived.body, arrived.headers as Record<string, string>)).toEqual(arrived.event);
  await waitFor(async () => (await oneOf(tenantId, endpointId)).status === "DELIVERED");
  expect((await oneOf(tenantId, endpointId)).attempts).toMatchObject([{ status: 204, error: "" }]);
  expect(receiver.received.filter(({ path }) => path === "/loans")).toEqual([]);
});

test("a failure is tried again by the schedule, a redirect is one, and Retry-After counts where it is later", async () => {
  const tenantId = sandboxTenant();
  const { endpointId } = await create(tenantId, "/failing");
  receiver.behaviour.answer = (path) =>
    path === "/failing"
      ? { status: 302, headers: { location: receiver.url("/elsewhere") }, body: "x".repeat(3_000) }
      : { status: 204 };
  await publish(tenantId, [newEvent("T1")]);
  const tried = async (count: number) =>
    waitFor(async () => {
      const one = await oneOf(tenantId, endpointId);
      return one.attempts.length === count ? one : undefined;
    });
  const first = await tried(1);
  expect(first.attempts[0]!.answer).toHaveLength(1_024);
  // Five seconds and their spread after the attempt ended, however late it is read.
  const { at, durationMs } = first.attempts[0]!;
  const waitMs = first.nextAttemptAt!.getTime() - at!.getTime() - durationMs;
  expect(waitMs).toBeLessThanOrEqual(6_500);
  expect(waitMs).toBeGreaterThanOrEqual(4_900);
  receiver.behaviour.answer = () => ({ status: 503, headers: { "retry-after": "7200" } });
  world.pass(6_000);
  const second = await tried(2);
  expect(secondsUntil(second.nextAttemptAt)).toBeGreaterThan(7_100);
  receiver.behaviour.answer = () => ({ status: 429, headers: { "retry-after": "999999999" } });
  world.pass(3 * hourMs);
  const third = await tried(3);
  expect(secondsUntil(third.nextAttemptAt)).toBeGreaterThan(86_000);
  expect(secondsUntil(third.nextAttemptAt)).toBeLessThanOrEqual(86_400);
  receiver.behaviour.answer = () => ({ status: 200 });
  world.pass(25 * hourMs);
  await waitFor(async () => (await oneOf(tenantId, endpointId)).status === "DELIVERED");
  const sent = receiver.received.filter(({ path }) => path === "/failing");
  expect(new Set(sent.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(new Set(sent.map(({ body }) => body.toString("hex"))).size).toBe(1);
  expect(receiver.received.some(({ path }) => path === "/elsewhere")).toBe(false);
}, 60_000);

test("a delivery that is sent again has the same id and the same bytes", async () => {
  const tenantId = sandboxTenant();
  const { endpointId } = await create(tenantId, "/again");
  await publish(tenantId, [newEvent("T1")]);
  const arrived = () => receiver.received.filter(({ path }) => path === "/again");
  await waitFor(async () => (await oneOf(tenantId, endpointId)).status === "DELIVERED");
  const { deliveryId } = await oneOf(tenantId, endpointId);
  const ask = { deliveryId, idempotencyKey: randomUUID() };
  await world.webhooks.resendDelivery(ask, asManager(tenantId));
  await world.webhooks.resendDelivery(ask, asManager(tenantId));
  await waitFor(() => arrived().length === 2);
  const [first, second] = arrived();
  expect(second!.body.equals(first!.body)).toBe(true);
  expect(second!.headers["webhook-id"]).toBe(first!.headers["webhook-id"]);
  receiver.behaviour.answer = () => ({ status: 500 });
  await waitFor(async () => (await oneOf(tenantId, endpointId)).status === "DELIVERED");
  await world.webhooks.resendDelivery({ ...ask, idempotencyKey: randomUUID() }, asManager(tenantId));
  const underWay = world.webhooks.resendDelivery({ ...ask, idempotencyKey: randomUUID() }, asManager(tenantId));
  await expect(underWay).rejects.toMatchObject({
    code: "STATE_CONFLICT",
    message: expect.stringContaining("under way already"),
  });
});

test("a sandbox may shorten its schedule; afterwards a delivery is given up", async () => {
  const tenantId = sandboxTenant();
  const { endpointId } = await create(tenantId, "/short");
  receiver.behaviour.answer = () => ({ status: 500 });
  const set = (waitsS: number[], tenant = tenantId) => world.webhooks.setSchedule({ waitsS }, asManager(tenant));
  await expect(set([0])).rejects.toThrow(/must be 1 to 86400/);
  await expect(set([1], "live-tenant")).rejects.toMatchObject({ code: "STATE_CONFLICT" });
  expect((await set([])).waitsS).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]);
  expect((await set([1, 2])).waitsS).toEqual([1, 2]);
  expect((await world.webhooks.getSchedule({}, asManager(tenantId))).waitsS).toEqual([1, 2]);
  await publish(tenantId, [newEvent("T1")]);
  const given = await waitFor(
    async () => {
      const one = (await deliveriesOf(tenantId, endpointId))[0];
      return one?.status === "GIVEN_UP" ? one : undefined;
    },
    { timeoutMs: 20_000 },
  );
  expect(given).toMatchObject({ attemptCount: 3, nextAttemptAt: undefined });
});

test("410 disables, and so do five days of failing; managers are told, and what was missed is recovered", async () => {
  const tenantId = sandboxTenant();
  const { endpointId } = await create(tenantId, "/gone");
  receiver.behaviour.answer = () => ({ status: 410 });
  await publish(tenantId, [newEvent("G1")]);
  const endpoint = async () => (await world.webhooks.getEndpoint({ endpointId }, asManager(tenantId))).endpoint!;
  await waitFor(async () => (await endpoint()).status === "DISABLED");
  expect((await endpoint()).statusReason).toBe("it answered 410 Gone");
  const pause = world.webhooks.pauseEndpoint({ endpointId }, asManager(tenantId));
  await expect(pause).rejects.toMatchObject({ code: "STATE_CONFLICT" });
  await waitFor(() => world.sent.some((one) => one.tenantId === tenantId));
  expect(world.sent.filter((one) => one.tenantId === tenantId)).toMatchObject([
    { to: managersMail, text: expect.stringContaining("410 Gone") },
  ]);
  const since = new Date(world.now().getTime() - hourMs);
  await publish(tenantId, [newEvent("G2"), newEvent("G1", { type: "transaction.paid" })]);
  const recover = () =>
    world.webhooks.recoverDeliveries({ endpointId, since, idempotencyKey: randomUUID() }, asManager(tenantId));
  await expect(recover()).rejects.toMatchObject({ code: "STATE_CONFLICT" });
  receiver.behaviour.answer = () => ({ status: 204 });
  await world.webhooks.resumeEndpoint({ endpointId }, asManager(tenantId));
  await recover();
  await recover();
  await waitFor(() => receiver.taken("/gone").length === 3);
  await waitFor(async () => (await deliveriesOf(tenantId, endpointId)).every(({ status }) => status === "DELIVERED"));
  expect(receiver.received.filter(({ path, status }) => path === "/gone" && status === 204)).toHaveLength(3);

  receiver.behaviour.answer = () => ({ status: 500 });
  await publish(tenantId, [newEvent("G3")]);
  await waitFor(async () => (await endpoint()).failingSince !== undefined);
  for (let hours = 0; hours <= 121; hours += 11) {
    world.pass(11 * hourMs);
    await publish(tenantId, [newEvent("G4")]);
    if ((await endpoint()).status === "DISABLED") break;
  }
  await waitFor(async () => (await endpoint()).status === "DISABLED");
  expect((await endpoint()).statusReason).toMatch(/^every attempt failed since/);
}, 60_000);

test("an ordered endpoint that fails half of the time gets each subject's events once and in order", async () => {
  const fast = await createEventsWorld("ordered", { replicas: 3, waitsMs: Array.from({ length: 60 }, () => 20) });
  try {
    const tenantId = sandboxTenant();
    const draft = endpointDraft(receiver.url("/ordered"), { ordered: true });
    await fast.webhooks.createEndpoint(draft, asManager(tenantId));
    let seed = 1;
    const coin = () => (seed = (seed * 48_271) % 2_147_483_647) % 2 === 0;
    receiver.behaviour.answer = () => ({ status: coin() ? 204 : 500 });
    const subjects = Array.from({ length: 8 }, (_, index) => `O${index}`);
    for (let round = 0; round < 15; round++) {
      const events = subjects.flatMap((subject) => [newEvent(subject), newEvent(subject)]);
      await insist(() => fast.remittance[round % 3]!.publishEvents({ events }, on(tenantId)));
    }
    await waitFor(() => receiver.taken("/ordered").length === 240, { timeoutMs: 60_000 });
    for (const subject of subjects) {
      const own = receiver.taken("/ordered").filter((event) => event.subject.id === subject);
      expect(own.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
    }
    const accepted = receiver.received.filter(({ path, status }) => path === "/ordered" && status === 204);
    expect(accepted).toHaveLength(240);
  } finally {
    await fast.close();
  }
}, 120_000);

test("one that is given up lets the next of its subject go, which says so; other subjects do not wait", async () => {
  const few = await createEventsWorld("given_up", { waitsMs: [30, 30] });
  try {
    const tenantId = sandboxTenant();
    await few.webhooks.createEndpoint(endpointDraft(receiver.url("/skips"), { ordered: true }), asManager(tenantId));
    receiver.behaviour.answer = () => ({ status: 500 });
    await few.remittance[0]!.publishEvents(
      { events: [newEvent("K1"), newEvent("K1"), newEvent("K1"), newEvent("K2")] },
      on(tenantId),
    );
    const triedOf = (subject: string, sequence: number) =>
      receiver.received.filter(
        ({ path, event }) => path === "/skips" && event.subject.id === subject && event.sequence === sequence,
      );
    await waitFor(() => triedOf("K1", 2).length === 3, { timeoutMs: 20_000 });
    expect(triedOf("K1", 1)).toHaveLength(3);
    expect(triedOf("K2", 1).length).toBeGreaterThan(0);
    receiver.behaviour.answer = () => ({ status: 204 });
    const third = await waitFor(() => triedOf("K1", 3)[0]);
    expect(third.headers["webhook-given-up"]).toBe("1-2");
    expect(triedOf("K1", 2)[0]!.headers["webhook-given-up"]).toBe("1");
  } finally {
    await few.close();
  }
}, 60_000);

test("a receiver that hangs holds up nobody else", async () => {
  const patient = await createEventsWorld("hanging");
  try {
    const tenantId = sandboxTenant();
    for (const path of ["/hangs", "/quick"]) {
      await patient.webhooks.createEndpoint(endpointDraft(receiver.url(path)), asManager(tenantId));
    }
    receiver.behaviour.answer = (path) => ({ status: 204, afterMs: path === "/hangs" ? 60_000 : 0 });
    const events = Array.from({ length: 100 }, (_, index) => newEvent(`H${index}`));
    await patient.remittance[0]!.publishEvents({ events }, on(tenantId));
    await waitFor(() => receiver.taken("/quick").length === 100, { timeoutMs: 15_000 });
    expect(receiver.received.filter(({ path }) => path === "/hangs")).toHaveLength(16);
  } finally {
    await patient.close();
  }
}, 60_000);

test("an endpoint gets no more a second than it asked for, from all replicas together", async () => {
  const tenantId = sandboxTenant();
  await create(tenantId, "/limited", { rateLimitPerSecond: 10 });
  const startedAt = performance.now();
  await publish(
    tenantId,
    Array.from({ length: 30 }, (_, index) => newEvent(`L${index}`)),
  );
  await waitFor(() => receiver.taken("/limited").length === 30, { timeoutMs: 20_000 });
  const times = receiver.received.filter(({ path }) => path === "/limited").map(({ at }) => at - startedAt);
  // A second's worth at once, then as many a second.
  expect(times.filter((at) => at < 900).length).toBeLessThanOrEqual(20);
});

test("what a person's events were about is not sent again after their erasure", async () => {
  const tenantId = sandboxTenant();
  const { endpointId } = await create(tenantId, "/erased");
  const customerId = randomUUID();
  receiver.behaviour.answer = () => ({ status: 200, body: "hello Amina" });
  await publish(tenantId, [newEvent("T1", { customerId })]);
  await waitFor(async () => (await oneOf(tenantId, endpointId)).status === "DELIVERED");
  const { deliveryId, attempts } = await oneOf(tenantId, endpointId);
  expect(attempts[0]!.answer).toBe("hello Amina");
  expect((await world.erase({ tenantId, customerId, userId: "U1" }, "AT_ONCE")).erased).toEqual({
    events: 1,
    "webhook-answers": 1,
  });
  const ask = { deliveryId, idempotencyKey: randomUUID() };
  await expect(world.webhooks.resendDelivery(ask, asManager(tenantId))).rejects.toMatchObject({ code: "EVENT_ERASED" });
  expect((await oneOf(tenantId, endpointId)).attempts[0]!.answer).toBe("");
});
