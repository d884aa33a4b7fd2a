import pino from "pino";
import type { Delivery } from "../domain/delivery.js";
import type { Endpoint } from "../domain/endpoint.js";
import type { EventsStore } from "../store/index.js";
import { startDispatcher } from "./dispatcher.js";
import { createSlots } from "./slots.js";
import { waitFor } from "../../../test/support/index.js";
import { nothingFor } from "../../../test/support/time.js";

test("reserved slots count, and what was not begun is given back", () => {
  const slots = createSlots();
  expect(slots.reserve("E", 100)).toBe(16);
  expect(slots.reserve("E", 1)).toBe(0);
  slots.release("E", 10);
  expect(slots.roomFor("E")).toBe(10);
  for (let index = 0; index < 100; index++) slots.reserve(`E${index}`, 16);
  expect(slots.hasRoom()).toBe(false);
  expect(slots.reserve("other", 1)).toBe(0);
});

/** As many endpoints as one look takes, each with more than its slots hold. */
function busyStore(): EventsStore {
  const endpointIds = Array.from({ length: 200 }, (_, index) => `E${index}`);
  const lanes = {
    due: async (_now: Date, but: readonly string[]) => ({
      lanes: endpointIds.filter((id) => !but.includes(id)).map((endpointId) => ({ tenantId: "T", endpointId })),
      nextInMs: undefined,
    }),
    oldestDueS: async () => 0,
    forTenant: () => ({ settle: async () => undefined, touch: async () => undefined }),
  };
  let made = 0;
  const deliveries = {
    due: async (_endpointId: string, _now: Date, limit: number) =>
      Array.from({ length: limit }, () => `D${(made += 1)}`),
    lease: async (ids: readonly string[], leaseToken: string, _now: Date, dueAt: Date) =>
      ids.map((deliveryId) => ({ deliveryId, leaseToken, dueAt, endpointId: "E" }) as Delivery),
    nextDue: async () => undefined,
    giveBack: async () => undefined,
  };
  const endpoint = (endpointId: string) => ({ endpointId, status: "ACTIVE", rateLimitPerSecond: 0 }) as Endpoint;
  return {
    lanes,
    deliveries: { forTenant: () => deliveries },
    endpoints: { forTenant: () => ({ find: async (id: string) => endpoint(id) }) },
    events: { forTenant: () => ({ findMany: async () => new Map() }) },
  } as unknown as EventsStore;
}

test("one look at many endpoints begins no more attempts than may be under way", async () => {
  let underWay = 0;
  const dispatcher = startDispatcher({
    store: busyStore(),
    clock: { now: () => new Date() },
    log: pino({ level: "silent" }),
    // None of them ends until the process does.
    tryOnce: async (_tenantId, _endpoint, _delivery, _event, signal) => {
      underWay += 1;
      await new Promise<void>((ended) => signal.addEventListener("abort", () => ended(), { once: true }));
      return { attempt: { at: new Date(), durationMs: 0 }, outcome: { status: "GIVEN_UP" }, verdict: "UNSENT" };
    },
    results: { write: async () => false },
    health: { note: async () => undefined },
  });
  await waitFor(() => underWay >= 1_024);
  await nothingFor(200);
  await dispatcher.stop(0);
  expect(underWay).toBe(1_024);
});
