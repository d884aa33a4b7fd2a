import {
  ComplianceServiceDefinition,
  Decision,
  type CheckTransactionRequest,
  type CheckTransactionResponse,
  type ScreenAmendmentRequest,
} from "../../proto/gen/compliance/v1/compliance.js";
import type {
  CheckTransparencyRequest,
  CheckTransparencyResponse,
  GetTransparencyProfilesResponse,
  ReviseTransparencyRequest,
} from "../../proto/gen/compliance/v1/transparency.js";
import type { AskApprovalRequest } from "../../proto/gen/identity/v1/approvals.js";
import { IdentityServiceDefinition, type Customer } from "../../proto/gen/identity/v1/identity.js";
import { LedgerServiceDefinition, type NewAccount } from "../../proto/gen/ledger/v1/ledger.js";
import type { WirePartial } from "../../services/kernel/grpc/definition.js";
import type { Handlers } from "../../services/kernel/grpc/server.js";
import { refusalToTrailer } from "../../services/kernel/grpc/refusal-trailer.js";
import { Refusal } from "../../services/kernel/refusal.js";
import type { ServiceNetwork } from "./service-network.js";
import { createStandInEvents } from "./stand-in-events.js";
import { createStandInPlugins } from "./stand-in-plugins.js";

type Check = (request: CheckTransactionRequest) => Promise<WirePartial<CheckTransactionResponse>>;

const approve: Check = async () => ({ decision: Decision.DECISION_APPROVED, policyVersion: 3 });
const person = { firstName: "Ada", lastName: "Obi", country: "USA", email: "", phoneNumber: "" };

const details = {
  dateOfBirth: "1990-04-30",
  nationality: "NGA",
  address: { lines: ["4 Zubair Lane"], city: "Toronto", country: "CAN" },
};

/** Customers of every tenant here; AG1 manages the first. */
const customers: WirePartial<Customer>[] = [
  { ...person, customerId: "c1", customerCode: "C-1", userId: "u1", agentId: "AG1", details },
  { ...person, customerId: "c2", customerCode: "C-2", userId: "u2", firstName: "Ben", agentId: "" },
];

interface StatedPreference {
  agentScope?: string;
  agentCounterSales?: boolean;
  transactionPasswordRequired?: boolean;
  locale?: string;
}

/** Stand-ins for the neighbours of remittance, over real gRPC. */
export async function createRemittanceNeighbours(network: ServiceNetwork) {
  /** What the stand-ins do and saw; a test may change the first and read the second. */
  const state = {
    check: approve,
    checks: [] as (CheckTransactionRequest & { tenantId: string })[],
    confirmed: [] as string[],
    released: [] as string[],
    /** Removed recipients of whom compliance was told, and whether it still needs them. */
    forgotten: [] as string[],
    keeps: false,
    /** What the transparency policy asks, and says of a transaction at its claim. */
    profiles: { policyVersion: 3, profiles: [] } as WirePartial<GetTransparencyProfilesResponse>,
    claimed: [] as CheckTransparencyRequest[],
    atClaim: {} as WirePartial<CheckTransparencyResponse>,
    revised: [] as ReviseTransparencyRequest[],
    /** New names that compliance compared; `onScreening` is what happens meanwhile. */
    screened: [] as ScreenAmendmentRequest[],
    onScreening: async () => {},
    settle: async () => {},
    /** Why compliance does not release what is held for a transaction. */
    refusesRelease: (_transactionId: string): Refusal | undefined => undefined,
    accounts: [] as NewAccount[],
    preference: {} as StatedPreference,
    offsetMs: 0n,
    asked: [] as (AskApprovalRequest & { tenantId: string; approvalId: string })[],
    /** Approvals that were taken back. */
    withdrawn: [] as string[],
    /** Throws where identity refuses a question. */
    mayAsk: () => {},
    /** What identity answers of a customer; a test may change it. */
    shown: (customer: WirePartial<Customer>) => customer,
    /** Rpcs of identity and compliance that were called, in order. */
    called: [] as string[],
  };
  const plugins = createStandInPlugins();
  const identity = await network.standIn(
    "identity",
    IdentityServiceDefinition,
    counted("identity", identityHandlers(state), state.called),
    [plugins.served],
  );
  const check = async (request: CheckTransactionRequest, tenantId: string) => {
    state.checks.push({ ...request, tenantId });
    return state.check(request);
  };
  const inBatches = new WeakSet<object>();
  const noteBatch = (rpc: string, requests: readonly object[]) => {
    state.called.push(`compliance.${rpc} in a batch`);
    for (const request of requests) inBatches.add(request);
  };
  const handlers: Partial<Handlers<ComplianceServiceDefinition>> = {
    async checkTransaction(request, { tenantId }) {
      if (!inBatches.has(request)) state.called.push("compliance.checkTransaction");
      return check(request, tenantId);
    },
    async getTransparencyProfiles() {
      state.called.push("compliance.getTransparencyProfiles");
      return state.profiles;
    },
    async checkTransparency(request) {
      state.called.push("compliance.checkTransparency");
      state.claimed.push(request);
      return state.atClaim;
    },
    async reviseTransparency(request) {
      state.revised.push(request);
      return {};
    },
    async screenAmendment(request) {
      state.called.push("compliance.screenAmendment");
      state.screened.push(request);
      await state.onScreening();
      return {};
    },
    checkPayouts: async ({ payouts }) => ({ answers: payouts.map(() => ({ verdict: "MOVE_VERDICT_PASS" as const })) }),
    async confirmReservation({ transactionId }) {
      await state.settle();
      state.confirmed.push(transactionId);
      return {};
    },
    async releaseReservation({ transactionId }) {
      await state.settle();
      state.released.push(transactionId);
      return {};
    },
    async releaseReservations({ transactionIds }) {
      state.called.push("compliance.releaseReservations");
      await state.settle();
      const refusals = transactionIds.map((id) => state.refusesRelease(id));
      state.released.push(...transactionIds.filter((_id, index) => refusals[index] === undefined));
      return {
        answers: refusals.map((refusal) => (refusal === undefined ? {} : { refusal: refusalToTrailer(refusal) })),
      };
    },
    async forgetRecipient({ customerId, recipientCode }, { tenantId }) {
      state.forgotten.push(`${tenantId}/${customerId}/${recipientCode}`);
      return { isKept: state.keeps };
    },
  };
  const compliance = await network.standIn("compliance", ComplianceServiceDefinition, handlers, [], noteBatch);
  const ledger = await network.standIn("ledger", LedgerServiceDefinition, {
    async createAccounts({ accounts }) {
      state.accounts.push(...accounts);
      return {};
    },
  });
  const events = await createStandInEvents(network);
  return {
    state,
    plugins,
    events,
    addresses: {
      IDENTITY_ADDRESS: identity,
      COMPLIANCE_ADDRESS: compliance,
      LEDGER_ADDRESS: ledger,
      EVENTS_ADDRESS: events.address,
    },
    reset: () =>
      void Object.assign(state, {
        check: approve,
        settle: async () => {},
        refusesRelease: () => undefined,
        checks: [],
        confirmed: [],
        released: [],
        forgotten: [],
        keeps: false,
        profiles: { policyVersion: 3, profiles: [] },
        claimed: [],
        atClaim: {},
        revised: [],
        screened: [],
        onScreening: async () => {},
        preference: {},
        shown: (customer: WirePartial<Customer>) => customer,
      }),
  };
}

/** Notes every call. */
function counted<H extends object>(service: string, handlers: H, called: string[]): H {
  return Object.fromEntries(
    Object.entries(handlers).map(([rpc, handle]: [string, (...args: unknown[]) => unknown]) => [
      rpc,
      (...args: unknown[]) => {
        called.push(`${service}.${rpc}`);
        return handle(...args);
      },
    ]),
  ) as H;
}

export function identityHandlers(neighbours: {
  preference: StatedPreference;
  /** How far sandboxes were moved on. */
  offsetMs?: bigint;
  asked?: (AskApprovalRequest & { tenantId: string; approvalId: string })[];
  withdrawn?: string[];
  mayAsk?: () => void;
  shown?: (customer: WirePartial<Customer>) => WirePartial<Customer>;
}): Partial<Handlers<typeof IdentityServiceDefinition>> {
  const shown = (one: WirePartial<Customer>) => neighbours.shown?.(one) ?? one;
  return {
    async getCustomer(by) {
      const found = customers.find(
        ({ customerId, customerCode }) => customerId === by.customerId || customerCode === by.customerCode,
      );
      if (found === undefined) throw new Refusal("CUSTOMER_NOT_FOUND", "no such customer");
      return { customer: shown(found) };
    },
    async getOriginator({ customerId }) {
      const found = customers.find((one) => one.customerId === customerId);
      if (found === undefined) throw new Refusal("CUSTOMER_NOT_FOUND", "no such customer");
      return { customer: shown(found) };
    },
    async getCustomers({ customerIds, customerCodes }) {
      const isNamed = ({ customerId, customerCode }: (typeof customers)[number]) =>
        customerIds.includes(customerId ?? "") || customerCodes.includes(customerCode ?? "");
      return { customers: customers.filter(isNamed).map(shown) };
    },
    async listManagedCustomers({ agentId, pageToken }) {
      const managed = customers.filter((customer) => customer.agentId === agentId);
      // An empty first page, so that paging is seen to go on.
      return pageToken === "" ? { customers: [], nextPageToken: "2" } : { customers: managed };
    },
    async verifyCredentials({ password }) {
      if (password !== "right") throw new Refusal("PASSWORD_WRONG", "the password is wrong");
      return {};
    },
    async getTenantClock() {
      return { clock: { timeZone: "UTC", offsetMs: neighbours.offsetMs ?? 0n } };
    },
    async askApproval(request, call) {
      neighbours.mayAsk?.();
      const approvalId = `approval-${request.idempotencyKey}`;
      const { kind, subject, amount, reason } = request;
      neighbours.asked?.push({ ...request, tenantId: call.tenantId, approvalId });
      return { approval: { approvalId, kind, subject, amount, askedBecause: reason, status: "PENDING" } };
    },
    async withdrawApproval({ approvalId }) {
      neighbours.withdrawn?.push(approvalId);
      return { approval: { approvalId, status: "REFUSED" } };
    },
    async getOrganisationPreference(_request, call) {
      return {
        tenant: { tenantId: call.tenantId, name: "Test", preference: { timeZone: "UTC", ...neighbours.preference } },
      };
    },
  };
}
