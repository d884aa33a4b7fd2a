import { CustomerStatus, type CustomerCompliance } from "../../../../proto/gen/compliance/v1/compliance.js";
import {
  ada,
  createComplianceWorld,
  manager,
  on,
  type ComplianceWorld,
} from "../../../../test/support/compliance-fixture.js";
import { waitFor } from "../../../../test/support/index.js";
import { readerOf } from "../../../platform/events/shapes/codec.js";
import { CustomerStanding } from "../../../platform/events/shapes/customer-compliance-shape.js";
import { parseJson, printJson } from "../../../kernel/json.js";

jest.setTimeout(120_000);

let world: ComplianceWorld;
beforeAll(async () => void (world = await createComplianceWorld("told")));
afterEach(() => {
  world.reset();
  Object.assign(world.events.state, { published: [], requested: [], faults: [], isAway: false });
});
afterAll(() => world.close());

const passport = { name: "Passport", requirement: "IDENTITY_DOCUMENT", mandatory: true, validityDays: 365 };
const policy = { knowYourCustomerRules: [passport] };
const ofTenant = (tenantId: string) => world.events.state.published.filter((one) => one.tenantId === tenantId);
const typesOf = (tenantId: string, subjectId: string) =>
  ofTenant(tenantId).flatMap((one) => (one.subjectId === subjectId ? [one.type] : []));
const allPublished = (tenantId: string) =>
  waitFor(async () => (await world.db.collection("outbox").countDocuments({ tenantId, kind: "event.publish" })) === 0, {
    timeoutMs: 60_000,
  });
const setStatus = (tenantId: string, status: CustomerStatus) =>
  world.operator.setCustomerStatus({ customerId: "c1", status, reason: "seen" }, on(tenantId));
const read = async (tenantId: string): Promise<CustomerCompliance> =>
  (await world.gateway.getCustomerCompliance({ customerId: "c1" }, on(tenantId, ada))).customer!;
const { CUSTOMER_STATUS_CONFIRMED: CONFIRMED, CUSTOMER_STATUS_BLOCKED: BLOCKED } = CustomerStatus;

/** Events are back: nobody waits for the pause after a failed try. */
async function back(tenantId: string): Promise<void> {
  world.events.state.isAway = false;
  await world.db.collection("outbox").updateMany({ tenantId, kind: "event.publish" }, { $set: { dueAt: new Date(0) } });
}

async function submit(tenantId: string) {
  const content = Buffer.from(`%PDF-1.7\n${"x".repeat(1_000)}\n%%EOF\n`);
  const call = on(tenantId, ada);
  const about = { customerId: "c1", uploadKey: "k1" };
  await world.gateway.uploadDocumentPart({ ...about, offset: 0n, content }, call);
  const file = { requirement: "IDENTITY_DOCUMENT", fileName: "p.pdf", sizeBytes: BigInt(content.length) };
  return (await world.gateway.submitDocument({ ...about, ...file }, call)).document!;
}

test("a confirmation and what it fulfils are told once, as the customer reads them", async () => {
  const tenantId = await world.openTenant(policy);
  await read(tenantId);
  await allPublished(tenantId);
  expect(typesOf(tenantId, "c1")).toEqual(["customer.confirmed"]);
  expect(typesOf(tenantId, "c1:identity-document")).toEqual(["requirement.fulfilled"]);
  const [confirmed] = ofTenant(tenantId).filter(({ type }) => type === "customer.confirmed");
  expect(confirmed).toMatchObject({ customerId: "c1", isConfidential: false });
  expect(printJson(parseJson(confirmed!.dataJson))).toBe(printJson(readerOf(CustomerStanding)(await read(tenantId))));
  await setStatus(tenantId, CONFIRMED);
  await allPublished(tenantId);
  expect(typesOf(tenantId, "c1")).toEqual(["customer.confirmed"]);
});

test("a block, and every word on the status after it, is confidential", async () => {
  const tenantId = await world.openTenant(policy);
  await setStatus(tenantId, BLOCKED);
  await setStatus(tenantId, CustomerStatus.CUSTOMER_STATUS_PENDING);
  await setStatus(tenantId, CONFIRMED);
  await allPublished(tenantId);
  const open = ofTenant(tenantId).filter((one) => one.subjectId === "c1");
  expect(open.map(({ type, isConfidential }) => [type, isConfidential])).toEqual([
    ["customer.confirmed", false],
    ["customer.blocked", true],
    ["customer.confirmed", true],
  ]);
});

test("a requirement is fulfilled, expires, and is asked for anew: each told once, in order, over an outage", async () => {
  const tenantId = await world.openTenant(policy, { confirm: false });
  await read(tenantId);
  world.events.state.isAway = true;
  const { documentId } = await submit(tenantId);
  await world.gateway.reviewDocument({ documentId, accept: true, reason: "clear" }, on(tenantId, manager));
  world.at("2027-06-01T12:00:00Z");
  await read(tenantId);
  await world.gateway.initiateComplianceAction({}, on(tenantId, ada));
  expect(typesOf(tenantId, "c1:identity-document")).toEqual([]);
  await back(tenantId);
  await waitFor(async () => typesOf(tenantId, "c1:identity-document").length >= 4);
  expect(typesOf(tenantId, "c1:identity-document")).toEqual([
    "requirement.outstanding",
    "requirement.fulfilled",
    "requirement.expired",
    "requirement.outstanding",
  ]);
});

test("an erased customer's that wait are told to nobody", async () => {
  world.events.state.isAway = true;
  const tenantId = await world.openTenant(policy);
  const rows = () => world.db.collection("outbox").countDocuments({ tenantId, kind: "event.publish" });
  expect(await rows()).toBeGreaterThan(0);
  await world.erase({ tenantId, customerId: "c1", userId: "u-c1" }, "AT_ONCE");
  expect(await rows()).toBe(0);
});
