import { ComplianceServiceDefinition, CustomerStatus, Decision } from "../../proto/gen/compliance/v1/compliance.js";
import { ScreeningServiceDefinition } from "../../proto/gen/compliance/v1/screening.js";
import { ApprovalOutcomeServiceDefinition } from "../../proto/gen/identity/v1/approvals.js";
import { IdentityServiceDefinition } from "../../proto/gen/identity/v1/identity.js";
import { RemittanceServiceDefinition } from "../../proto/gen/remittance/v1/remittance.js";
import { WalletServiceDefinition } from "../../proto/gen/wallet/v1/wallet.js";
import { createCaseStore } from "../../services/compliance/cases/store/cases.js";
import { collections } from "../../services/compliance/common/store/collections.js";
import { createComplianceStore } from "../../services/compliance/decisions/store/index.js";
import type { Client } from "../../services/kernel/grpc/client.js";
import { askOf, everybody, manager, on, question, secondManager } from "../support/compliance-fixture.js";
import { declaredCrashPoints, isHitPoint } from "../support/crash-points.js";
import { testTenant, waitFor } from "../support/index.js";
import { createInsistence } from "../support/insist.js";
import { startKillableCompliance, type KillableCompliance } from "../support/killable-compliance.js";
import { startOwnServers, type OwnServers } from "../support/own-servers.js";
import { useSandboxLists } from "../support/screening-lists.js";
import { createServiceNetwork, type ServiceNetwork } from "../support/service-network.js";
import { withoutKeys } from "../support/without-keys.js";

jest.setTimeout(180_000);

const approvals: Parameters<typeof askOf>[0] = new Map();
/** What neighbours were told, in its order: "block", "release", "freeze", "thaw". */
const published: { what: string; blockId: string }[] = [];
let network: ServiceNetwork;
let servers: OwnServers;
let compliance: KillableCompliance;
let outcomes: Client<typeof ApprovalOutcomeServiceDefinition>;
let screening: Client<typeof ScreeningServiceDefinition>;
let clients: Record<"operator" | "remittance", Client<typeof ComplianceServiceDefinition>>;

beforeAll(async () => {
  network = await createServiceNetwork();
  servers = await startOwnServers("hit_kills");
  await useSandboxLists(servers.db);
  const note = (what: string, blockId: string) => void published.push({ what, blockId });
  const addresses = {
    IDENTITY_ADDRESS: await network.standIn("identity", IdentityServiceDefinition, {
      getCustomer: async () => ({
        customer: { customerId: "c1", userId: "u-c1", country: "USA", createdAt: new Date("2020-01-01T00:00:00Z") },
      }),
      askApproval: async (request, call) => ({ approval: askOf(approvals, request, call) }),
      noteCustomerStatus: async () => ({}),
      getTenantClock: async () => ({ clock: { timeZone: "UTC" } }),
      getOrganisationPreference: async (_request, { tenantId }) => ({ tenant: { tenantId, hosts: ["a.test"] } }),
    }),
    REMITTANCE_ADDRESS: await network.standIn("remittance", RemittanceServiceDefinition, {
      decideTransaction: async () => ({}),
      blockTransactions: async ({ blockId }) => (note("block", blockId), { blocked: 1 }),
      releaseBlockedTransactions: async ({ blockId }) => (note("release", blockId), { released: 1 }),
    }),
    WALLET_ADDRESS: await network.standIn("wallet", WalletServiceDefinition, {
      setCustomerWalletsFrozen: async ({ blockId, frozen }) => (note(frozen ? "freeze" : "thaw", blockId), {}),
    }),
  };
  compliance = await startKillableCompliance(network, servers, addresses);
  const { port } = compliance;
  const as = (name: keyof typeof clients) => network.client(ComplianceServiceDefinition, "compliance", port, name);
  outcomes = network.client(ApprovalOutcomeServiceDefinition, "compliance", port, "identity");
  screening = network.client(ScreeningServiceDefinition, "compliance", port, "gateway");
  clients = { operator: as("operator"), remittance: as("remittance") };
});
afterAll(async () => {
  compliance.stop();
  await network.close();
  await servers.close();
});

const insist = createInsistence({
  passing: ["UNAVAILABLE", "DEADLINE_EXCEEDED", "IDEMPOTENCY_IN_FLIGHT"],
  timeoutMs: 90_000,
});

async function agree(tenantId: string, approvalId: string): Promise<void> {
  const requested = [...approvals.values()].find(({ approval }) => approval.approvalId === approvalId)!;
  const approval = {
    ...requested.approval,
    status: "APPROVED",
    decidedBy: secondManager.userId,
    decidedBecause: "agreed",
  };
  await insist(() => outcomes.decideApproval({ approval, payloadJson: requested.payloadJson }, on(tenantId)));
}

/** A transaction to somebody on a list; the screening that it waits for. */
async function stopped(
  tenantId: string,
  recipientCode: string,
): Promise<{ screeningId: string; transactionId: string }> {
  const [sender, recipient] = everybody;
  const listed = { ...recipient!, name: "Eliseo Fabricio Tarquesada Obregonte", countries: ["MEX"] };
  const requested = question({ parties: [sender!, listed], recipientCode });
  const { decision } = await insist(() => clients.remittance.checkTransaction(requested, on(tenantId)));
  expect(decision).toBe(Decision.DECISION_REVIEW);
  const { transactionId } = requested;
  const find = () => servers.db.collection(collections.screenings).findOne({ tenantId, transactionIds: transactionId });
  const found = await waitFor(find);
  return { screeningId: found["screeningId"] as string, transactionId };
}

/** A hit confirmed, and released; another told apart, with an exemption that is ended. */
async function everything(): Promise<void> {
  const tenantId = testTenant();
  const by = on(tenantId, manager);
  await insist(() => clients.operator.putPolicy({}, on(tenantId)));
  const status = CustomerStatus.CUSTOMER_STATUS_CONFIRMED;
  await insist(() => clients.operator.setCustomerStatus({ customerId: "c1", status, reason: "seen" }, on(tenantId)));
  published.splice(0);

  const first = await stopped(tenantId, "B-1");
  const hit = { screeningId: first.screeningId, hitId: "1", reason: "the same" };
  const sure = { ...hit, idempotencyKey: "k1", decision: "CONFIRMED" };
  const requested = await insist(() => screening.decideHit(sure, by));
  await agree(tenantId, requested.screening!.hits[0]!.approvalId);
  await processed("block", "freeze");
  const release = { ...hit, idempotencyKey: "k2", transactions: "CONTINUE" };
  const toRelease = await insist(() => screening.releaseConfirmedHit(release, by));
  await agree(tenantId, toRelease.screening!.hits[0]!.approvalId);
  await processed("block", "freeze", "release", "thaw");

  const second = await stopped(tenantId, "B-2");
  const exemptUntil = new Date(Date.now() + 86_400_000);
  const false_ = { ...hit, screeningId: second.screeningId, decision: "FALSE_POSITIVE", exemptUntil };
  await insist(() => screening.decideHit({ ...false_, idempotencyKey: "k3" }, by));
  const exemptions = await servers.db.collection(collections.screeningExemptions).find({ tenantId }).toArray();
  expect(exemptions).toHaveLength(1);
  const tenant = createComplianceStore(servers.db, withoutKeys).forTenant(tenantId);
  await waitFor(async () => (await tenant.findDecision(second.transactionId))!.decision === "APPROVED", {
    timeoutMs: 60_000,
    what: "what waited to go on",
  });
  const end = { exemptionId: exemptions[0]!["exemptionId"] as string, reason: "forged" };
  await insist(() => screening.endScreeningExemption(end, by));
  await expectOnce(tenantId, first);
}

/** Told once or more, each for the one block, and in its order. */
async function processed(...all: string[]): Promise<void> {
  await waitFor(() => all.every((what) => published.some((one) => one.what === what)), {
    timeoutMs: 60_000,
    what: `${all.join(", ")} to be told`,
  });
  expect(new Set(published.map(({ blockId }) => blockId)).size).toBe(1);
  const places = (what: string) => published.flatMap((one, index) => (one.what === what ? [index] : []));
  for (const [before, after] of [
    ["block", "release"],
    ["freeze", "thaw"],
  ] as const) {
    if (places(after).length > 0) expect(Math.max(...places(before))).toBeLessThan(Math.min(...places(after)));
  }
}

/** In the order in which they were written. */
async function namesIn(collection: string, filter: { tenantId: string; caseId?: string }, field: string) {
  const found = await servers.db
    .collection(collection)
    .find(filter, { sort: { sequence: 1, _id: 1 } })
    .toArray();
  return found.map((one) => one[field] as string);
}

/** However often a step was asked for: each is said once, and nothing is half done. */
async function expectOnce(tenantId: string, first: { screeningId: string }) {
  const tenant = createComplianceStore(servers.db, withoutKeys).forTenant(tenantId);
  const states = (await tenant.listStatusChanges("c1")).map((one) => one.status);
  expect(states).toEqual(["CONFIRMED", "BLOCKED", "CONFIRMED"]);
  expect((await tenant.findCustomer("c1"))!.blocks).toEqual([]);
  // Reasons lie sealed, and the keys are the processes'.
  const recorded = await namesIn(collections.audit, { tenantId }, "action");
  expect(recorded.filter((action) => action.startsWith("screening.")).toSorted()).toEqual([
    "screening.confirmation-approved",
    "screening.confirmation-ask",
    "screening.exemption-end",
    "screening.false-positive",
    "screening.release-approved",
    "screening.release-ask",
  ]);
  const cases = createCaseStore(servers.db, withoutKeys).forTenant(tenantId);
  const subject = { subjectKind: "RECIPIENT", subjectId: "c1/B-1", customerId: "c1" } as const;
  const kinds = await waitFor(
    async () => {
      const one = await cases.findLastCase(subject);
      const events =
        one === undefined ? [] : await namesIn(collections.caseEvents, { tenantId, caseId: one.caseId }, "kind");
      return events.length >= 9 ? events : undefined;
    },
    { timeoutMs: 60_000, what: `the case of ${first.screeningId} to hear of it` },
  );
  // Found, and what waits for it; asked and confirmed, asked and released; what the release
  // did, and what was stopped went on.
  const words = Array.from({ length: 4 }, () => "HIT_DECIDED");
  const joined = ["SCREENING_JOINED", "TRANSACTION_JOINED"];
  expect(kinds[0]).toBe("OPENED");
  expect(kinds.slice(1).toSorted()).toEqual([...joined, ...words, "BLOCK_NOTED", "TRANSACTION_DECIDED"].toSorted());
}

const points = [...declaredCrashPoints("compliance").filter(isHitPoint), "shared.approval.carried-out"];

test.each(points)("killed with -9 at %s, each word on a hit counts once and nothing is half done", async (point) => {
  const before = compliance.kills();
  compliance.killAt(point);
  await everything();
  // A point that nobody passed would prove nothing.
  expect(compliance.isToBeKilled()).toBe(false);
  expect(compliance.kills()).toBe(before + 1);
});
