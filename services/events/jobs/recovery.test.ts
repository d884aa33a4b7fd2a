import { randomUUID } from "node:crypto";
import {
  asManager,
  createEventsWorld,
  endpointDraft,
  on,
  sandboxTenant,
  told,
  type EventsWorld,
} from "../../../test/support/events-fixture.js";
import { waitFor } from "../../../test/support/index.js";
import { startReceiver, type Receiver } from "../../../test/support/webhook-receiver.js";

let world: EventsWorld;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  world = await createEventsWorld("recovery");
});
afterAll(async () => {
  await world.close();
  await receiver.close();
});

test("what never came is sent before what was given up behind it, and nothing is said to be given up", async () => {
  const tenantId = sandboxTenant();
  const draft = endpointDraft(receiver.url("/order"), { ordered: true });
  const { endpoint } = await world.webhooks.createEndpoint(draft, asManager(tenantId));
  const since = new Date(Date.now() - 60_000);
  const events = [1, 2, 3, 4].map(() => told("T1"));
  await world.remittance[0]!.publishEvents({ events }, on(tenantId));
  const got = () => receiver.received.filter(({ path }) => path === "/order");
  const deliveries = world.db.db!.collection("webhook_deliveries");
  await waitFor(async () => (await deliveries.countDocuments({ tenantId, status: "DELIVERED" })) === 4);
  // As though the first and the third had come while it was disabled, and the second had failed.
  await deliveries.deleteMany({ tenantId, sequence: { $in: [1, 3] } });
  await deliveries.updateOne({ tenantId, sequence: 2 }, { $set: { status: "GIVEN_UP", givenUp: "1" } });
  const recovery = { endpointId: endpoint!.endpointId, since, idempotencyKey: randomUUID() };
  await world.webhooks.recoverDeliveries(recovery, asManager(tenantId));
  await waitFor(() => got().length === 7);
  const recovered = got().slice(4);
  expect(recovered.map(({ headers }) => headers["webhook-id"])).toEqual(
    events.slice(0, 3).map(({ eventId }) => eventId),
  );
  expect(recovered.map(({ headers }) => headers["webhook-given-up"])).toEqual([undefined, undefined, undefined]);
});
