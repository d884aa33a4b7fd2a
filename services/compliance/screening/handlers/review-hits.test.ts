import { RuleAction, Visibility } from "../../../../proto/gen/compliance/v1/compliance.js";
import {
  ada,
  createComplianceWorld,
  everybody,
  manager,
  on,
  question,
  refused,
  usd,
  type ComplianceWorld,
  type PolicyRequest,
} from "../../../../test/support/compliance-fixture.js";
import { hitWords } from "../../../../test/support/hit-words.js";
import { waitFor } from "../../../../test/support/index.js";

jest.setTimeout(120_000);

let world: ComplianceWorld;
beforeAll(async () => {
  world = await createComplianceWorld("review_hits");
});
afterEach(() => world.reset());
afterAll(() => world.close());

const { listed, at, ofTenant, stopped, falsely, decisionOf, customerOf, key } = hitWords(() => world);

/** Every transaction asks for where the money comes from. */
const policy = {
  dailyLimits: [{ amount: usd(9_000_00n) }],
  transactionRules: [
    {
      name: "All",
      action: RuleAction.RULE_ACTION_REQUIRE_DOCUMENTS,
      visibility: Visibility.VISIBILITY_PUBLIC,
      requiredDocuments: ["SOURCE_OF_FUNDS"],
    },
  ],
} as PolicyRequest;

async function acceptPayslip(tenantId: string): Promise<void> {
  const content = Buffer.from("%PDF-1.7\na payslip\n%%EOF\n");
  const upload = { customerId: "c1", uploadKey: "one" };
  await world.gateway.uploadDocumentPart({ ...upload, offset: 0n, content }, on(tenantId, ada));
  const file = { requirement: "SOURCE_OF_FUNDS", fileName: "payslip.pdf", sizeBytes: BigInt(content.length) };
  const { document } = await world.gateway.submitDocument({ ...upload, ...file }, on(tenantId, ada));
  const word = { documentId: document!.documentId, accept: true, reason: "seen" };
  await world.gateway.reviewDocument(word, on(tenantId, manager));
}

test("what waits for documents shows a hit that an ended exemption has opened, and the accepted document does not let it pass", async () => {
  const tenantId = await world.openTenant(policy);
  const by = on(tenantId, manager);
  const { screeningId, transactionId } = await stopped(tenantId);
  const exemptUntil = new Date("2026-12-01T00:00:00Z");
  await at().decideHit(falsely(screeningId, { exemptUntil }), by);
  const row = async () =>
    (await world.gateway.listReviews({}, by)).reviews.find((one) => one.transactionId === transactionId);
  await waitFor(async () => (await decisionOf(tenantId, transactionId)) === "PENDING", {
    what: "it to wait for documents",
  });
  await waitFor(async () => (await row())?.reason === "DOCUMENTS", { what: "no hit to be shown" });
  expect(await row()).toMatchObject({ screeningIds: [], hits: [] });

  const [exemption] = await ofTenant(tenantId).exemptions.list({ now: world.state.now }, { limit: 10 });
  const { exemptionId } = exemption!;
  await at().endScreeningExemption({ exemptionId, reason: "another passport", ...key() }, by);
  const reopened = await waitFor(
    async () => {
      const found = await ofTenant(tenantId).screenings.list({ customerId: "c1" }, { limit: 10 });
      return found.find(({ status }) => status === "IN_REVIEW");
    },
    { what: "the hit to be open again" },
  );
  expect((await customerOf(tenantId)).holds).toEqual([{ recipientKey: "B-1", status: "OPEN" }]);
  expect(await row()).toMatchObject({ reason: "SCREENING_HIT", screeningIds: [reopened.screeningId] });
  expect((await row())!.hits).toHaveLength(1);

  await acceptPayslip(tenantId);
  await waitFor(async () => (await decisionOf(tenantId, transactionId)) !== "PENDING", {
    what: "it to be decided anew",
  });
  expect(await decisionOf(tenantId, transactionId)).toBe("REVIEW");
  // What was said of it before is shown beside it.
  expect(await row()).toMatchObject({ reason: "SCREENING_HIT", screeningIds: [reopened.screeningId, screeningId] });
  const word = { transactionId, approve: true, reason: "seen" };
  expect((await refused(world.gateway.decideReview(word, by))).code).toBe("STATE_CONFLICT");

  await at().decideHit(falsely(reopened.screeningId), by);
  await waitFor(async () => (await decisionOf(tenantId, transactionId)) === "APPROVED", { what: "it to go on" });
});

test("who waits for a hit of another holder of the same recipient's account is shown with that one's name", async () => {
  const tenantId = await world.openTenant({});
  const [sender, recipient] = everybody as [(typeof everybody)[0], (typeof everybody)[0]];
  const holder = (name: string) => ({ ...recipient, role: "ACCOUNT_HOLDER", kind: "UNKNOWN", name });
  const to = (name: string) => question({ recipientCode: "B-9", parties: [sender, recipient, holder(name)] });
  const [found, innocent] = [to(listed.name), to("Chidi Okafor")];
  for (const one of [found, innocent]) await world.remittance.checkTransaction(one, on(tenantId));
  const { reviews } = await world.gateway.listReviews({}, on(tenantId, manager));
  const row = reviews.find(({ transactionId }) => transactionId === innocent.transactionId)!;
  expect(row).toMatchObject({ reason: "SCREENING_HIT", recipientName: recipient.name });
  const about = { kind: "RECIPIENT", id: "c1/B-9/holder", name: listed.name };
  expect(row.hits.map(({ subject }) => subject)).toMatchObject([about]);
  // So does the row of the case, whoever the code stands for since.
  const rowOfCase = async () => (await world.cases[0]!.listCases({}, on(tenantId, manager))).cases[0];
  const joined = await waitFor(rowOfCase, { what: "the case" });
  expect(joined.hits.map(({ subject }) => subject)).toMatchObject([about]);
});
