import { randomBytes } from "node:crypto";
import type { Connection } from "mongoose";
import {
  ComplianceServiceDefinition,
  Decision,
  type CheckTransactionRequest,
  type CheckTransactionResponse,
} from "../../proto/gen/compliance/v1/compliance.js";
import { ApprovalOutcomeServiceDefinition, type AskApprovalRequest } from "../../proto/gen/identity/v1/approvals.js";
import { IdentityServiceDefinition, type Customer } from "../../proto/gen/identity/v1/identity.js";
import { LedgerServiceDefinition, type NewAccount } from "../../proto/gen/ledger/v1/ledger.js";
import {
  DeliveryMethod,
  RemittanceServiceDefinition,
  type CreateTransactionRequest,
} from "../../proto/gen/remittance/v1/remittance.js";
import { createEraser } from "./erasure.js";
import { testDatabase, testRedis, testRedisUrl, testTenant } from "./index.js";
import { createServiceNetwork, stateUser, statedUsers } from "./service-network.js";
import { createDataKeys } from "../../services/shared/erasure/data-keys.js";
import { createLocalKms } from "../../services/shared/erasure/kms.js";
import { createPartyCipher } from "../../services/remittance/store/party-cipher.js";
import { answerEach } from "../../services/shared/batching/answer-each.js";
import type { Role } from "../../services/shared/grpc/context.js";
import type { WirePartial } from "../../services/shared/grpc/definition.js";
import type { Handlers } from "../../services/shared/grpc/server.js";
import { Refusal } from "../../services/shared/refusal.js";
import { startRemittance } from "../../services/remittance/server.js";
import { createRemittanceStore } from "../../services/remittance/store/index.js";
import { payableForMs } from "../../services/remittance/domain/payment-window.js";

type Check = (request: CheckTransactionRequest) => Promise<WirePartial<CheckTransactionResponse>>;

const approve: Check = async () => ({ decision: Decision.DECISION_APPROVED, policyVersion: 3 });
const person = { firstName: "Ada", lastName: "Obi", country: "USA", email: "", phoneNumber: "" };

/** Customers of every tenant here; AG1 manages the first. */
const customers: WirePartial<Customer>[] = [
  { ...person, customerId: "c1", customerCode: "C-1", userId: "u1", agentId: "AG1" },
  { ...person, customerId: "c2", customerCode: "C-2", userId: "u2", firstName: "Ben", agentId: "" },
];

/**
 * Remittance for real, on MongoDB and Redis, with stand-ins for its neighbours over real gRPC. Each test file has a database of
 * its own: relay and expiry work across tenants and would do, by this file's clock and stand-ins, what another file waits for.
 */
export async function createWorld(name: string, { redisUrl = testRedisUrl() } = {}) {
  const network = await createServiceNetwork();
  const database = await testDatabase(`remittance_${name}`);
  const db: Connection = database.db;
  const kms = createLocalKms(randomBytes(32));
  let offsetMs = 0;
  const clock = { now: () => new Date(Date.now() + offsetMs) };

  /** What the stand-ins do and saw; a test may change the first and read the second. */
  const neighbours = {
    check: approve,
    checks: [] as CheckTransactionRequest[],
    confirmed: [] as string[],
    released: [] as string[],
    settle: async () => {},
    accounts: [] as NewAccount[],
    preference: {} as { agentScope?: string; transactionPasswordRequired?: boolean },
    offsetMs: 0n,
    asked: [] as (AskApprovalRequest & { tenantId: string; approvalId: string })[],
    /** Throws where identity refuses a question. */
    mayAsk: () => {},
    /** Rpcs of identity and compliance that were called, in order. */
    called: [] as string[],
  };
  const identity = await network.standIn(
    "identity",
    IdentityServiceDefinition,
    counted("identity", identityHandlers(neighbours), neighbours.called),
  );
  const check = async (request: CheckTransactionRequest) => {
    neighbours.checks.push(request);
    return neighbours.check(request);
  };
  const compliance = await network.standIn("compliance", ComplianceServiceDefinition, {
    async checkTransaction(request) {
      neighbours.called.push("compliance.checkTransaction");
      return check(request);
    },
    async checkBatchedTransactions({ checks }, call) {
      neighbours.called.push("compliance.checkBatchedTransactions");
      return { answers: await answerEach("checks", checks, call, check) };
    },
    async confirmReservation({ transactionId }) {
      await neighbours.settle();
      neighbours.confirmed.push(transactionId);
      return {};
    },
    async releaseReservation({ transactionId }) {
      await neighbours.settle();
      neighbours.released.push(transactionId);
      return {};
    },
  });
  const ledger = await network.standIn("ledger", LedgerServiceDefinition, {
    async createAccounts({ accounts }) {
      neighbours.accounts.push(...accounts);
      return {};
    },
  });
  const service = await startRemittance(
    {
      NODE_ENV: "test",
      LOG_LEVEL: "silent",
      HOST: "127.0.0.1",
      PORT: 0,
      MONGODB_URI: database.uri,
      MONGODB_DATABASE: database.database,
      REDIS_URL: redisUrl,
      SERVICE_KEY_FILE: "",
      SERVICE_JWKS_FILE: "",
      PAYMENT_WINDOW_S: payableForMs / 1_000,
      QUOTE_HOLDS_S: 900,
      IDENTITY_ADDRESS: identity,
      COMPLIANCE_ADDRESS: compliance,
      LEDGER_ADDRESS: ledger,
      WALLET_ADDRESS: "127.0.0.1:1",
      // Nobody there: what follows a payment is tested with a real partner, in the tests of payouts.
      PARTNER_URL: "http://127.0.0.1:1",
      PARTNER_API_KEY: "key-of-nobody-at-all",
      PARTNER_CALLBACK_SECRET: `whsec_${Buffer.from("a secret of the tests").toString("base64")}`,
      PARTNER_CALLBACK_BASE_URL: "",
      PARTNER_TIMEOUT_MS: 1_000,
      PAYOUT_BATCH_S: 1,
      PARTNER_STATEMENT_EVERY_S: 1,
    },
    {
      log: network.log,
      clock,
      keys: network.keysOf("remittance"),
      verifyUserToken: statedUsers,
      pollMs: 50,
      expiryEveryMs: 50,
      kms,
    },
  );
  const client = (as: "operator" | "gateway" | "wallet" | "compliance") =>
    network.client(RemittanceServiceDefinition, "remittance", service.port, as);

  const outcomes = network.client(ApprovalOutcomeServiceDefinition, "remittance", service.port, "identity");

  return {
    db,
    erase: createEraser(network, "remittance", service.port),
    neighbours,
    /** As identity tells how something that remittance asked for was decided. */
    async decide(approvalId: string, status: "APPROVED" | "REFUSED" | "EXPIRED" = "APPROVED", decidedBy = "MA2") {
      const asked = neighbours.asked.find((one) => one.approvalId === approvalId);
      if (asked === undefined) throw new Error(`nobody asked for ${approvalId}`);
      const { kind, subject, payloadJson, tenantId } = asked;
      const approval = { approvalId, kind, subject, status, decidedBy, service: "remittance" };
      await outcomes.decideApproval({ approval, payloadJson }, on(tenantId));
    },
    logged: network.lines,
    operator: client("operator"),
    gateway: client("gateway"),
    wallet: client("wallet"),
    compliance: client("compliance"),
    store: createRemittanceStore(db),
    /** Opens what lies sealed. */
    sealedStore: createRemittanceStore(db, createPartyCipher(createDataKeys({ db, kms, purpose: "personal-data" }))),
    now: () => clock.now(),
    /** Empties what Redis may lose at any time. */
    async forgetCaches() {
      const redis = await testRedis();
      const keys = await redis.keys("idempotency:*");
      if (keys.length > 0) await redis.del(keys);
      redis.disconnect();
    },
    /** Moves business time on; `reset` puts it back. */
    pass: (ms: number) => void (offsetMs += ms),
    reset() {
      offsetMs = 0;
      Object.assign(neighbours, {
        check: approve,
        settle: async () => {},
        checks: [],
        confirmed: [],
        released: [],
        preference: {},
      });
    },
    async close() {
      await service.stop();
      await network.close();
      await database.close();
    },
  };
}

export type World = Awaited<ReturnType<typeof createWorld>>;

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
  preference: { agentScope?: string; transactionPasswordRequired?: boolean };
  /** How far sandboxes were moved on. */
  offsetMs?: bigint;
  asked?: (AskApprovalRequest & { tenantId: string; approvalId: string })[];
  mayAsk?: () => void;
}): Partial<Handlers<typeof IdentityServiceDefinition>> {
  return {
    async getCustomer(by) {
      const found = customers.find(
        ({ customerId, customerCode }) => customerId === by.customerId || customerCode === by.customerCode,
      );
      if (found === undefined) throw new Refusal("CUSTOMER_NOT_FOUND", "no such customer");
      return { customer: found };
    },
    async getCustomers({ customerIds, customerCodes }) {
      const isNamed = ({ customerId, customerCode }: (typeof customers)[number]) =>
        customerIds.includes(customerId ?? "") || customerCodes.includes(customerCode ?? "");
      return { customers: customers.filter(isNamed) };
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
    async getOrganisationPreference(_request, call) {
      return {
        tenant: { tenantId: call.tenantId, name: "Test", preference: { timeZone: "UTC", ...neighbours.preference } },
      };
    },
  };
}

/** Options of a call in a tenant, for a user where one is given. */
export function on(tenantId: string, user?: { role: Role; userId: string; customerId?: string }) {
  const userToken = user && stateUser({ tenantId, ...user });
  return { tenantId, interactionId: "i-1", ...(userToken !== undefined && { userToken }) };
}

export const ada = { role: "CUSTOMER", userId: "u1", customerId: "c1" } as const;
export const ben = { role: "CUSTOMER", userId: "u2", customerId: "c2" } as const;
export const cashier = { role: "CASHIER", userId: "CA1" } as const;
export const agent = { role: "AGENT", userId: "AG1" } as const;
export const manager = { role: "MANAGER", userId: "MA1" } as const;

export const account = [
  { key: "bankname", value: "First Bank" },
  { key: "bankaccountno", value: "3012345671" },
  { key: "accountholdername", value: "Ngozi Okafor" },
  { key: "bankcode", value: "011" },
];

export const corridor = {
  originCountry: "USA",
  sendCurrency: "USD",
  receivingCountry: "NGA",
  receivingCurrency: "NGN",
  deliveryMethods: [DeliveryMethod.DELIVERY_METHOD_ACCOUNTPAYMENT, DeliveryMethod.DELIVERY_METHOD_MOBILE_MONEY],
  minimumMinor: 1_00n,
  maximumMinor: 10_000_00n,
  fees: [{ name: "Transfer fee", fixedMinor: 2_00n, rateBps: 50, taxBps: 750, deliveryMethods: [] }],
  enabled: true,
};

export const beneficiary = {
  idempotencyKey: "b-1",
  customerId: "c1",
  code: "B-NGOZI",
  firstName: "Ngozi",
  lastName: "Okafor",
  country: "NG",
  currency: "NGN",
  deliveryMethods: [DeliveryMethod.DELIVERY_METHOD_ACCOUNTPAYMENT],
  creditParty: account,
  relationship: "sister",
};

/** A tenant with a corridor USD to NGN, a rate, and a beneficiary of c1. */
export async function openTenant(world: Pick<World, "operator">, tenantId = testTenant()): Promise<string> {
  await world.operator.putCorridor({ corridor }, on(tenantId));
  await world.operator.putRate(
    { sendCurrency: "USD", receivingCurrency: "NGN", rate: "1600", source: "test" },
    on(tenantId),
  );
  await world.operator.createBeneficiary(beneficiary, on(tenantId));
  return tenantId;
}

let orders = 0;

/** What ada asks to be sent, with a fresh key. */
export function order(part: WirePartial<CreateTransactionRequest> = {}): WirePartial<CreateTransactionRequest> {
  orders += 1;
  return {
    idempotencyKey: `order-${orders}`,
    sendAmount: "100.00",
    sendCurrency: "USD",
    receivingCurrency: "NGN",
    type: DeliveryMethod.DELIVERY_METHOD_ACCOUNTPAYMENT,
    senderCustomerCode: "C-1",
    recipientCustomerCode: "B-NGOZI",
    creditParty: account,
    internationalTransferInformation: {
      originCountry: "US",
      receivingCountry: "NGA",
      remittancePurpose: "family",
      sourceOfFunds: "salary",
    },
    ipAddress: "203.0.113.7",
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

/** Code of the refusal and the path of its first fault. */
export async function faultOf(work: Promise<unknown>): Promise<[code: string, path: string | undefined]> {
  const { code, details } = await refused(work);
  return [code, details?.errors?.[0]?.path];
}
