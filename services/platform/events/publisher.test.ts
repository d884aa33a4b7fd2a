import { randomUUID } from "node:crypto";
import { asManager, createEventsWorld, on, type EventsWorld } from "../../../test/support/events-fixture.js";
import { silentLog, testDatabase, testTenant, waitFor, type TestDatabase } from "../../../test/support/index.js";
import { systemClock } from "../../kernel/time/clock.js";
import { inTransaction } from "../../kernel/mongo/transaction.js";
import { createOutbox, createOutboxIndexes, startRelay, type NewRow } from "../../kernel/outbox/index.js";
import { declarations, documentedTypes, faultOfData, type EventData } from "./declare.js";
import { createEventPublisher } from "./publisher.js";
import { eventRow, publishKind } from "./row.js";
import { eventTypes, isConfidential } from "./types.js";

let world: EventsWorld;
let database: TestDatabase;
let outbox: ReturnType<typeof createOutbox>;
const calls: number[] = [];

beforeAll(async () => {
  world = await createEventsWorld("publisher");
  database = await testDatabase("events_teller");
  await createOutboxIndexes(database.db);
  outbox = createOutbox({ db: database.db, clock: systemClock, log: silentLog, service: "remittance" });
});
afterAll(async () => {
  await database.close();
  await world.close();
});

const client = {
  publishEvents: (async (request, call) => {
    calls.push(request.events?.length ?? 0);
    return world.remittance[0]!.publishEvents(request, call);
  }) as EventsWorld["remittance"][number]["publishEvents"],
};
const data = (accountId: string): EventData<"wallet.frozen"> => ({
  accountId,
  accountNumber: "3017760001",
  currency: "USD",
  status: "FROZEN",
});
const approved = (tenantId: string, loan: string, version = 1, part = 0) =>
  eventRow(
    { tenantId, interactionId: randomUUID(), actor: "u1" },
    { type: "wallet.frozen", subjectId: loan, version, part, at: new Date(), customerId: "c1", data: data(loan) },
  );
const add = (rows: readonly NewRow[]) =>
  inTransaction(
    database.db,
    async (session) => {
      for (const row of rows) await outbox.add(row, session);
      return true;
    },
    { readBack: async () => undefined },
  );
const storedOf = async (tenantId: string) =>
  (await world.gateway.listEvents({ pageSize: 100 }, asManager(tenantId))).events;

test("rows become events in their subject's order, in few calls, and are gone afterwards", async () => {
  const tenantId = testTenant();
  calls.length = 0;
  const loans = Array.from({ length: 20 }, (_, index) => `L${index}`);
  await add(
    loans.flatMap((loan) => [
      approved(tenantId, loan, 1, 1),
      approved(tenantId, loan, 2),
      approved(tenantId, loan, 1, 0),
    ]),
  );
  const relay = startRelay({ outbox, handlers: createEventPublisher({ events: client }), concurrency: 32, pollMs: 50 });
  try {
    await waitFor(async () => (await storedOf(tenantId)).length === 60, { timeoutMs: 20_000 });
    expect(calls.length).toBeLessThan(30);
    const own = database.db.db!.collection("outbox");
    await waitFor(async () => (await own.countDocuments({ tenantId })) === 0);
  } finally {
    await relay.stop();
  }
});

test("told twice, as after a crash, it is kept once; one that is refused holds up none beside it", async () => {
  const tenantId = testTenant();
  const handler = createEventPublisher({ events: client })[publishKind]!;
  const rows = [approved(tenantId, "L1"), approved(tenantId, "L2"), approved(tenantId, "L3")].map((row, index) => ({
    ...row,
    id: `019aa6f2-7c9e-7d2f-9a53-0d6f1d0f7a5${index}`,
  }));
  rows[1]!.payload = { ...rows[1]!.payload, type: "wallet.given" };
  const context = {} as Parameters<typeof handler>[1];
  const outcomes = await Promise.allSettled([...rows, rows[0]!].map((row) => handler(row, context)));
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
  expect((outcomes[1] as PromiseRejectedResult).reason).toMatchObject({ code: "INVALID_INPUT" });
  expect((await storedOf(tenantId)).map(({ eventId }) => eventId).toSorted()).toEqual([rows[0]!.id, rows[2]!.id]);
});

test("without an address of events rows wait", async () => {
  const handler = createEventPublisher({ events: undefined })[publishKind]!;
  const row = { ...approved(testTenant(), "L1"), id: randomUUID() };
  await expect(handler(row, {} as never)).rejects.toThrow(/EVENTS_ADDRESS is not set/);
});

test("every type is declared, and data that does not fit is named", async () => {
  expect(documentedTypes().map(({ type }) => type)).toEqual([...eventTypes]);
  expect(Object.keys(declarations)).toHaveLength(48);
  expect(eventTypes.filter(isConfidential)).toEqual(["customer.blocked"]);
  expect(faultOfData("wallet.frozen", data("L1"))).toBeUndefined();
  expect(faultOfData("wallet.frozen", { ...data("L1"), currency: 5 })).toMatch(/currency/);
  expect(() => approved("t", "L1", 1, 2 ** 20)).toThrow(/at most 1048576/);
  expect(() => approved("t", "L1", 1, -1)).toThrow(/at most 1048576/);
  expect(await storedOf(on("nobody").tenantId)).toEqual([]);
});
