import { Decision } from "../../../../proto/gen/compliance/v1/compliance.js";
import {
  ada,
  createComplianceWorld,
  manager,
  on,
  question,
  usd,
  type ComplianceWorld,
} from "../../../../test/support/compliance-fixture.js";
import { tracesIn } from "../../../../test/support/erasure.js";
import { waitFor } from "../../../../test/support/index.js";

let world: ComplianceWorld;
beforeAll(async () => {
  world = await createComplianceWorld("required_details");
});
afterEach(() => world.reset());
afterAll(() => world.close());

const address = { lines: ["4 Zubair Lane"], city: "Lagosville", country: "NGA" };
const passport = (expiresAt: string) => ({ type: "PASSPORT", number: "A01234567", country: "NGA", expiresAt });
const open = (...requiredDetails: object[]) => world.openTenant({}, { requiredDetails } as object);
const check = (tenantId: string, part = {}) =>
  world.remittance.checkTransaction(question({ amount: usd(50_00n), ...part }), on(tenantId));
const pending = (...outstanding: string[]) => ({
  decision: Decision.DECISION_PENDING,
  outstandingRequirements: outstanding,
});
const approved = { decision: Decision.DECISION_APPROVED };

let revision = 0;
/** What identity does after the customer gave something. */
async function give(tenantId: string, details: object) {
  revision += 1;
  world.state.details.set("c1", { ...world.state.details.get("c1"), ...details });
  await world.identity.notePersonChange({ customerId: "c1", revision, changed: ["DETAILS"], proven: [] }, on(tenantId));
}

describe("a transaction of somebody who has not given what is required", () => {
  test.each([
    ["before the first one", { detail: "DATE_OF_BIRTH", at: "FIRST_TRANSACTION" }, "DATE_OF_BIRTH"],
    ["since they registered before it was required", { detail: "NATIONALITY", at: "REGISTRATION" }, "NATIONALITY"],
    [
      "as the details of a document",
      { detail: "IDENTITY_DOCUMENT", at: "FIRST_TRANSACTION" },
      "IDENTITY_DOCUMENT_DETAILS",
    ],
  ])("waits %s", async (_when, required, outstanding) => {
    const tenantId = await open(required);
    await expect(check(tenantId)).resolves.toMatchObject(pending(outstanding));
  });

  test("goes on by itself once identity has told of all of it", async () => {
    const tenantId = await open(
      { detail: "DATE_OF_BIRTH", at: "FIRST_TRANSACTION" },
      { detail: "ADDRESS", at: "REGISTRATION" },
    );
    const requested = question({ amount: usd(50_00n) });
    const { transactionId } = requested;
    await expect(world.remittance.checkTransaction(requested, on(tenantId))).resolves.toMatchObject(
      pending("ADDRESS", "DATE_OF_BIRTH"),
    );
    await give(tenantId, { address });
    await expect(check(tenantId)).resolves.toMatchObject(pending("DATE_OF_BIRTH"));
    await give(tenantId, { dateOfBirth: "1990-04-30" });
    const published = await waitFor(() =>
      world
        .told(tenantId)
        .decided.find((one) => one.transactionId === transactionId && one.decision === Decision.DECISION_APPROVED),
    );
    expect(published.outstandingRequirements).toEqual([]);
    await expect(check(tenantId)).resolves.toMatchObject(approved);
  });

  test("is told of it in the checklist, which says the same as the decision", async () => {
    const tenantId = await open({ detail: "PLACE_OF_BIRTH", at: "FIRST_TRANSACTION" });
    const { transactionId: _id, ...requested } = question({ amount: usd(50_00n) });
    const before = await world.gateway.getChecklist(requested, on(tenantId, ada));
    expect(before).toMatchObject({
      decision: Decision.DECISION_PENDING,
      items: [{ requirement: "PLACE_OF_BIRTH", state: "REQUIREMENT_STATE_OUTSTANDING" }],
    });
    await give(tenantId, { placeOfBirth: { city: "Kano", country: "NGA" } });
    const after = await world.gateway.getChecklist(requested, on(tenantId, ada));
    expect(after).toMatchObject({ decision: Decision.DECISION_APPROVED, items: [] });
  });
});

test("a document counts through its last day, by the tenant's calendar, and the one that lasts longest counts", async () => {
  const tenantId = await open({ detail: "IDENTITY_DOCUMENT", at: "FIRST_TRANSACTION" });
  await give(tenantId, { identityDocuments: [passport("2026-05-01"), passport("2026-05-03")] });
  await expect(check(tenantId)).resolves.toMatchObject(approved);
  world.at("2026-05-03T23:00:00Z");
  await expect(check(tenantId)).resolves.toMatchObject(approved);
  world.at("2026-05-04T00:00:00Z");
  await expect(check(tenantId)).resolves.toMatchObject(pending("IDENTITY_DOCUMENT_DETAILS"));
});

test("an application for a loan or an investment moves nothing and asks for none", async () => {
  const tenantId = await open({ detail: "ADDRESS", at: "FIRST_TRANSACTION" });
  for (const [service, kind] of [
    ["lending", "LOAN_APPLICATION"],
    ["investment", "INVESTMENT"],
  ] as const) {
    const action = { actionId: `a-${kind}`, customerId: "c1", kind, amount: usd(50_00n) };
    await expect(world[service].checkCustomerAction(action, on(tenantId))).resolves.toMatchObject(approved);
  }
});

test("compliance keeps which details there are, and nothing of what they say", async () => {
  const tenantId = await open({ detail: "ADDRESS", at: "FIRST_TRANSACTION" });
  await give(tenantId, { address, dateOfBirth: "1990-04-30", identityDocuments: [passport("2030-01-01")] });
  await check(tenantId);
  const traces = ["Zubair Lane", "Lagosville", "1990-04-30", "A01234567"];
  expect(await tracesIn(world.db.name, tenantId, traces)).toEqual([]);
  const { details } = (await world.store.forTenant(tenantId).findCustomer("c1"))!;
  expect(details).toEqual([
    { detail: "DATE_OF_BIRTH" },
    { detail: "ADDRESS" },
    { detail: "IDENTITY_DOCUMENT", until: "2030-01-01" },
  ]);
});

test("another address asks for its proof anew, a first one does not", async () => {
  const proof = { name: "Proof", requirement: "PROOF_OF_ADDRESS", mandatory: false };
  const tenantId = await world.openTenant({ knowYourCustomerRules: [proof] });
  const stateOf = async () => {
    const { customer } = await world.gateway.getCustomerCompliance({ customerId: "c1" }, on(tenantId, manager));
    return customer!.requirements.find((one) => one.kind === "PROOF_OF_ADDRESS")?.state;
  };
  const pdf = Buffer.from(`%PDF-1.7\n${"x".repeat(1_000)}\n%%EOF\n`);
  const upload = { customerId: "c1", uploadKey: "k" };
  await world.gateway.uploadDocumentPart({ ...upload, offset: 0n, content: pdf }, on(tenantId, ada));
  const file = { requirement: "PROOF_OF_ADDRESS", fileName: "a.pdf", sizeBytes: BigInt(pdf.length) };
  const { document } = await world.gateway.submitDocument({ ...upload, ...file }, on(tenantId, ada));
  const review = { documentId: document!.documentId, accept: true, reason: "seen" };
  await world.gateway.reviewDocument(review, on(tenantId, manager));
  await give(tenantId, { address });
  expect(await stateOf()).toBe("REQUIREMENT_STATE_FULFILLED");
  revision += 1;
  const moved = { customerId: "c1", revision, changed: ["DETAILS", "ADDRESS"], proven: [] };
  await world.identity.notePersonChange(moved, on(tenantId));
  expect(await stateOf()).toBe("REQUIREMENT_STATE_OUTSTANDING");
});

test("what is told of staff leaves nothing", async () => {
  const tenantId = await open();
  const person = { customerId: "staff-1", revision: 1, changed: ["REGISTERED"], firstName: "Ada Agent", isStaff: true };
  await world.identity.notePersonChange(person, on(tenantId));
  expect(await world.store.forTenant(tenantId).findCustomer("staff-1")).toBeUndefined();
});
