import {
  asManager,
  createEventsWorld,
  endpointDraft,
  sandboxTenant,
  newEvent,
  type EventsWorld,
} from "../../../test/support/events-fixture.js";
import { startReceiver, type Receiver } from "../../../test/support/webhook-receiver.js";
import { waitFor } from "../../../test/support/index.js";
import type { EventsStore } from "../store/index.js";
import type { NewEvent } from "../domain/event.js";
import { createPublishing } from "./publish.js";

let world: EventsWorld;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  world = await createEventsWorld("publish");
});
afterAll(async () => {
  await world.close();
  await receiver.close();
});

const publishingOver = (store: EventsStore) => {
  const { clock, outbox } = world.resources;
  return createPublishing({ store, clock, outbox, wake: () => undefined });
};

/** Its process is gone once the events are committed. */
function dyingBeforeTouch(store: EventsStore): EventsStore {
  const touch = async (): Promise<void> => {
    throw new Error("killed");
  };
  const forTenant = (tenantId: string) => ({ ...store.lanes.forTenant(tenantId), touch });
  return { ...store, lanes: { ...store.lanes, forTenant } };
}

/** Its first look at what is known, and then a wait: others commit meanwhile. */
function waitingAfterRead(store: EventsStore, read: () => void, goOn: Promise<void>): EventsStore {
  const forTenant = (tenantId: string): ReturnType<EventsStore["events"]["forTenant"]> => {
    const events = store.events.forTenant(tenantId);
    return {
      ...events,
      async sequencesOf(ids, session) {
        const known = await events.sequencesOf(ids, session);
        if (session === undefined) {
          read();
          await goOn;
        }
        return known;
      },
    };
  };
  return { ...store, events: { ...store.events, forTenant } };
}

test("what another replica kept and showed nobody is sent, though it came after the look", async () => {
  const tenantId = sandboxTenant();
  await world.webhooks.createEndpoint(endpointDraft(receiver.url("/late")), asManager(tenantId));
  const { store } = world.resources;
  const { subjectType: _type, ...rest } = newEvent("T1");
  const event: NewEvent = { ...rest, type: "transaction.created", occurredAt: new Date() };
  const read = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const second = publishingOver(waitingAfterRead(store, read.resolve, goOn.promise)).publish(tenantId, [event]);
  await read.promise;
  await expect(publishingOver(dyingBeforeTouch(store)).publish(tenantId, [event])).rejects.toThrow("killed");
  goOn.resolve();
  expect([...(await second).values()]).toEqual([1]);
  const arrived = await waitFor(() => receiver.received.find(({ path }) => path === "/late"));
  expect(arrived.headers["webhook-id"]).toBe(event.eventId);
});
