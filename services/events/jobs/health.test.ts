import {
  asManager,
  createEventsWorld,
  endpointDraft,
  on,
  sandboxTenant,
  newEvent,
  type EventsWorld,
} from "../../../test/support/events-fixture.js";
import { waitFor } from "../../../test/support/index.js";
import { startReceiver, type Receiver } from "../../../test/support/webhook-receiver.js";
import { createHealth } from "./health.js";
import { createSlots } from "./slots.js";

let world: EventsWorld;
let receiver: Receiver;
const sixDaysMs = 6 * 24 * 3_600_000;

beforeAll(async () => {
  receiver = await startReceiver();
  world = await createEventsWorld("health");
});
afterAll(async () => {
  await world.close();
  await receiver.close();
});

async function failing() {
  const tenantId = sandboxTenant();
  const url = receiver.url("/health");
  const { endpoint } = await world.webhooks.createEndpoint(endpointDraft(url), asManager(tenantId));
  const { endpointId } = endpoint!;
  const { store } = world.resources;
  const lanes = store.lanes.forTenant(tenantId);
  await lanes.noteFailure(endpointId, new Date(world.now().getTime() - sixDaysMs));
  const lane = (await lanes.find(endpointId))!;
  const health = createHealth(world.resources);
  const statusOf = async () => (await store.endpoints.forTenant(tenantId).find(endpointId))?.status;
  return { tenantId, url, lane, lanes, health, statusOf, endpointId };
}

test("five days of failing disable, unless a success came since the lane was read", async () => {
  const { tenantId, url, lane, lanes, health, statusOf, endpointId } = await failing();
  await health.note(tenantId, lane, "ARRIVED", url);
  await health.note(tenantId, lane, "FAILED", url);
  expect(await statusOf()).toBe("ACTIVE");
  expect((await lanes.find(endpointId))!.failingSince!.getTime()).toBeGreaterThan(world.now().getTime() - 60_000);
  const other = await failing();
  await other.health.note(other.tenantId, other.lane, "FAILED", other.url);
  expect(await other.statusOf()).toBe("DISABLED");
});

test("410 of an address that it has no more disables nothing", async () => {
  const { tenantId, url, lane, health, statusOf } = await failing();
  await health.note(tenantId, lane, "GONE", receiver.url("/old"));
  await health.note(tenantId, lane, "FAILED", receiver.url("/old"));
  expect(await statusOf()).toBe("ACTIVE");
  await health.note(tenantId, lane, "GONE", url);
  expect(await statusOf()).toBe("DISABLED");
});

test("what cannot be sent at all says nothing of the endpoint, and is given up", async () => {
  const { tenantId, url, lane, lanes, health, statusOf, endpointId } = await failing();
  await health.note(tenantId, lane, "UNSENT", url);
  expect(await statusOf()).toBe("ACTIVE");
  await lanes.noteSuccess(endpointId);
  const { store } = world.resources;
  const deliveries = world.db.db!.collection("webhook_deliveries");
  receiver.behaviour.answer = () => ({ status: 500 });
  const event = newEvent("T1");
  await world.remittance[0]!.publishEvents({ events: [event] }, on(tenantId));
  await waitFor(async () => (await deliveries.countDocuments({ tenantId, attemptCount: 1 })) === 1);
  await waitFor(async () => (await lanes.find(endpointId))?.failingSince !== undefined);
  receiver.behaviour.answer = () => ({ status: 204 });
  await lanes.noteSuccess(endpointId);
  await world.db.db!.collection("events").deleteOne({ tenantId, eventId: event.eventId });
  await deliveries.updateOne({ tenantId }, { $set: { dueAt: world.now() } });
  await store.lanes.forTenant(tenantId).touch([endpointId], world.now());
  await waitFor(async () => (await deliveries.countDocuments({ tenantId, status: "GIVEN_UP" })) === 1);
  expect(await lanes.find(endpointId)).not.toHaveProperty("failingSince");
});

test("what was not sent leaves an endpoint's slots alone", () => {
  const slots = createSlots();
  const attempt = { at: new Date(), durationMs: 0, error: "the person was erased" };
  const before = slots.roomFor("E");
  slots.reserve("E", 1);
  slots.give("E", { attempt, outcome: { status: "GIVEN_UP" }, verdict: "UNSENT" });
  expect(slots.roomFor("E")).toBe(before);
  slots.reserve("E", 1);
  slots.give("E", { attempt, outcome: { status: "GIVEN_UP" }, verdict: "FAILED" });
  expect(slots.roomFor("E")).toBe(before / 2);
});
