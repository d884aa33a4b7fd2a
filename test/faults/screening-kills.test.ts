import { ComplianceServiceDefinition, CustomerStatus, Decision } from "../../proto/gen/compliance/v1/compliance.js";
import { IdentityServiceDefinition } from "../../proto/gen/identity/v1/identity.js";
import { RemittanceServiceDefinition } from "../../proto/gen/remittance/v1/remittance.js";
import { collections } from "../../services/compliance/common/store/collections.js";
import { createComplianceStore } from "../../services/compliance/decisions/store/index.js";
import { rescreenRow } from "../../services/compliance/common/store/outbox-rows.js";
import { systemClock } from "../../services/kernel/time/clock.js";
import type { Client } from "../../services/kernel/grpc/client.js";
import { createOutbox } from "../../services/kernel/outbox/index.js";
import { everybody, on, question } from "../support/compliance-fixture.js";
import { declaredCrashPoints, isScreeningPoint } from "../support/crash-points.js";
import { silentLog, testTenant, waitFor } from "../support/index.js";
import { createInsistence } from "../support/insist.js";
import { startKillableCompliance, type KillableCompliance } from "../support/killable-compliance.js";
import { startOwnServers, type OwnServers } from "../support/own-servers.js";
import { useSandboxLists } from "../support/screening-lists.js";
import { createServiceNetwork, type ServiceNetwork } from "../support/service-network.js";
import { withoutKeys } from "../support/without-keys.js";

jest.setTimeout(180_000);

const listed = { ...everybody[1]!, name: "Yaromil Ostapovich Vorskutin", countries: ["RUS"] };
let network: ServiceNetwork;
let servers: OwnServers;
let compliance: KillableCompliance;
let clients: Record<"operator" | "remittance" | "identity", Client<typeof ComplianceServiceDefinition>>;

beforeAll(async () => {
  network = await createServiceNetwork();
  servers = await startOwnServers("screening_kills");
  await useSandboxLists(servers.db);
  compliance = await startKillableCompliance(network, servers, {
    IDENTITY_ADDRESS: await network.standIn("identity", IdentityServiceDefinition, {
      getCustomer: async () => ({
        customer: { customerId: "c1", userId: "u-c1", country: "USA", createdAt: new Date("2020-01-01T00:00:00Z") },
      }),
      noteCustomerStatus: async () => ({}),
      getTenantClock: async () => ({ clock: { timeZone: "UTC" } }),
      getOrganisationPreference: async (_request, { tenantId }) => ({ tenant: { tenantId, hosts: ["a.test"] } }),
    }),
    REMITTANCE_ADDRESS: await network.standIn("remittance", RemittanceServiceDefinition, {
      decideTransaction: async () => ({}),
    }),
  });
  const as = (name: keyof typeof clients) =>
    network.client(ComplianceServiceDefinition, "compliance", compliance.port, name);
  clients = { operator: as("operator"), remittance: as("remittance"), identity: as("identity") };
});
afterAll(async () => {
  compliance.stop();
  await network.close();
  await servers.close();
});

const insist = createInsistence({ passing: ["UNAVAILABLE", "DEADLINE_EXCEEDED"], timeoutMs: 90_000 });

/**
 * Somebody registers, a transaction goes to somebody on a list, and everybody is compared again.
 */
async function everything(): Promise<void> {
  const tenantId = testTenant();
  await insist(() => clients.operator.putPolicy({}, on(tenantId)));
  const status = CustomerStatus.CUSTOMER_STATUS_CONFIRMED;
  await insist(() => clients.operator.setCustomerStatus({ customerId: "c1", status, reason: "seen" }, on(tenantId)));
  const about = { customerId: "c1", revision: 1, changed: ["REGISTERED"], proven: [], country: "USA" };
  const name = { firstName: "Ada", lastName: "Lovelace" };
  await insist(() => clients.identity.notePersonChange({ ...about, ...name }, on(tenantId)));
  const requested = question({ parties: [everybody[0]!, listed], recipientCode: "B-9" });
  const answer = await insist(() => clients.remittance.checkTransaction(requested, on(tenantId)));
  expect(answer.decision).toBe(Decision.DECISION_REVIEW);

  const subjects = servers.db.collection(collections.screeningSubjects);
  // As a version of lists before: whoever has another basis is to be compared.
  await subjects.updateMany({ tenantId }, { $set: { basis: "policy 0, EU before" } });
  const outbox = createOutbox({ db: servers.db, clock: systemClock, log: silentLog, service: "compliance" });
  const store = createComplianceStore(servers.db, withoutKeys);
  await store.transaction(
    async (session) => {
      const origin = { tenantId, interactionId: "i-1", actor: "compliance" };
      await outbox.add(rescreenRow(origin, "list:EU", 2), session);
      return true;
    },
    async () => undefined,
  );
  await waitFor(async () => (await subjects.countDocuments({ tenantId, basis: /before/ })) === 0, {
    timeoutMs: 90_000,
    what: "everybody to be compared",
  });

  // However often it was begun: one screening, one stop, one decision, and nobody left out.
  const screenings = await servers.db.collection(collections.screenings).find({ tenantId }).toArray();
  expect(screenings.map(({ transactionIds }) => transactionIds as string[])).toEqual([[requested.transactionId]]);
  expect((await store.forTenant(tenantId).findCustomer("c1"))!.holds).toEqual([
    { recipientKey: "B-9", status: "OPEN" },
  ]);
  const decisions = await servers.db.collection(collections.decisions).find({ tenantId }).toArray();
  expect(decisions.map(({ decision }) => decision as string)).toEqual(["REVIEW"]);
  expect((await subjects.find({ tenantId }).toArray()).map(({ id }) => id as string).toSorted()).toEqual([
    "c1",
    "c1/B-9",
  ]);
  const opened = await waitFor(
    async () => {
      const found = await servers.db.collection(collections.cases).find({ tenantId, subjectId: "c1/B-9" }).toArray();
      return found.length > 0 ? found : undefined;
    },
    { timeoutMs: 60_000, what: "the case" },
  );
  expect(opened).toHaveLength(1);
}

const points = declaredCrashPoints("compliance").filter(isScreeningPoint);

test.each(points)("killed with -9 at %s, nobody is left out and nothing is decided twice", async (point) => {
  const before = compliance.kills();
  compliance.killAt(point);
  await everything();
  // A point that nobody passed would prove nothing.
  expect(compliance.isToBeKilled()).toBe(false);
  expect(compliance.kills()).toBe(before + 1);
});
