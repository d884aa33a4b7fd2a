import { isOneOf } from "../../services/identity/domain/customer-match.js";
import { randomUUID } from "node:crypto";
import type { Approval } from "../../proto/gen/identity/v1/approvals.js";
import { Role, IdentityServiceDefinition } from "../../proto/gen/identity/v1/identity.js";
import type { Handlers } from "../../services/kernel/grpc/server.js";
import { Refusal, type RefusalCode } from "../../services/kernel/refusal.js";
import { createKeptParties } from "./kept-parties.js";
import { createFaults } from "./rpc-faults.js";

export const rightPassword = "correct horse battery";

/** Identity in memory: anybody whose customer id is known, one password, codes that work once. */
export function createStandInIdentity(faults: Pick<ReturnType<typeof createFaults>, "note">) {
  const customers = new Map<string, { tenantId: string; userId: string; agentId?: string }>();
  const cashierTenants = new Set<string>();
  /** Tenants whose agents act for all customers. */
  const everybodysAgents = new Set<string>();
  /** Of tenants that have some of their own. */
  const ceilings = new Map<string, { amountMinor: bigint; currency: string }[]>();
  /** Tenants whose people count before they see what should be in a till. */
  const blindTenants = new Set<string>();
  /** Tenants whose agents sell for cash. */
  const sellingAgents = new Set<string>();
  /** By customer, what is on file of them. */
  const documents = new Map<string, { type: string; number: string }[]>();
  const otpTenants = new Set<string>();
  const usedCodes = new Set<string>();
  const state = {
    /** Business time ahead of real time. */
    offsetMs: 0,
    /** Of customers whom an agent manages. */
    managedPageSize: 1_000,
    /** While it is away nothing is withdrawn. */
    isAway: false,
    /** What it refuses every question with. */
    takesNoQuestion: undefined as RefusalCode | undefined,
    approvals: [] as {
      key: string;
      concernedUserId: string;
      approval: Approval;
      payloadJson: string;
      tenantId: string;
    }[],
  };
  const timeZone = "Africa/Lagos";
  /** The business day of every tenant. */
  const today = () =>
    Temporal.Instant.fromEpochMilliseconds(Date.now() + state.offsetMs)
      .toZonedDateTimeISO(timeZone)
      .toPlainDate()
      .toString();
  const verified: { userId: string; userToken: string | undefined }[] = [];
  /** By agent, whom they manage. */
  const managed = new Map<string, { customerId: string; firstName: string; lastName: string; phoneNumber: string }[]>();
  const staff = new Map<string, { tenantId: string; role: "MANAGER" | "AGENT" | "CASHIER"; disabled?: true }>();
  const parties = createKeptParties();
  const baseCurrencies = new Map<string, string>();
  const handlers: Partial<Handlers<IdentityServiceDefinition>> = {
    keepTransferParty: parties.keepTransferParty,
    async listManagedCustomers({ agentId, pageToken }, { tenantId }) {
      const own = [...customers].filter(([, one]) => one.tenantId === tenantId && one.agentId === agentId);
      const all = managed.get(agentId) ?? own.map(([customerId]) => ({ customerId }));
      const [from, { managedPageSize: size }] = [Number(pageToken), state];
      return {
        customers: all.slice(from, from + size),
        nextPageToken: all.length > from + size ? `${from + size}` : "",
      };
    },
    async listStaffUsers(_request, { tenantId }) {
      const users = [...staff].filter(([, one]) => one.tenantId === tenantId);
      return {
        users: users.map(([userId, { role, disabled = false }]) => ({ userId, role: Role[`ROLE_${role}`], disabled })),
      };
    },
    async getStaffNames({ userIds }, { tenantId }) {
      const named = userIds.flatMap((userId) => {
        const one = staff.get(userId);
        if (one?.tenantId !== tenantId || one.disabled) return [];
        return [{ userId, name: `Staff ${userId}`, role: Role[`ROLE_${one.role}`] }];
      });
      return { names: named };
    },
    async getCustomer({ customerId = "" }, { tenantId }) {
      const found = customers.get(customerId);
      if (found?.tenantId !== tenantId) throw new Refusal("CUSTOMER_NOT_FOUND", "no such customer");
      const { userId, agentId = "" } = found;
      return { customer: { customerId, userId, agentId, firstName: "Amina", lastName: "Bello", country: "NGA" } };
    },
    async compareDocument({ customerId, ...shown }, { tenantId }) {
      if (customers.get(customerId)?.tenantId !== tenantId) throw new Refusal("CUSTOMER_NOT_FOUND", "no such customer");
      const onFile = documents.get(customerId) ?? [];
      return { onFile: isOneOf(shown, onFile), anyOnFile: onFile.length > 0 };
    },
    async getOrganisationPreference(_request, { tenantId }) {
      const preference = {
        cashierWalletPayments: cashierTenants.has(tenantId),
        blindTillCounts: blindTenants.has(tenantId),
        agentCounterSales: sellingAgents.has(tenantId),
        agentScope: everybodysAgents.has(tenantId) ? "TENANT" : "MANAGED",
        currencies: ["USD", "NGN", "GBP"],
        baseCurrency: baseCurrencies.get(tenantId) ?? "USD",
        amountCeilings: ceilings.get(tenantId) ?? [],
      };
      return { tenant: { tenantId, preference } };
    },
    async getTenantClock() {
      return { clock: { offsetMs: BigInt(state.offsetMs), timeZone } };
    },
    async askApproval(request, call) {
      if (state.takesNoQuestion !== undefined) throw new Refusal(state.takesNoQuestion, "is not asked about");
      const { idempotencyKey: _key, payloadJson, ...requested } = request;
      const approval: Approval = {
        ...requested,
        approvalId: randomUUID(),
        status: "PENDING",
        askedBy: call.user?.userId ?? "",
        askedBecause: requested.reason,
        askedAt: new Date(),
        expiresAt: new Date(Date.now() + 86_400_000),
        decidedBy: "",
        decidedBecause: "",
        decidedAt: undefined,
        service: call.caller,
        effects: [],
        effectCount: 0,
        digest: "",
        joined: [],
        joinedCount: 0,
      };
      const known = state.approvals.find(({ key }) => key === request.idempotencyKey);
      if (known !== undefined) return { approval: known.approval };
      const { concernedUserId } = request;
      state.approvals.push({
        key: request.idempotencyKey,
        concernedUserId,
        approval,
        payloadJson,
        tenantId: call.tenantId,
      });
      return { approval };
    },
    async withdrawApproval({ approvalId, reason }, { tenantId, caller }) {
      if (state.isAway) throw new Refusal("UNAVAILABLE", "away");
      const known = state.approvals.find((one) => one.approval.approvalId === approvalId && one.tenantId === tenantId);
      if (known === undefined) throw new Refusal("NOT_FOUND", "there is no such approval");
      const decision = { status: "REFUSED", decidedBy: caller, decidedBecause: reason, decidedAt: new Date() };
      if (known.approval.status === "PENDING") Object.assign(known.approval, decision);
      return { approval: known.approval };
    },
    async verifyCredentials({ userId, password, otp, requireOtp }, call) {
      const { tenantId, userToken } = call;
      faults.note("verifyCredentials", call);
      verified.push({ userId, userToken });
      if (password === "") throw new Refusal("PASSWORD_REQUIRED", "the password is required");
      if (password !== rightPassword) throw new Refusal("PASSWORD_WRONG", "the password is wrong");
      if (!otpTenants.has(tenantId) && requireOtp !== true) return {};
      if (otp === "") throw new Refusal("OTP_REQUIRED", "a one-time password is required");
      if (usedCodes.has(otp)) throw new Refusal("OTP_WRONG", "the one-time password is wrong");
      usedCodes.add(otp);
      return {};
    },
  };
  return {
    handlers,
    parties,
    customers,
    staff,
    cashierTenants,
    everybodysAgents,
    blindTenants,
    sellingAgents,
    documents,
    ceilings,
    /** By tenant; USD where nothing is said. */
    baseCurrencies,
    otpTenants,
    verified,
    today,
    state,
    managed,
  };
}
