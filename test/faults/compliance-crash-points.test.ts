import {
  ComplianceServiceDefinition,
  ContactType,
  CustomerStatus,
  Decision,
  RuleAction,
  Visibility,
} from "../../proto/gen/compliance/v1/compliance.js";
import { ScreeningServiceDefinition } from "../../proto/gen/compliance/v1/screening.js";
import { ApprovalOutcomeServiceDefinition } from "../../proto/gen/identity/v1/approvals.js";
import { PersonalDataServiceDefinition } from "../../proto/gen/identity/v1/erasure.js";
import { IdentityServiceDefinition, type NoteCustomerStatusRequest } from "../../proto/gen/identity/v1/identity.js";
import { RemittanceServiceDefinition } from "../../proto/gen/remittance/v1/remittance.js";
import { createCaseStore } from "../../services/compliance/cases/store/cases.js";
import { collections } from "../../services/compliance/common/store/collections.js";
import { createComplianceStore } from "../../services/compliance/decisions/store/index.js";
import type { Client } from "../../services/kernel/grpc/client.js";
import { ada, agent, askOf, manager, on, question, secondManager, usd } from "../support/compliance-fixture.js";
import {
  declaredCrashPoints,
  isHitPoint,
  isIdentityCheckPoint,
  isListLoadPoint,
  isScreeningPoint,
} from "../support/crash-points.js";
import { testTenant, waitFor } from "../support/index.js";
import { createInsistence } from "../support/insist.js";
import { startKillableCompliance, type KillableCompliance } from "../support/killable-compliance.js";
import { startOwnServers, type OwnServers } from "../support/own-servers.js";
import { useSandboxLists } from "../support/screening-lists.js";
import { putListToUse } from "../support/own-list.js";
import { noPlugins } from "../support/stand-in-plugins.js";
import { createServiceNetwork, type ServiceNetwork } from "../support/service-network.js";
import { withoutKeys } from "../support/without-keys.js";

jest.setTimeout(90_000);

const sent: { channel: string; text: string }[] = [];
const told: { transactionId: string; decision: string }[] = [];
const approvals: Parameters<typeof askOf>[0] = new Map();
const noted: NoteCustomerStatusRequest[] = [];
let network: ServiceNetwork;
let servers: OwnServers;
let compliance: KillableCompliance;
let outcomes: Client<typeof ApprovalOutcomeServiceDefinition>;
let screening: Client<typeof ScreeningServiceDefinition>;
let clients: Record<"gateway" | "operator" | "remittance", Client<typeof ComplianceServiceDefinition>>;

beforeAll(async () => {
  network = await createServiceNetwork();
  servers = await startOwnServers("compliance");
  await useSandboxLists(servers.db);
  const addresses = {
    IDENTITY_ADDRESS: await network.standIn(
      "identity",
      IdentityServiceDefinition,
      {
        getCustomer: async () => ({
          customer: {
            customerId: "c1",
            userId: "u-c1",
            country: "USA",
            email: "c1@example.test",
            phoneNumber: "+12025550143",
            agentId: "AG1",
            createdAt: new Date("2020-01-01T00:00:00Z"),
          },
        }),
        askApproval: async (request, call) => ({ approval: askOf(approvals, request, call) }),
        noteCustomerStatus: async (request) => (noted.push(request), {}),
        getTenantClock: async () => ({ clock: { timeZone: "UTC" } }),
        getOrganisationPreference: async (_request, { tenantId }) => ({
          tenant: { tenantId, hosts: ["a.test"], preference: { doNotForwardEmailVerification: true } },
        }),
      },
      [noPlugins],
    ),
    REMITTANCE_ADDRESS: await network.standIn("remittance", RemittanceServiceDefinition, {
      decideTransaction: async (request) => (told.push(request), {}),
      tellTransparency: async ({ transactionIds, policyVersion }) => ({
        told: transactionIds.map((transactionId) => ({ transactionId, facts: { knownMembers: [], policyVersion } })),
      }),
    }),
  };
  compliance = await startKillableCompliance(network, servers, addresses, (message) => void sent.push(message));
  const { port } = compliance;
  const as = (name: keyof typeof clients) => network.client(ComplianceServiceDefinition, "compliance", port, name);
  outcomes = network.client(ApprovalOutcomeServiceDefinition, "compliance", port, "identity");
  screening = network.client(ScreeningServiceDefinition, "compliance", port, "gateway");
  clients = { gateway: as("gateway"), operator: as("operator"), remittance: as("remittance") };
});
afterAll(async () => {
  compliance.stop();
  await network.close();
  await servers.close();
});

const insist = createInsistence({ passing: ["UNAVAILABLE", "DEADLINE_EXCEEDED"], timeoutMs: 60_000 });

const rules = {
  knowYourCustomerRules: [
    { name: "E-mail", requirement: "EMAIL", mandatory: true },
    { name: "Phone", requirement: "PHONE_NUMBER", mandatory: true },
  ],
  transactionRules: [
    {
      name: "Documents",
      action: RuleAction.RULE_ACTION_REQUIRE_DOCUMENTS,
      visibility: Visibility.VISIBILITY_PUBLIC,
      requiredDocuments: ["INVOICE"],
      condition: { amountAtLeast: usd(500_00n), amountBelow: usd(900_00n) },
    },
    {
      name: "Person",
      action: RuleAction.RULE_ACTION_REVIEW,
      visibility: Visibility.VISIBILITY_STAFF,
      condition: { amountAtLeast: usd(900_00n) },
    },
  ],
  dailyLimits: [{ amount: usd(5_000_00n) }],
  transparencyProfiles: [
    {
      profile: "OWN",
      originCountries: ["USA"],
      currency: "USD",
      rows: [{ amount: usd(500_00n), members: ["RECIPIENT_ADDRESS"] }],
    },
  ],
};

/**
 * All that is decided of a customer, from their contacts to their transactions; each step insists
 * on its answer.
 */
async function everything(): Promise<void> {
  const tenantId = testTenant();
  const { gateway, operator, remittance } = clients;
  const by = (user: typeof ada | typeof agent | typeof manager | typeof secondManager) => on(tenantId, user);
  await insist(() => operator.putPolicy({}, on(tenantId)));
  const draft = await insist(() => gateway.savePolicyDraft({ revision: 0, ...rules }, by(manager)));
  expect(draft.draft!.revision).toBe(1);
  const published = await insist(() => gateway.publishPolicyDraft({ revision: 1 }, by(secondManager)));
  expect(published.policy!.version).toBe(2);

  const before = sent.length;
  await insist(() => gateway.initiateComplianceAction({ customerId: "c1" }, by(ada)));
  await insist(() => gateway.initiateComplianceAction({ customerId: "c1" }, by(ada)));
  const messages = await waitFor(() => (sent.length > before ? sent.slice(before) : undefined), { timeoutMs: 30_000 });
  // Sent once more at most with the same content: the connector takes a reference once.
  expect(new Set(messages.map(({ text }) => text)).size).toBe(1);
  const code = /^\d{6}/.exec(messages[0]!.text)![0];
  await insist(() => gateway.confirmContact({ code }, by(ada)));
  const type = ContactType.CONTACT_TYPE_EMAIL;
  await insist(() => gateway.verifyContact({ userId: "u-c1", type }, by(agent)));
  const read = async () =>
    (await insist(() => gateway.getCustomerCompliance({ customerId: "c1" }, by(manager)))).customer!;
  expect((await read()).status).toBe("CUSTOMER_STATUS_CONFIRMED");

  const plain = question({ amount: usd(100_00n) });
  const documents = question({ amount: usd(600_00n) });
  const knownMembers = ["RECIPIENT_ADDRESS"];
  const [amount, linkedAmount] = [usd(1_000_00n), usd(1_000_00n)];
  const person = question({ amount, transparency: { amount, linkedAmount, knownMembers } });
  const decisions = [];
  for (const requested of [plain, documents, person]) {
    decisions.push((await insist(() => remittance.checkTransaction(requested, on(tenantId)))).decision);
  }
  expect(decisions).toEqual([Decision.DECISION_APPROVED, Decision.DECISION_PENDING, Decision.DECISION_REVIEW]);
  // As an older policy had it told: it is told anew before it is decided.
  const older = { $set: { "inputs.facts.transparency": { policyVersion: 1, knownMembers: [] } } };
  await servers.db.collection("decisions").updateOne({ tenantId, transactionId: documents.transactionId }, older);
  const revised = { revised: [{ transactionId: documents.transactionId, knownMembers }] };
  await insist(() => remittance.reviseTransparency(revised, on(tenantId)));
  await insist(() => remittance.confirmReservation({ transactionId: plain.transactionId }, on(tenantId)));

  // Two that nobody paid count no more, however often it is said.
  const unpaid = [question({ amount: usd(100_00n) }), question({ amount: usd(100_00n) })];
  for (const requested of unpaid) await insist(() => remittance.checkTransaction(requested, on(tenantId)));
  const transactionIds = unpaid.map((requested) => requested.transactionId);
  const { answers } = await insist(() => remittance.releaseReservations({ transactionIds }, on(tenantId)));
  expect(answers).toEqual([{ refusal: "" }, { refusal: "" }]);

  const content = Buffer.from("%PDF-1.7\n%%EOF\n");
  const upload = { customerId: "c1", uploadKey: "k1", offset: 0n, content };
  await insist(() => gateway.uploadDocumentPart(upload, by(ada)));
  const submission = { customerId: "c1", uploadKey: "k1", requirement: "INVOICE", fileName: "a.pdf", sizeBytes: 15n };
  const { documentId } = (await insist(() => gateway.submitDocument(submission, by(ada)))).document!;
  await insist(() => gateway.reviewDocument({ documentId, accept: true, reason: "seen" }, by(manager)));
  const { transactionId } = person;
  await insist(() => gateway.decideReview({ transactionId, approve: true, reason: "known" }, by(manager)));
  const isOver = ({ decision }: { decision: string }) => decision !== Decision.DECISION_PENDING;
  const publishedOf = (id: string) =>
    told.filter((one) => one.transactionId === id && isOver(one)).map(({ decision }) => decision);
  for (const id of [documents.transactionId, transactionId]) {
    await waitFor(() => publishedOf(id).length > 0, { timeoutMs: 40_000, what: "remittance to be told" });
    expect(new Set(publishedOf(id))).toEqual(new Set([Decision.DECISION_APPROVED]));
  }

  const status = CustomerStatus.CUSTOMER_STATUS_BLOCKED;
  const ask = { idempotencyKey: "o1", customerId: "c1", status, reason: "court order" };
  const { overrideId } = (await insist(() => gateway.requestOverride(ask, by(manager)))).override!;
  const requested = [...approvals.values()].find(({ approval }) => approval.approvalId === overrideId)!;
  const approval = {
    ...requested.approval,
    status: "APPROVED",
    decidedBy: secondManager.userId,
    decidedBecause: "agreed",
  };
  await insist(() => outcomes.decideApproval({ approval, payloadJson: requested.payloadJson }, on(tenantId)));
  expect((await read()).status).toBe("CUSTOMER_STATUS_BLOCKED");
  await waitFor(() => noted.find(({ status }) => status === "BLOCKED"), {
    timeoutMs: 40_000,
    what: "identity to be told",
  });
  expect(noted.map(({ sequence }) => sequence).toSorted()).toEqual(expect.arrayContaining([1, 2]));
  noted.splice(0);
  await expectOneCase(tenantId);
  await putListToUse(screening, tenantId, insist);
  await expectOnce(tenantId);
}

/** The review opened a case and its decision is in it, each once. */
async function expectOneCase(tenantId: string): Promise<void> {
  const cases = createCaseStore(servers.db, withoutKeys).forTenant(tenantId);
  const subject = { subjectKind: "CUSTOMER", subjectId: "c1", customerId: "c1" } as const;
  const found = await waitFor(
    async () => {
      const one = await cases.findOpenCase(subject);
      return one !== undefined && one.version >= 3 ? one : undefined;
    },
    { timeoutMs: 40_000, what: "the case to hear of it" },
  );
  expect(found).toMatchObject({ number: 1, version: 3 });
  // Texts lie sealed, and the keys are the processes'.
  const ofCase = { tenantId, caseId: found.caseId };
  const events = await servers.db
    .collection(collections.caseEvents)
    .find(ofCase, { sort: { sequence: 1 } })
    .toArray();
  expect(events.map((one) => one["kind"] as string)).toEqual(["OPENED", "TRANSACTION_JOINED", "TRANSACTION_DECIDED"]);
}

/** However often a step was asked for: limits count once, history and audit say each thing once. */
async function expectOnce(tenantId: string): Promise<void> {
  const tenant = createComplianceStore(servers.db, withoutKeys).forTenant(tenantId);
  const [day] = await tenant.listDays("c1", "2000-01-01", "2999-12-31");
  expect(day).toMatchObject({ usage: [{ currency: "USD", usedMinor: 100_00n, reservedMinor: 1_600_00n }] });
  expect(day!.cells.map(({ count, sumMinor }) => [count, sumMinor])).toEqual([[3, 1_700_00n]]);
  expect((await tenant.listStatusChanges("c1")).map(({ status }) => status)).toEqual(["CONFIRMED", "BLOCKED"]);
  const audit = await servers.db.collection(collections.audit).find({ tenantId }).toArray();
  const recorded = audit.map((one) => one["action"] as string).toSorted();
  expect(recorded.filter((action) => action !== "contact.verify")).toEqual([
    "document.accepted",
    "override.approve",
    "override.request",
    "policy.draft",
    "policy.publish",
    "policy.publish",
    "screening-list.approve",
    "screening-list.load",
    "transaction.approve",
  ]);
}

// Loads are killed in test/faults/screening-list-kills.test.ts, each at its own pace, and decisions
// on hits in test/faults/screening-hit-kills.test.ts, comparisons in
// test/faults/screening-kills.test.ts, checks of identities in
// test/faults/identity-check-kills.test.ts.
const elsewhere = [isListLoadPoint, isHitPoint, isScreeningPoint, isIdentityCheckPoint];
const points = declaredCrashPoints("compliance").filter((point) => !elsewhere.some((isThere) => isThere(point)));

test.each(points)("killed with -9 at %s, everything is decided once", async (point) => {
  const before = compliance.kills();
  compliance.killAt(point);
  await everything();
  // A point that nobody passed would prove nothing.
  expect(compliance.isToBeKilled()).toBe(false);
  expect(compliance.kills()).toBe(before + 1);
});

test("killed with -9 between two parts of an erasure, everything is erased and counted once", async () => {
  const tenantId = testTenant();
  const by = on(tenantId, ada);
  await insist(() => clients.operator.putPolicy({ knowYourCustomerRules: rules.knowYourCustomerRules }, on(tenantId)));
  await insist(() => clients.gateway.initiateComplianceAction({ customerId: "c1" }, by));
  const eraser = network.client(PersonalDataServiceDefinition, "compliance", compliance.port, "identity");
  const request = { customerId: "c1", userId: "u-c1", stage: "ERASURE_STAGE_AFTER_RETENTION" as const };
  // After the first kind, and in the midst of the others.
  for (const pass of [1, 4]) {
    const before = compliance.kills();
    compliance.killAt(pass === 1 ? "shared.erasure.batch" : `shared.erasure.batch:${pass}`);
    const { erased, kept, more } = await insist(() => eraser.erasePerson(request, on(tenantId)));
    expect({ erased, kept, more }).toEqual({
      erased: [
        { kind: "verifications", records: 1n },
        // Nobody takes events here: what was to be told waits, and is erased with them.
        { kind: "waiting-events", records: 2n },
      ],
      kept: [],
      more: false,
    });
    expect(compliance.isToBeKilled()).toBe(false);
    expect(compliance.kills()).toBe(before + 1);
  }
});
