import {
  ada,
  ben,
  createComplianceWorld,
  manager,
  on,
  question,
  refused,
  type ComplianceWorld,
  type PolicyRequest,
} from "../../../test/support/compliance-fixture.js";
import { publishKind } from "../../platform/events/row.js";
import { tracesIn } from "../../../test/support/erasure.js";
import { waitFor } from "../../../test/support/index.js";

let world: ComplianceWorld;
beforeAll(async () => {
  world = await createComplianceWorld("erasure");
});
afterEach(() => world.reset());
afterAll(() => world.close());

const rule = (requirement: string) => ({ name: requirement, requirement, mandatory: true });
const policy: PolicyRequest = {
  knowYourCustomerRules: ["EMAIL", "PHONE_NUMBER", "IDENTITY_DOCUMENT", "PROOF_OF_ADDRESS"].map(rule),
};
const pdf = Buffer.from(`%PDF-1.7\nZuberi Bello, born 1990 ${"x".repeat(1_000)}\n%%EOF\n`);
const traces = ["Zuberi", "zuberi-passport.pdf"];

type Customer = typeof ada | typeof ben;

async function handIn(tenantId: string, user: Customer, requirement: string): Promise<string> {
  const call = on(tenantId, user);
  const upload = { customerId: user.customerId, uploadKey: requirement };
  await world.gateway.uploadDocumentPart({ ...upload, offset: 0n, content: pdf }, call);
  const file = { requirement, fileName: "zuberi-passport.pdf", sizeBytes: BigInt(pdf.length) };
  return (await world.gateway.submitDocument({ ...upload, ...file }, call)).document!.documentId;
}

/**
 * A customer with a reviewed and an unreviewed document, messages that were sent, and reasons that
 * name them.
 */
async function known(tenantId: string, user: Customer) {
  await world.gateway.initiateComplianceAction({ customerId: user.customerId }, on(tenantId, user));
  const [reviewed, unreviewed] = [
    await handIn(tenantId, user, "IDENTITY_DOCUMENT"),
    await handIn(tenantId, user, "PROOF_OF_ADDRESS"),
  ];
  const review = { documentId: reviewed, accept: true, reason: "the passport of Zuberi" };
  await world.gateway.reviewDocument(review, on(tenantId, manager));
  return { reviewed, unreviewed };
}

const read = (tenantId: string, documentId: string) =>
  world.gateway.readDocument({ documentId, offset: 0n }, on(tenantId, manager));

test("what nobody has to keep goes at once; documents that were reviewed and reasons when the retention is over", async () => {
  const tenantId = await world.openTenant(policy, { confirm: false });
  const { reviewed, unreviewed } = await known(tenantId, ada);
  await world.remittance.checkTransaction(question(), on(tenantId));
  const person = { tenantId, ...ada };
  // What events is still to be told of them would be erased, too.
  const waiting = { tenantId, kind: publishKind };
  await waitFor(async () => (await world.db.collection("outbox").countDocuments(waiting)) === 0);

  const first = await world.erase(person, "AT_ONCE");
  expect(first.erased).toEqual({ verifications: 2, "unreviewed-documents": 1 });
  expect(first.kept).toMatchObject({ documents: 1, reasons: 1, "audit-reasons": 1 });
  expect((await refused(read(tenantId, unreviewed))).code).toBe("NOT_FOUND");
  expect(Buffer.from((await read(tenantId, reviewed)).content).includes("Zuberi")).toBe(true);
  expect(await world.erase(person, "AT_ONCE")).toMatchObject({ erased: first.erased });

  const second = await world.erase(person, "AFTER_RETENTION");
  expect(second).toMatchObject({ erased: { documents: 1, reasons: 1 }, kept: {} });
  expect((await refused(read(tenantId, reviewed))).code).toBe("NOT_FOUND");
  expect(await tracesIn(world.db.name, tenantId, traces)).toEqual([]);
  expect(await world.erase(person, "AFTER_RETENTION")).toEqual(second);

  // Who decided what, and when, stays.
  const { entries } = await world.gateway.listAuditEntries({ subject: "customer:c1" }, on(tenantId, manager));
  expect(entries.map(({ action }) => action)).toContain("document.accepted");
  expect(entries.every(({ reason }) => reason === "erased" || reason === "")).toBe(true);
});

test("nobody else's go with it: another customer's, and the same customer's of another tenant", async () => {
  const [tenantId, elsewhere] = [
    await world.openTenant(policy, { confirm: false }),
    await world.openTenant(policy, { confirm: false }),
  ];
  await known(tenantId, ada);
  const others = [
    [tenantId, (await known(tenantId, ben)).unreviewed],
    [elsewhere, (await known(elsewhere, ada)).unreviewed],
  ] as const;
  await world.erase({ tenantId, ...ada }, "AFTER_RETENTION");
  for (const [tenant, documentId] of others) {
    expect(Buffer.from((await read(tenant, documentId)).content)).toEqual(pdf);
  }
});

test("a code that was sent confirms nothing any more", async () => {
  const tenantId = await world.openTenant(policy, { confirm: false });
  await world.gateway.initiateComplianceAction({ customerId: "c1" }, on(tenantId, ada));
  const sms = await waitFor(() => world.sentOf(tenantId, "SMS").at(-1));
  await world.erase({ tenantId, ...ada }, "AT_ONCE");
  const code = /^\d{6}/.exec(sms.text)![0];
  expect((await refused(world.gateway.confirmContact({ code }, on(tenantId, ada)))).code).toBe("VERIFICATION_FAILED");
});

test("is identity's to ask, and names what is missing", async () => {
  const call = { tenantId: "t", interactionId: "i" };
  const request = { customerId: "c1", userId: "u-c1", stage: "ERASURE_STAGE_AT_ONCE" as const };
  expect((await refused(world.erase.gateway.erasePerson(request, call))).code).toBe("CALLER_NOT_ALLOWED");
  for (const [path, part] of [
    ["customerId", { customerId: "" }],
    ["userId", { userId: "" }],
    ["stage", { stage: "ERASURE_STAGE_UNSPECIFIED" as const }],
  ] as const) {
    const refusal = await refused(world.erase.identity.erasePerson({ ...request, ...part }, call));
    expect(refusal.details?.errors?.map((one) => one.path)).toEqual([path]);
  }
});
