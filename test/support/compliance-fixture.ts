import { randomBytes } from "node:crypto";
import type { Connection } from "mongoose";
import {
  ComplianceServiceDefinition,
  CustomerStatus,
  type CheckTransactionRequest,
} from "../../proto/gen/compliance/v1/compliance.js";
import { ApprovalOutcomeServiceDefinition } from "../../proto/gen/identity/v1/approvals.js";
import { CaseServiceDefinition } from "../../proto/gen/compliance/v1/cases.js";
import { ScreeningServiceDefinition } from "../../proto/gen/compliance/v1/screening.js";
import { PluginOwnerServiceDefinition } from "../../proto/gen/plugins/v1/owner.js";
import { startCompliance } from "../../services/compliance/server.js";
import { createComplianceStore } from "../../services/compliance/decisions/store/index.js";
import type { Client } from "../../services/kernel/grpc/client.js";
import type { Role as UserRole } from "../../services/kernel/grpc/context.js";
import { createLocalKey } from "../../services/kernel/keys/file-keys.js";
import { Refusal } from "../../services/kernel/refusal.js";
import { createComplianceNeighbours, createNeighbourState } from "./compliance-neighbours.js";
import { createNeighbourRecords } from "./compliance-records.js";
import { createEraser } from "./erasure.js";
import { sandboxIdOf } from "../../services/platform/sandbox/sandbox.js";
import { testDatabase, testRedisUrl, testTenant } from "./index.js";
import { useSandboxLists } from "./screening-lists.js";
import { createStandInEvents } from "./stand-in-events.js";
import { createServiceNetwork, stateUser, statedUsers } from "./service-network.js";
import type { Message } from "../../services/platform/messages/message.js";
import { decideAsForeseen } from "./foreseen.js";
import { identityCacheMs } from "./time.js";

type ComplianceClient = Client<typeof ComplianceServiceDefinition>;
export type PolicyRequest = Parameters<ComplianceClient["putPolicy"]>[0];

export { ada, agent, askOf, ben, cashier, manager, otherAgent, secondManager } from "./compliance-neighbours.js";

export const usd = (amountMinor: bigint) => ({ amountMinor, currency: "USD" });

/** Options of a call in a tenant, for a user where one is given. */
export function on(tenantId: string, user?: { role: UserRole; userId: string; customerId?: string }) {
  const userToken = user && stateUser({ tenantId, ...user });
  return { tenantId, interactionId: "i-1", ...(userToken !== undefined && { userToken }) };
}

export type ComplianceWorld = Awaited<ReturnType<typeof createComplianceWorld>>;

/**
 * Two replicas of compliance for real, with stand-ins for its neighbours over real gRPC, in a
 * database of its own.
 */
export async function createComplianceWorld(name: string) {
  const network = await createServiceNetwork();
  const database = await testDatabase(`compliance_${name}`);
  const db: Connection = database.db;
  const start = new Date("2026-05-01T12:00:00Z");
  // Replicas share the master key.
  const wrapper = createLocalKey(randomBytes(32));
  const state = createNeighbourState(start);
  const records = createNeighbourRecords();
  const events = await createStandInEvents(network);
  const neighbours = await createComplianceNeighbours(network, state, records);
  const startOne = () =>
    startCompliance(
      {
        NODE_ENV: "test",
        LOG_LEVEL: "silent",
        HOST: "127.0.0.1",
        PORT: 0,
        MONGODB_URI: database.uri,
        MONGODB_DATABASE: database.database,
        REDIS_URL: testRedisUrl(),
        SERVICE_KEY_FILE: "",
        SERVICE_JWKS_FILE: "",
        ...neighbours,
        PLUGIN_SANDBOX_ORIGINS: "http://127.0.0.1:*",
        EVENTS_ADDRESS: events.address,
      },
      {
        log: network.log,
        wrapper,
        clock: { now: () => state.now },
        keys: network.keysOf("compliance"),
        verifyUserToken: statedUsers,
        identityCacheMs,
        pollMs: 50,
        notifications: { send: async (tenantId, message) => void state.sent.push({ ...message, tenantId }) },
        contactVerification: {
          async verify({ tenantId }, contact) {
            state.asked.push({ ...contact, tenantId });
            if (state.answer instanceof Error) throw state.answer;
            return state.answer;
          },
        },
      },
    );
  await useSandboxLists(db);
  const services = [await startOne(), await startOne()];
  const client = (
    as: "operator" | "identity" | "remittance" | "gateway" | "wallet" | "lending" | "investment",
    at = 0,
  ) => network.client(ComplianceServiceDefinition, "compliance", services[at]!.port, as);
  const operator = client("operator");
  const outcomes = network.client(ApprovalOutcomeServiceDefinition, "compliance", services[0]!.port, "identity");

  return {
    /** As identity, which tells how an approval was decided. */
    async decideApproval(
      tenantId: string,
      approvalId: string,
      decidedBy: string,
      status = "APPROVED",
      decidedBecause = "so do I",
    ) {
      const requested = [...state.approvals.values()].find(({ approval }) => approval.approvalId === approvalId)!;
      const decided = { ...requested.approval, status, decidedBy, decidedBecause, decidedAt: state.now };
      return decideAsForeseen(outcomes, { approval: decided, payloadJson: requested.payloadJson }, on(tenantId));
    },
    db,
    events,
    erase: createEraser(network, "compliance", services[0]!.port),
    state,
    told: records,
    /** What this tenant's people were sent, oldest first. Another test's may still arrive. */
    sentOf: (tenantId: string, channel?: Message["channel"]) =>
      state.sent.filter((one) => one.tenantId === tenantId && (!channel || one.channel === channel)),
    /** Contacts of this tenant that the operator's verifier was asked about. */
    verifiedOf: (tenantId: string) => state.asked.filter((one) => one.tenantId === tenantId),
    logged: network.lines,
    operator,
    gateway: client("gateway"),
    /** As the gateway, at each of the replicas. */
    cases: services.map(({ port }) => network.client(CaseServiceDefinition, "compliance", port, "gateway")),
    /** What each replica works with. */
    replicas: services.map(({ resources }) => resources),
    pluginOwner: network.client(PluginOwnerServiceDefinition, "compliance", services[0]!.port, "gateway"),
    /** Screening, as the gateway at each of the replicas and as the operator. */
    screening: services.map(({ port }) => network.client(ScreeningServiceDefinition, "compliance", port, "gateway")),
    screeningOperator: network.client(ScreeningServiceDefinition, "compliance", services[0]!.port, "operator"),
    /** What each replica has of the lists. */
    lists: services.map(({ resources }) => resources.lists),
    /** What the outbox of each replica is. */
    outboxes: services.map(({ resources }) => resources.outbox),
    identity: client("identity"),
    remittance: client("remittance"),
    wallet: client("wallet"),
    lending: client("lending"),
    investment: client("investment"),
    /** As remittance, at the other of the replicas. */
    elsewhere: client("remittance", 1),
    store: createComplianceStore(db, services[0]!.resources.screeningCipher),
    at(instant: string) {
      state.now = new Date(instant);
    },
    reset() {
      Object.assign(state, { now: start, sent: [], asked: [], tellFails: 0, blockAnswers: [], releaseAnswer: {} });
      Object.assign(state, { wallets: [], onAsk: undefined, isRemittanceAway: false });
      state.answer = { verified: true, raw: '{"status":"VERIFIED"}' };
      state.phones.clear();
      state.names.clear();
      state.details.clear();
      state.atCounter.clear();
      state.registered.clear();
    },
    /** A tenant with a policy and, unless told otherwise, the confirmed customer c1. */
    async openTenant(
      policy: PolicyRequest,
      { timeZone = "UTC", confirm = true, asSandbox = false, ...preference } = {},
    ): Promise<string> {
      const tenantId = asSandbox ? sandboxIdOf(testTenant()) : testTenant();
      state.preferences.set(tenantId, { timeZone, ...preference });
      await operator.putPolicy(policy, on(tenantId));
      const status = CustomerStatus.CUSTOMER_STATUS_CONFIRMED;
      if (confirm) await operator.setCustomerStatus({ customerId: "c1", status, reason: "seen" }, on(tenantId));
      return tenantId;
    },
    async close() {
      await Promise.all(services.map((service) => service.stop()));
      await network.close();
      await database.close();
    },
  };
}

/** Whom a question names unless it is told otherwise; no list of tests has them. */
export const everybody = [
  { role: "SENDER", name: "Ada Lovelace", kind: "PERSON", dateOfBirth: "1990-12-10", countries: ["USA"] },
  { role: "RECIPIENT", name: "Emeka Okafor", kind: "PERSON", dateOfBirth: "", countries: ["NGA"] },
];

let questions = 0;

/** What remittance asks, under a fresh transaction id. */
export function question(part: Partial<CheckTransactionRequest> = {}) {
  questions += 1;
  return {
    transactionId: `t${String(questions).padStart(6, "0")}`,
    customerId: "c1",
    amount: usd(100_00n),
    originCountry: "USA",
    receivingCountry: "NGA",
    receivingCurrency: "NGN",
    remittancePurpose: "family",
    sourceOfFunds: "salary",
    recipientCode: "B-1",
    parties: everybody,
    ...part,
  };
}

/** The refusal that a call ends with. */
export async function refused(work: Promise<unknown>): Promise<Refusal> {
  const error: unknown = await work.then(
    () => new Error("nothing was refused"),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Refusal)) throw error;
  return error;
}
