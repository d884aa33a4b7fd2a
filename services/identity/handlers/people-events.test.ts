import { randomUUID } from "node:crypto";
import { EventsServiceDefinition, type NewEvent } from "../../../proto/gen/events/v1/events.js";
import { decideAsShown, startAskingService } from "../../../test/support/asking-service.js";
import { inTenant, newTenant, startTestIdentity, type TestIdentity } from "../../../test/support/identity.js";
import { waitFor } from "../../../test/support/index.js";
import { Approval } from "../../platform/events/shapes/approval-shape.js";
import { readerOf } from "../../platform/events/shapes/codec.js";
import { faultOfData } from "../../platform/events/declare.js";
import type { EventType } from "../../platform/events/types.js";
import { startGrpcServer, type GrpcServer } from "../../kernel/grpc/server.js";
import { parseJson, printJson } from "../../kernel/json.js";
import { Refusal } from "../../kernel/refusal.js";
import { createServiceTokenVerifier } from "../../kernel/tokens/service-tokens.js";

const { publishEvents } = EventsServiceDefinition.methods;
const telling = { ...EventsServiceDefinition, methods: { publishEvents } } as const;

jest.setTimeout(120_000);

let identity: TestIdentity;
let events: GrpcServer;
let remittance: Awaited<ReturnType<typeof startAskingService>>;
const published = new Map<string, NewEvent>();
let isAway = false;

beforeAll(async () => {
  identity = await startTestIdentity({
    startNeighbours: async ({ keys, log }) => {
      events = await startGrpcServer({
        service: "events",
        definition: telling,
        handlers: {
          async publishEvents({ events: all }) {
            if (isAway) throw new Refusal("UNAVAILABLE", "away");
            for (const event of all) published.set(event.eventId, event);
            return {};
          },
        },
        access: { publishEvents: { callers: ["identity"] } },
        host: "127.0.0.1",
        port: 0,
        verifyServiceToken: createServiceTokenVerifier({ self: "events", jwks: keys.jwks }),
        log,
      });
      remittance = await startAskingService("remittance", { keys, log });
      return { EVENTS_ADDRESS: `127.0.0.1:${events.port}`, REMITTANCE_ADDRESS: remittance.address };
    },
  });
});
afterEach(() => void (isAway = false));
afterAll(async () => {
  await identity.stop();
  await events.stop();
  await remittance.stop();
});

const of = (subjectId: string) => [...published.values()].filter((one) => one.subjectId === subjectId);
async function publishedOf(subjectId: string, types: EventType[]): Promise<NewEvent[]> {
  await waitFor(async () => of(subjectId).length >= types.length);
  const found = of(subjectId);
  expect(found.map(({ type }) => type)).toEqual(types);
  for (const { type, dataJson } of found) expect(faultOfData(type as EventType, parseJson(dataJson))).toBeUndefined();
  return found;
}
const rowsOf = (tenantId: string) =>
  identity.db.collection("outbox").countDocuments({ tenantId, kind: "event.publish" } as never);

/** Events are back: nobody waits for the pause after a failed try. */
async function back(): Promise<void> {
  isAway = false;
  await identity.db.collection("outbox").updateMany({ kind: "event.publish" }, { $set: { dueAt: new Date(0) } });
}

async function office() {
  const tenant = await newTenant(identity);
  await tenant.staff("MANAGER");
  await tenant.staff("MANAGER", "second");
  const amina = await tenant.customer("amina");
  const tokens = new Map<string, string>();
  for (const name of ["manager", "second"]) tokens.set(name, (await tenant.login(name)).accessToken);
  const as = (name: string) => inTenant(tenant.tenantId, tokens.get(name)!);
  const ask = async (more: object = {}) => {
    const requested = {
      idempotencyKey: randomUUID(),
      kind: "REFUND",
      subject: `transaction:${randomUUID()}`,
      summary: "Refund of 25.00 USD",
      amount: { amountMinor: 2_500n, currency: "USD" },
      reason: "sent twice",
      payloadJson: '{"secret":"of the service"}',
      customerId: amina.customerId,
      ...more,
    };
    return (await identity.rpc.remittance.askApproval(requested, as("manager"))).approval!;
  };
  const resolve = (approvalId: string, approve = true) =>
    decideAsShown(identity.rpc.gateway, { approvalId, approve, reason: "checked" }, as("second"));
  return { ...tenant, amina, as, ask, resolve };
}

test("who becomes a customer is told once, without their name, address or number", async () => {
  const { amina, as } = await office();
  const [event] = await publishedOf(amina.customerId, ["customer.registered"]);
  expect(event).toMatchObject({ subjectType: "customer", customerId: amina.customerId, isConfidential: false });
  const known = await identity.rpc.gateway.getCustomer({ customerId: amina.customerId }, as("manager"));
  const { customerId, customerCode, country, email, firstName, lastName, phoneNumber } = known.customer!;
  expect(JSON.parse(event!.dataJson)).toMatchObject({ customerId, customerCode, country, status: "PENDING" });
  for (const secret of [email, firstName, lastName, phoneNumber].filter((text) => text !== "")) {
    expect(event!.dataJson).not.toContain(secret);
  }
});

test("what is asked and decided is told in order, over an outage, as managers read it", async () => {
  const t = await office();
  isAway = true;
  const { approvalId } = await t.ask();
  await t.resolve(approvalId);
  await t.resolve(approvalId);
  expect(of(approvalId)).toEqual([]);
  await back();
  const [requested, decided] = await publishedOf(approvalId, ["approval.asked", "approval.decided"]);
  expect(requested).toMatchObject({ customerId: t.amina.customerId, isConfidential: false });
  expect(JSON.parse(requested!.dataJson)).toMatchObject({ id: approvalId, status: "PENDING", amount: "25.00" });
  const { approval } = await identity.rpc.gateway.getApproval({ approvalId }, t.as("manager"));
  const { askedBecause, decidedBecause, ...shown } = readerOf(Approval)(approval);
  expect([askedBecause, decidedBecause]).toEqual(["sent twice", "checked"]);
  expect(printJson(parseJson(decided!.dataJson))).toBe(printJson(shown));
  expect(decided!.dataJson).not.toContain("of the service");
});

test("what nobody decides is told as expired", async () => {
  const t = await office();
  const { approvalId } = await t.ask({ expiresInS: 60 });
  identity.passMs(61_000);
  const [, expired] = await publishedOf(approvalId, ["approval.asked", "approval.decided"]);
  expect(JSON.parse(expired!.dataJson)).toMatchObject({ status: "EXPIRED", decidedBy: "identity" });
});

test.each(["SCREENING_CONFIRMATION", "SCREENING_RELEASE"])("approvals of %s are confidential", async (kind) => {
  const t = await office();
  const { approvalId } = await t.ask({ kind, amount: undefined });
  await t.resolve(approvalId, false);
  const found = await publishedOf(approvalId, ["approval.asked", "approval.decided"]);
  expect(found.map(({ isConfidential }) => isConfidential)).toEqual([true, true]);
  for (const { dataJson } of found) expect(dataJson).not.toMatch(/sent twice|checked/);
});

test("what is asked, decided and expires about a user is told to nobody: they might read it", async () => {
  const t = await office();
  const about = { kind: "SCREENING_CONFIRMATION", amount: undefined, customerId: "", concernedUserId: "u-1" };
  const { approvalId: refused } = await t.ask(about);
  await t.resolve(refused, false);
  const { approvalId: expired } = await t.ask({ ...about, expiresInS: 60 });
  identity.passMs(61_000);
  const get = async () => identity.rpc.gateway.getApproval({ approvalId: expired }, t.as("second"));
  await waitFor(async () => (await get()).approval!.status === "EXPIRED");
  // What was written after them is told, so they would have been.
  const { approvalId: last } = await t.ask();
  await publishedOf(last, ["approval.asked"]);
  const rows = await identity.db.collection("outbox").find({ tenantId: t.tenantId, kind: "event.publish" }).toArray();
  for (const approvalId of [refused, expired]) {
    expect(of(approvalId)).toEqual([]);
    expect(JSON.stringify(rows)).not.toContain(approvalId);
  }
});

test("what waits of an erased customer is told to nobody", async () => {
  const t = await office();
  await waitFor(async () => (await rowsOf(t.tenantId)) === 0);
  isAway = true;
  const { approvalId } = await t.ask();
  expect(await rowsOf(t.tenantId)).toBe(1);
  const request = { customerId: t.amina.customerId, reason: "asked to be" };
  await identity.rpc.operator.eraseCustomer(request, inTenant(t.tenantId));
  expect(await rowsOf(t.tenantId)).toBe(0);
  isAway = false;
  expect(of(approvalId)).toEqual([]);
});
