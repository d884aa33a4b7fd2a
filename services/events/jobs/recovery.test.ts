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
import { waitFor } from "../../../test/support/index.js";
import { startReceiver, type Receiver } from "../../../test/support/webhook-receiver.js";
import type { NewRow, RelayContext } from "../../kernel/outbox/index.js";
import { recoveries } from "./recovery.js";
import { rowKinds } from "../row-kinds.js";

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
  const events = [1, 2, 3, 4].map(() => newEvent("T1"));
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

test("a long recovery goes on in another row from the place that it has come to, in one commit with its own end", async () => {
  const tenantId = sandboxTenant();
  for (let round = 0; round < 3; round++) {
    const events = Array.from({ length: round === 2 ? 20 : 100 }, (_, index) => newEvent(`L${round}-${index}`));
    await world.remittance[0]!.publishEvents({ events }, on(tenantId));
  }
  const { endpoint } = await world.webhooks.createEndpoint(endpointDraft(receiver.url("/long")), asManager(tenantId));
  const { endpointId } = endpoint!;
  const deliveries = world.db.db!.collection("webhook_deliveries");
  const { store, clock } = world.resources;
  const until = await store.events.forTenant(tenantId).lastPlace();
  const next: NewRow[] = [];
  const outbox = { add: async (row: NewRow) => String(next.push(row)), wake: () => undefined };
  const recover = recoveries({ store, clock, outbox, wake: () => undefined, pagesPerRow: 1 })[rowKinds.recover]!;
  const since = new Date(Date.now() - 60_000);
  const first = { tenantId, aggregate: "a", seq: 1, kind: rowKinds.recover, interactionId: "i", actor: "gateway" };
  const ends: boolean[] = [];
  const carry = async (row: NewRow, fails = false) => {
    const complete = async () => {
      if (fails) throw new Error("killed");
      ends.push(true);
    };
    const context = { signal: new AbortController().signal, attempt: 1, complete } as unknown as RelayContext;
    await recover({ id: "R", ...row }, context);
  };
  const start = { ...first, payload: { endpointId, since, until } };
  const made = () => deliveries.countDocuments({ tenantId });
  await carry(start);
  expect(await made()).toBe(100);
  expect(next[0]).toMatchObject({ aggregate: "a", payload: { endpointId, until } });
  expect(next[0]!.seq).toBeGreaterThan(until);
  await expect(carry(next[0]!, true)).rejects.toThrow("killed");
  expect(await made()).toBe(100);
  await carry(next[0]!);
  expect(await made()).toBe(200);
  await carry(next.at(-1)!);
  expect(await made()).toBe(220);
  expect([next.length, ends.length]).toEqual([2, 2]);
});
