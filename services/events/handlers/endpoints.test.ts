import { randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { testTenant, waitFor } from "../../../test/support/index.js";
import {
  asManager,
  createEventsWorld,
  endpointDraft,
  on,
  sandboxTenant,
  newEvent,
  type EventsWorld,
} from "../../../test/support/events-fixture.js";
import { startReceiver, type Receiver } from "../../../test/support/webhook-receiver.js";
import { nothingFor } from "../../../test/support/time.js";

let world: EventsWorld;
let receiver: Receiver;
let leadsTo = ["93.184.215.14"];
const hourMs = 3_600_000;

beforeAll(async () => {
  receiver = await startReceiver();
  world = await createEventsWorld("endpoints", { resolve: async () => leadsTo });
});
afterAll(async () => {
  await world.close();
  await receiver.close();
});
beforeEach(() => (leadsTo = ["93.184.215.14"]));

async function create(tenantId: string, url: string, more: object = {}) {
  const { endpoint, secret } = await world.webhooks.createEndpoint(endpointDraft(url, more), asManager(tenantId));
  return { ...endpoint!, secret };
}
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => "nothing refused",
    (error: { code?: string; message: string }) => `${error.code} ${error.message}`,
  );

test("an endpoint is created once per key, listed, read, changed and removed; its secret is told once", async () => {
  const tenantId = testTenant();
  const draft = endpointDraft("https://bank.example/events", {
    description: " Core ",
    eventTypes: ["loan.*", "loan.*"],
  });
  const made = await world.webhooks.createEndpoint(draft, asManager(tenantId));
  const again = await world.webhooks.createEndpoint(draft, asManager(tenantId));
  expect(again.secret).toBe(made.secret);
  expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const { endpointId } = made.endpoint!;
  expect(made.endpoint).toMatchObject({ description: "Core", eventTypes: ["loan.*"], status: "ACTIVE" });
  const { endpoints } = await world.webhooks.listEndpoints({}, asManager(tenantId));
  expect(endpoints.map((one) => one.endpointId)).toEqual([endpointId]);
  const change = {
    endpointId,
    idempotencyKey: randomUUID(),
    ordered: true,
    eventTypes: { eventTypes: ["wallet.frozen"] },
  };
  const { endpoint } = await world.webhooks.changeEndpoint(change, asManager(tenantId));
  expect(endpoint).toMatchObject({ ordered: true, eventTypes: ["wallet.frozen"], url: "https://bank.example/events" });
  expect(JSON.stringify(await world.db.db!.collection("webhook_endpoints").find({ tenantId }).toArray())).not.toContain(
    "whsec_",
  );
  expect(await refusal(world.webhooks.getEndpoint({ endpointId }, asManager(testTenant())))).toMatch(/^NOT_FOUND/);
  await world.webhooks.removeEndpoint({ endpointId }, asManager(tenantId));
  expect(await refusal(world.webhooks.getEndpoint({ endpointId }, asManager(tenantId)))).toMatch(/^NOT_FOUND/);
});

test.each([
  ["ftp://bank.example/x", /must begin with https/],
  ["http://bank.example/x", /must begin with https/],
  ["https://user:pass@bank.example/x", /must not hold a user or a password/],
  ["https://localhost/x", /must not name this machine/],
  ["https://db.internal/x", /must not name this machine/],
  ["https://127.0.0.1/x", /must not name a private address/],
  ["https://0x7f.1/x", /must not name a private address/],
  ["https://[::1]/x", /must not name a private address/],
  ["https://[::ffff:10.0.0.1]/x", /must not name a private address/],
  ["https://[fe80::1]/x", /must not name a private address/],
  ["https://169.254.169.254/latest", /must not name a private address/],
  ["https://bank.example/x#part", /must not hold a fragment/],
  ["not a url", /must be a URL/],
  [`https://bank.example/${"x".repeat(2_001 - 21)}`, /must have at most 2000 characters/],
])("%s is refused", async (url, words) => {
  expect(await refusal(create(sandboxTenant(), url))).toMatch(words);
});

test("2000 characters are not too many", async () => {
  const made = await create(testTenant(), `https://bank.example/${"x".repeat(2_000 - 21)}`);
  expect(made.url).toHaveLength(2_000);
});

test("a name that leads to a private address is refused, one among public ones too; http is for sandboxes", async () => {
  for (const address of [
    "10.1.2.3",
    "127.0.0.1",
    "169.254.169.254",
    "::1",
    "fd00::1",
    "::ffff:192.168.0.1",
    "64:ff9b::a00:1",
  ]) {
    leadsTo = ["93.184.215.14", address];
    expect(await refusal(create(testTenant(), "https://rebind.example/x"))).toMatch(/leads to a private address/);
  }
  expect(await refusal(create(testTenant(), receiver.url()))).toMatch(/must begin with https/);
  expect((await create(sandboxTenant(), receiver.url())).url).toBe(receiver.url());
});

test("an unknown type is refused with the nearest one, the 51st endpoint too", async () => {
  const tenantId = testTenant();
  const withType = (type: string) => refusal(create(tenantId, "https://bank.example/", { eventTypes: [type] }));
  expect(await withType("transaction.payed")).toMatch(/did you mean transaction.paid\?/);
  expect(await withType("*")).toMatch(/must name a subject: all of them are transaction\.\*, payment\.\*/);
  expect(await withType("transactions.*")).toMatch(/did you mean transaction\.\*\?/);
  expect(await withType("webhook_endpoint.test")).toMatch(
    /is not a type of event: their subjects are transaction, payment/,
  );
  expect(await withType("wallet.deposit")).toMatch(/there are wallet\.credited, wallet\.debited, wallet\.frozen/);
  expect(await refusal(create(tenantId, "https://bank.example/", { eventTypes: [] }))).toMatch(/must name a type/);
  for (let count = 0; count < 49; count++) await create(tenantId, "https://bank.example/");
  const lastTwo = await Promise.all([0, 1].map(() => refusal(create(tenantId, "https://bank.example/"))));
  expect(lastTwo.filter((one) => one === "nothing refused")).toHaveLength(1);
  expect(lastTwo.find((one) => one !== "nothing refused")).toMatch(/^WEBHOOK_LIMIT_REACHED/);
}, 60_000);

test("during the overlap both secrets sign; a second rotation inside it is refused", async () => {
  const tenantId = sandboxTenant();
  const made = await create(tenantId, receiver.url("/rotated"));
  const rotation = (overlapHours: number) =>
    world.webhooks.rotateSecret(
      { endpointId: made.endpointId, idempotencyKey: randomUUID(), overlapHours },
      asManager(tenantId),
    );
  const { secret, endpoint } = await rotation(24);
  expect(endpoint!.secrets).toHaveLength(2);
  expect(await refusal(rotation(1))).toMatch(/^SECRET_ROTATION_UNDER_WAY/);
  expect(await refusal(rotation(169))).toMatch(/must be 0 to 168/);
  const arrived = async (subject: string) => {
    await world.remittance[0]!.publishEvents({ events: [newEvent(subject)] }, on(tenantId));
    return waitFor(() => receiver.received.find(({ event }) => event.subject.id === subject));
  };
  const first = await arrived("R1");
  for (const one of [made.secret, secret]) {
    expect(new Webhook(one).verify(first.body, first.headers as Record<string, string>)).toMatchObject({
      id: first.event.id,
    });
  }
  world.pass(25 * hourMs);
  const second = await arrived("R2");
  expect(String(second.headers["webhook-signature"]).split(" ")).toHaveLength(1);
  // After a leak: also inside an overlap nothing of before signs any more.
  await rotation(24);
  const { secret: third } = await rotation(0);
  world.pass(-25 * hourMs);
  const last = await arrived("R3");
  expect(new Webhook(third).verify(last.body, last.headers as Record<string, string>)).toBeDefined();
  expect(() => new Webhook(secret).verify(last.body, last.headers as Record<string, string>)).toThrow();
});

test("what was on its way to an endpoint that is removed is gone with it", async () => {
  const tenantId = sandboxTenant();
  const { endpointId } = await create(tenantId, receiver.url("/removed"), { ordered: true });
  await world.webhooks.pauseEndpoint({ endpointId }, asManager(tenantId));
  await world.remittance[0]!.publishEvents({ events: [newEvent("D1"), newEvent("D1"), newEvent("D2")] }, on(tenantId));
  const deliveries = world.db.db!.collection("webhook_deliveries");
  expect(await deliveries.countDocuments({ tenantId, expiresAt: { $exists: true } })).toBe(0);
  await world.webhooks.removeEndpoint({ endpointId }, asManager(tenantId));
  await waitFor(async () => (await deliveries.countDocuments({ tenantId })) === 0);
});

test("nothing is sent while an endpoint is paused, and all of it afterwards", async () => {
  const tenantId = sandboxTenant();
  const { endpointId } = await create(tenantId, receiver.url("/paused"));
  await world.webhooks.pauseEndpoint({ endpointId }, asManager(tenantId));
  await world.webhooks.pauseEndpoint({ endpointId }, asManager(tenantId));
  await world.remittance[0]!.publishEvents({ events: [newEvent("P1"), newEvent("P2")] }, on(tenantId));
  await nothingFor(400);
  expect(receiver.taken("/paused")).toEqual([]);
  await world.webhooks.resumeEndpoint({ endpointId }, asManager(tenantId));
  await waitFor(() => receiver.taken("/paused").length === 2);
});

test("a test event goes to one endpoint alone, whatever it subscribes to", async () => {
  const tenantId = sandboxTenant();
  const { endpointId } = await create(tenantId, receiver.url("/tested"), { eventTypes: ["loan.approved"] });
  await create(tenantId, receiver.url("/other"));
  const ask = { endpointId, idempotencyKey: randomUUID() };
  const { delivery } = await world.webhooks.sendTest(ask, asManager(tenantId));
  expect((await world.webhooks.sendTest(ask, asManager(tenantId))).delivery!.deliveryId).toBe(delivery!.deliveryId);
  await waitFor(() => receiver.taken("/tested").length === 1);
  expect(receiver.taken("/tested")[0]).toMatchObject({ type: "webhook_endpoint.test", data: { endpointId } });
  expect(receiver.taken("/other")).toEqual([]);
});

test("managers alone", async () => {
  const tenantId = testTenant();
  const agent = {
    ...on(tenantId),
    userToken: Buffer.from(JSON.stringify({ tenantId, role: "AGENT", userId: "A", sessionId: "s" })).toString(
      "base64url",
    ),
  };
  expect(await refusal(world.webhooks.listEndpoints({}, agent))).toMatch(/^FORBIDDEN/);
});

describe("without the permission to read compliance", () => {
  const may = { mayIncludeConfidential: true };
  const tippingOff = { type: "customer.blocked", subjectType: "customer", isConfidential: true } as const;
  const settings = { eventTypes: ["customer.*"], includesConfidential: true };

  /** An endpoint with an event that would tip off, and its delivery. */
  async function confidential(path: string) {
    const tenantId = sandboxTenant();
    const { endpointId } = await create(tenantId, receiver.url(path), settings);
    await world.remittance[0]!.publishEvents({ events: [newEvent(randomUUID(), tippingOff)] }, on(tenantId));
    await waitFor(() => receiver.taken(path).length === 1);
    const list = () => world.webhooks.listDeliveries({ endpointId, ...may }, asManager(tenantId));
    const delivery = await waitFor(async () => {
      const [one] = (await list()).deliveries;
      return one?.status === "DELIVERED" ? one : undefined;
    });
    return { tenantId, endpointId, deliveryId: delivery.deliveryId };
  }

  test("an endpoint that gets what would tip off is led nowhere else, and shows and repeats nothing", async () => {
    const { tenantId, endpointId, deliveryId } = await confidential("/confidential");
    const { webhooks } = world;
    const asks = (more: object): (() => Promise<unknown>)[] => {
      const one = () => ({ endpointId, deliveryId, idempotencyKey: randomUUID(), ...more });
      const call = asManager(tenantId);
      return [
        () => webhooks.changeEndpoint({ ...one(), url: receiver.url("/elsewhere") }, call),
        () => webhooks.rotateSecret({ ...one(), overlapHours: 0 }, call),
        () => webhooks.listDeliveries(one(), call),
        () => webhooks.getDelivery(one(), call),
        () => webhooks.resendDelivery(one(), call),
        () => webhooks.recoverDeliveries({ ...one(), since: new Date(Date.now() - hourMs) }, call),
        // The last one: what is confidential is sent to it no more.
        () => webhooks.changeEndpoint({ ...one(), includesConfidential: false }, call),
      ];
    };
    for (const ask of asks({}))
      expect(await refusal(ask())).toMatch(/^FORBIDDEN the endpoint gets confidential events/);
    expect((await webhooks.getEndpoint({ endpointId }, asManager(tenantId))).endpoint).toMatchObject({
      url: receiver.url("/confidential"),
      includesConfidential: true,
    });
    await webhooks.pauseEndpoint({ endpointId }, asManager(tenantId));
    await webhooks.resumeEndpoint({ endpointId }, asManager(tenantId));
    for (const ask of asks(may)) expect(await refusal(ask())).toBe("nothing refused");
  });

  test("what an endpoint was sent while it got such events is not shown when it gets them no more, nor sent again", async () => {
    const { tenantId, endpointId, deliveryId } = await confidential("/before");
    const call = asManager(tenantId);
    const change = { endpointId, idempotencyKey: randomUUID(), includesConfidential: false, ...may };
    await world.webhooks.changeEndpoint(change, call);
    expect((await world.webhooks.listDeliveries({ endpointId }, call)).deliveries).toEqual([]);
    expect((await world.webhooks.listDeliveries({ endpointId, ...may }, call)).deliveries).toHaveLength(1);
    const resend = { deliveryId, idempotencyKey: randomUUID() };
    expect(await refusal(world.webhooks.resendDelivery(resend, call))).toMatch(/^NOT_FOUND/);
    expect(await refusal(world.webhooks.getDelivery({ deliveryId }, call))).toMatch(/^NOT_FOUND/);
    await world.webhooks.removeEndpoint({ endpointId }, call);
    expect(await refusal(world.webhooks.getDelivery({ deliveryId }, call))).toMatch(/^NOT_FOUND/);
    expect(await refusal(world.webhooks.getDelivery({ deliveryId, ...may }, call))).toBe("nothing refused");
  });
});
