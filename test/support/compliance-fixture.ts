import type { Connection } from "mongoose";
import {
  ComplianceServiceDefinition,
  CustomerStatus,
  type CheckTransactionRequest,
} from "../../proto/gen/compliance/v1/compliance.js";
import {
  ApprovalOutcomeServiceDefinition,
  type Approval,
  type AskApprovalRequest,
} from "../../proto/gen/identity/v1/approvals.js";
import type { PersonalDetails } from "../../proto/gen/common/v1/personal_details.js";
import { CaseServiceDefinition } from "../../proto/gen/compliance/v1/cases.js";
import {
  IdentityServiceDefinition,
  Role,
  type NoteCustomerStatusRequest,
  type OrganisationPreference,
} from "../../proto/gen/identity/v1/identity.js";
import {
  RemittanceServiceDefinition,
  type DecideTransactionRequest,
} from "../../proto/gen/remittance/v1/remittance.js";
import type { ContactAnswer } from "../../services/compliance/clients/contact-verification.js";
import type { Notification } from "../../services/compliance/clients/notifications.js";
import { startCompliance } from "../../services/compliance/server.js";
import { createComplianceStore } from "../../services/compliance/store/index.js";
import type { Client } from "../../services/shared/grpc/client.js";
import { requireUser, type Call, type Role as UserRole } from "../../services/shared/grpc/context.js";
import { Refusal } from "../../services/shared/refusal.js";
import { createEraser } from "./erasure.js";
import { sandboxIdOf } from "../../services/shared/sandbox.js";
import { testDatabase, testRedisUrl, testTenant } from "./index.js";
import { createServiceNetwork, stateUser, statedUsers } from "./service-network.js";

type ComplianceClient = Client<typeof ComplianceServiceDefinition>;
export type PolicyRequest = Parameters<ComplianceClient["putPolicy"]>[0];

export const ada = { role: "CUSTOMER", userId: "u-c1", customerId: "c1" } as const;
export const ben = { role: "CUSTOMER", userId: "u-c2", customerId: "c2" } as const;
/** Manages c1 and c3, not c2. */
export const agent = { role: "AGENT", userId: "AG1" } as const;
export const otherAgent = { role: "AGENT", userId: "AG2" } as const;
export const cashier = { role: "CASHIER", userId: "CA1" } as const;
export const manager = { role: "MANAGER", userId: "MA1" } as const;
export const secondManager = { role: "MANAGER", userId: "MA2" } as const;

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
  const state = {
    now: start,
    preferences: new Map<string, Partial<OrganisationPreference>>(),
    /** Days by which a tenant's business date was moved on. */
    daysAhead: new Map<string, number>(),
    /** By customer id; others live in the USA. */
    countries: new Map<string, string>([["ng1", "NGA"]]),
    /** By customer id; others registered in 2020. */
    registered: new Map<string, Date>(),
    phones: new Map<string, string>(),
    /** What identity has of customers beside name and contacts. */
    details: new Map<string, Parameters<typeof PersonalDetails.fromPartial>[0]>(),
    sent: [] as Notification[],
    asked: [] as { reference: string; type: string; value: string }[],
    answer: { verified: true, raw: '{"status":"VERIFIED"}' } as ContactAnswer | Error,
    decided: [] as DecideTransactionRequest[],
    /** What was asked of identity's approvals, by asker and key. */
    approvals: new Map<string, { approval: Partial<Approval>; payloadJson: string }>(),
    /** What identity was told of customers. */
    noted: [] as NoteCustomerStatusRequest[],
    tellFails: 0,
  };
  const identity = await network.standIn("identity", IdentityServiceDefinition, {
    async getCustomer(by) {
      const customerId = by.customerId ?? by.userId?.replace(/^u-/, "");
      if (customerId === undefined || !/^(c\d|ng\d)/.test(customerId)) {
        throw new Refusal("CUSTOMER_NOT_FOUND", "no such customer");
      }
      return {
        customer: {
          customerId,
          userId: `u-${customerId}`,
          country: state.countries.get(customerId) ?? "USA",
          email: `${customerId}@example.test`,
          phoneNumber: state.phones.get(customerId) ?? "+12025550143",
          details: state.details.get(customerId),
          agentId: customerId === "c2" ? "" : "AG1",
          createdAt: state.registered.get(customerId) ?? new Date("2020-01-01T00:00:00Z"),
        },
      };
    },
    listStaffUsers: async () => ({
      users: [manager, secondManager, agent].map(({ userId, role }) => ({ userId, role: Role[`ROLE_${role}`] })),
    }),
    askApproval: async (request, call) => ({ approval: askOf(state.approvals, request, call) }),
    async noteCustomerStatus(request) {
      state.noted.push(request);
      return {};
    },
    async getTenantClock(_request, { tenantId }) {
      const { timeZone = "UTC" } = state.preferences.get(tenantId) ?? {};
      const offsetMs = BigInt(state.daysAhead.get(tenantId) ?? 0) * 86_400_000n;
      return { clock: { timeZone, offsetMs } };
    },
    async getOrganisationPreference(_request, call) {
      const preference = { timeZone: "UTC", ...state.preferences.get(call.tenantId) };
      return { tenant: { tenantId: call.tenantId, name: "Demo", hosts: ["demo.test"], preference } };
    },
  });
  const remittance = await network.standIn("remittance", RemittanceServiceDefinition, {
    async decideTransaction(request) {
      if (state.tellFails > 0) {
        state.tellFails -= 1;
        throw new Refusal("UNAVAILABLE", "not now");
      }
      state.decided.push(request);
      return {};
    },
  });
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
        IDENTITY_ADDRESS: identity,
        REMITTANCE_ADDRESS: remittance,
      },
      {
        log: network.log,
        clock: { now: () => state.now },
        keys: network.keysOf("compliance"),
        verifyUserToken: statedUsers,
        pollMs: 50,
        notifications: { send: async (_account, message) => void state.sent.push(message) },
        contactVerification: {
          async verify(_account, contact) {
            state.asked.push(contact);
            if (state.answer instanceof Error) throw state.answer;
            return state.answer;
          },
        },
      },
    );
  const services = [await startOne(), await startOne()];
  const client = (
    as: "operator" | "identity" | "remittance" | "gateway" | "wallet" | "lending" | "investment",
    at = 0,
  ) => network.client(ComplianceServiceDefinition, "compliance", services[at]!.port, as);
  const operator = client("operator");
  const outcomes = network.client(ApprovalOutcomeServiceDefinition, "compliance", services[0]!.port, "identity");

  return {
    /** As identity, which tells how an approval was decided. */
    async decideApproval(tenantId: string, approvalId: string, decidedBy: string, status = "APPROVED") {
      const asked = [...state.approvals.values()].find(({ approval }) => approval.approvalId === approvalId)!;
      const decided = { ...asked.approval, status, decidedBy, decidedBecause: "so do I", decidedAt: state.now };
      return outcomes.decideApproval({ approval: decided, payloadJson: asked.payloadJson }, on(tenantId));
    },
    db,
    erase: createEraser(network, "compliance", services[0]!.port),
    state,
    logged: network.lines,
    operator,
    gateway: client("gateway"),
    /** As the gateway, at each of the replicas. */
    cases: services.map(({ port }) => network.client(CaseServiceDefinition, "compliance", port, "gateway")),
    /** What the outbox of each replica is. */
    outboxes: services.map(({ resources }) => resources.outbox),
    identity: client("identity"),
    remittance: client("remittance"),
    wallet: client("wallet"),
    lending: client("lending"),
    investment: client("investment"),
    /** As remittance, at the other of the replicas. */
    elsewhere: client("remittance", 1),
    store: createComplianceStore(db),
    at(instant: string) {
      state.now = new Date(instant);
    },
    reset() {
      Object.assign(state, { now: start, sent: [], asked: [], decided: [], noted: [], tellFails: 0 });
      state.answer = { verified: true, raw: '{"status":"VERIFIED"}' };
      state.phones.clear();
      state.details.clear();
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

/** One approval per asker and key, as identity keeps them. */
export function askOf(
  known: Map<string, { approval: Partial<Approval>; payloadJson: string }>,
  { idempotencyKey, payloadJson, kind, subject, reason }: AskApprovalRequest,
  call: Call,
) {
  const askedBy = requireUser(call).userId;
  const at = `${call.tenantId} ${askedBy} ${idempotencyKey}`;
  const before = known.get(at);
  if (before !== undefined && (before.payloadJson !== payloadJson || before.approval.askedBecause !== reason)) {
    throw new Refusal("IDEMPOTENCY_KEY_REUSED", "this key was used for another request");
  }
  const approvalId = `approval-${known.size + 1}`;
  const service = call.caller;
  const fresh = { approvalId, kind, subject, status: "PENDING", askedBy, askedBecause: reason, service };
  const { approval } = before ?? { approval: fresh };
  known.set(at, { approval, payloadJson });
  return approval;
}

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
