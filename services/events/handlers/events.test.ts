import { randomUUID } from "node:crypto";
import { testTenant, waitFor } from "../../../test/support/index.js";
import { plansOf } from "../../../test/support/read-plans.js";
import {
  asManager,
  createEventsWorld,
  endpointDraft,
  on,
  sandboxTenant,
  newEvent,
  type EventsWorld,
} from "../../../test/support/events-fixture.js";

let world: EventsWorld;

beforeAll(async () => {
  world = await createEventsWorld("events", { replicas: 2 });
});
afterAll(() => world.close());

const sequencesOf = (answer: { events: { sequence: bigint }[] }) =>
  answer.events.map(({ sequence }) => Number(sequence));

test("events of a subject are numbered without gaps, each kept once", async () => {
  const tenantId = testTenant();
  const [remittance] = world.remittance;
  const first = [newEvent("T1"), newEvent("T2"), newEvent("T1", { type: "transaction.paid" })];
  expect(sequencesOf(await remittance!.publishEvents({ events: first }, on(tenantId)))).toEqual([1, 1, 2]);
  const more = [...first, newEvent("T1", { type: "transaction.completed" })];
  expect(sequencesOf(await remittance!.publishEvents({ events: more }, on(tenantId)))).toEqual([1, 1, 2, 3]);
  const { events } = await world.gateway.listEvents({}, asManager(tenantId));
  expect(events.map(({ subjectId, type, sequence }) => [subjectId, type, Number(sequence)])).toEqual([
    ["T1", "transaction.created", 1],
    ["T2", "transaction.created", 1],
    ["T1", "transaction.paid", 2],
    ["T1", "transaction.completed", 3],
  ]);
});

test("two replicas that are told at once number without a gap and lose nothing", async () => {
  const tenantId = testTenant();
  const subjects = ["S1", "S2", "S3"];
  const calls = Array.from({ length: 40 }, (_, index) => {
    const events = subjects.map((subject) => newEvent(subject));
    // Each is told twice, as by a service whose call was cut off.
    return [index % 2, (index + 1) % 2].map((replica) =>
      world.remittance[replica]!.publishEvents({ events }, on(tenantId)),
    );
  });
  await Promise.all(calls.flat());
  const recorded: { subjectId: string; sequence: bigint; eventId: string }[] = [];
  for (let cursor = ""; ;) {
    const page = await world.gateway.listEvents({ cursor, pageSize: 100 }, asManager(tenantId));
    recorded.push(...page.events);
    if (page.nextCursor === "") break;
    cursor = page.nextCursor;
  }
  expect(new Set(recorded.map(({ eventId }) => eventId)).size).toBe(120);
  for (const subject of subjects) {
    const own = recorded.filter(({ subjectId }) => subjectId === subject).map(({ sequence }) => Number(sequence));
    expect(own).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
  }
}, 60_000);

test("the body is what the service told, with its number", async () => {
  const tenantId = testTenant();
  const event = newEvent("T9", { occurredAt: new Date("2026-11-01T10:00:00.000Z"), dataJson: `{"id":"T9","n":1.10}` });
  await world.remittance[0]!.publishEvents({ events: [event] }, on(tenantId));
  const { event: found } = await world.gateway.getEvent({ eventId: event.eventId }, asManager(tenantId));
  expect(found!.body).toBe(
    `{"id":"${event.eventId}","type":"transaction.created","version":1,"timestamp":"2026-11-01T10:00:00.000Z",` +
      `"subject":{"type":"transaction","id":"T9"},"sequence":1,"interactionId":"${event.interactionId}","data":{"id":"T9","n":1.10}}`,
  );
  const stored = await world.db.db!.collection("events").findOne({ tenantId });
  expect(JSON.stringify(stored)).not.toContain("1.10");
});

test("what no service of ours tells is refused, and so is who may not tell or read", async () => {
  const tenantId = testTenant();
  const publish = (more: object) =>
    world.remittance[0]!.publishEvents({ events: [newEvent("T1", more)] }, on(tenantId)).then(
      () => "kept",
      (error: Error) => error.message,
    );
  expect(await publish({ eventId: "x" })).toMatch(/eventId: must be a UUID/);
  expect(await publish({ type: "transaction.made" as never })).toMatch(/type: is not a type/);
  expect(await publish({ subjectType: "loan" })).toMatch(/subjectType/);
  expect(await publish({ dataJson: "[1]" })).toMatch(/must be an object/);
  expect(await publish({ dataJson: "{" })).toMatch(/must be JSON/);
  expect(await publish({ dataJson: `{"a":"${"x".repeat(65_536)}"}` })).toMatch(/at most 65536/);
  await expect(world.gateway.publishEvents({ events: [] }, on(tenantId))).rejects.toMatchObject({
    code: "CALLER_NOT_ALLOWED",
  });
  const agent = {
    ...on(tenantId),
    userToken: Buffer.from(JSON.stringify({ tenantId, role: "AGENT", userId: "A", sessionId: "s" })).toString(
      "base64url",
    ),
  };
  await expect(world.gateway.listEvents({}, agent)).rejects.toMatchObject({ code: "FORBIDDEN" });
});

test("events are found by subject, type and time; what would tip off needs to be asked for", async () => {
  const tenantId = testTenant();
  const events = [
    newEvent("C1", { type: "customer.registered", customerId: "C1" }),
    newEvent("C1", { type: "customer.blocked", customerId: "C1" }),
    newEvent("T1"),
  ];
  await world.remittance[0]!.publishEvents({ events }, on(tenantId));
  const list = async (query: object) =>
    (await world.gateway.listEvents(query, asManager(tenantId))).events.map(({ type }) => type);
  expect(await list({})).toEqual(["customer.registered", "transaction.created"]);
  expect(await list({ includeConfidential: true })).toHaveLength(3);
  expect(await list({ type: "customer.*" })).toEqual(["customer.registered"]);
  expect(await list({ subjectType: "transaction", subjectId: "T1" })).toEqual(["transaction.created"]);
  expect(await list({ from: new Date(Date.now() + 60_000) })).toEqual([]);
  await expect(list({ type: "transaction.creatd" })).rejects.toThrow(/did you mean transaction.created/);
  await expect(list({ subjectType: "transaction" })).rejects.toThrow(/must be a type and an id/);
  const ask = { eventId: events[1]!.eventId };
  await expect(world.gateway.getEvent(ask, asManager(tenantId))).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(
    (await world.gateway.getEvent({ ...ask, includeConfidential: true }, asManager(tenantId))).event,
  ).toBeDefined();
  await expect(
    world.gateway.getEvent({ ...ask, includeConfidential: true }, asManager(testTenant())),
  ).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

test("a reader behind a place waits for what comes, from whichever replica, and goes on where it ended", async () => {
  const tenantId = testTenant();
  const read = (after: string, waitMs = 5_000) => world.gateway.readEvents({ after, waitMs }, asManager(tenantId));
  const { place } = await read("", 0);
  const waiting = read(place);
  const event = newEvent("T1");
  await world.remittance[1]!.publishEvents({ events: [event] }, on(tenantId));
  const answer = await waiting;
  expect(answer.events.map(({ eventId }) => eventId)).toEqual([event.eventId]);
  const nothing = await read(answer.place, 100);
  expect(nothing).toMatchObject({ events: [], place: answer.place });
  await expect(read("x")).rejects.toThrow(/is not a cursor/);
});

test("what is kept of a person is erased, and the numbers stay", async () => {
  const tenantId = testTenant();
  const customerId = randomUUID();
  const event = newEvent("T1", { customerId, dataJson: `{"name":"Amina Bello"}` });
  await world.remittance[0]!.publishEvents({ events: [event, newEvent("T1")] }, on(tenantId));
  const { erased } = await world.erase({ tenantId, customerId, userId: "U1" }, "AT_ONCE");
  expect(erased).toEqual({ events: 1 });
  const { events } = await world.gateway.listEvents({}, asManager(tenantId));
  expect(events.map(({ sequence, body }) => [Number(sequence), body === ""])).toEqual([
    [1, true],
    [2, false],
  ]);
});

test("what a service tells of somebody after their erasure has a number and no body, and is not sent", async () => {
  const tenantId = sandboxTenant();
  const customerId = randomUUID();
  const { endpoint } = await world.webhooks.createEndpoint(
    endpointDraft("http://127.0.0.1:9/none", { ordered: true }),
    asManager(tenantId),
  );
  await world.erase({ tenantId, customerId, userId: "U1" }, "AT_ONCE");
  const [late, other] = [newEvent("T1", { customerId }), newEvent("T1", { customerId: randomUUID() })];
  const { events: published } = await world.remittance[0]!.publishEvents({ events: [late, other] }, on(tenantId));
  expect(published.map(({ sequence }) => Number(sequence))).toEqual([1, 2]);
  const { events } = await world.gateway.listEvents({}, asManager(tenantId));
  expect(events.map(({ eventId, body }) => [eventId, body === ""])).toEqual([
    [late.eventId, true],
    [other.eventId, false],
  ]);
  const { endpointId } = endpoint!;
  const deliveryOf = async (eventId: string) =>
    (await world.webhooks.listDeliveries({ endpointId, eventId }, asManager(tenantId))).deliveries[0];
  const ended = await waitFor(async () => {
    const one = await deliveryOf(late.eventId);
    return one?.status === "GIVEN_UP" ? one : undefined;
  });
  expect(ended.attempts.map(({ status, error }) => [status, error])).toEqual([[0, "the person was erased"]]);
  const ask = { deliveryId: ended.deliveryId, idempotencyKey: randomUUID() };
  await expect(world.webhooks.resendDelivery(ask, asManager(tenantId))).rejects.toMatchObject({ code: "EVENT_ERASED" });
});

test("the last page says where it ends, so that who asks again gets what has come", async () => {
  const tenantId = testTenant();
  const publish = (events: ReturnType<typeof newEvent>[]) =>
    world.remittance[0]!.publishEvents({ events }, on(tenantId));
  const list = (query: object) => world.gateway.listEvents(query, asManager(tenantId));
  const empty = await list({});
  expect(empty).toMatchObject({ events: [], nextCursor: "" });
  const [first, loan, second] = [newEvent("T1"), newEvent("L1", { type: "loan.paid_off" }), newEvent("T2")];
  await publish([first, loan]);
  const page = await list({ cursor: empty.cursor, type: "transaction.*" });
  expect(page.events.map(({ eventId }) => eventId)).toEqual([first.eventId]);
  expect(page.nextCursor).toBe("");
  expect(await list({ cursor: page.cursor })).toMatchObject({ events: [], cursor: page.cursor });
  await publish([second]);
  const later = await list({ cursor: page.cursor });
  expect(later.events.map(({ eventId }) => eventId)).toEqual([second.eventId]);
  const full = await list({ pageSize: 1 });
  expect(full.cursor).toBe(full.nextCursor);
});

test("those since a time are read from there on, however many came before", async () => {
  const tenantId = testTenant();
  const [remittance] = world.remittance;
  await remittance!.publishEvents({ events: [newEvent("T1")] }, on(tenantId));
  const events = world.db.collection("events");
  await events.updateOne({ tenantId }, { $set: { place: 500 } });
  const first = (await events.findOne({ tenantId }))!;
  // Of days before, at the places before it.
  const old = Array.from({ length: 400 }, (_, index) => {
    const { _id, ...event } = first;
    const own = { eventId: randomUUID(), subject: `transaction:T${index + 2}`, place: index + 1 };
    return { ...event, ...own, recordedAt: new Date(first["recordedAt"].getTime() - 86_400_000 + index) };
  });
  await events.insertMany(old as never[]);
  const from = new Date(first["recordedAt"].getTime() - 1_000);
  const database = { uri: world.uri, database: world.database };
  const plans = await plansOf(
    database,
    async () => {
      const { events: found } = await world.gateway.listEvents({ from }, asManager(tenantId));
      expect(found.map(({ eventId }) => eventId)).toEqual([first["eventId"]]);
    },
    tenantId,
  );
  const reads = plans.filter(({ collection }) => collection === "events");
  expect(reads.length).toBeGreaterThan(0);
  for (const { plan, examined } of reads) expect([plan, examined < 10]).toEqual([plan, true]);
});
