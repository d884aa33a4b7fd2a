import { workQueues, type QueueName } from "../../services/platform/work-queues/work-queue-names.js";
import type { Role } from "../../services/kernel/grpc/context.js";
import { caseOperations, caseSamples } from "./case-operations.js";
import { complianceOperations, complianceSamples } from "./compliance-operations.js";
import type { Edge, Sent } from "./edge.js";
import { notificationOperations, notificationSamples } from "./notification-operations.js";
import { eventsOperations, eventsSamples, webhookSamples } from "./events-operations.js";
import { identityOperations, identitySamples, sampleTenant } from "./identity-operations.js";
import { investmentOperations, investmentSamples } from "./investment-operations.js";
import { pluginOperations, pluginOwnerSamples, pluginSamples } from "./plugin-operations.js";
import { remittanceOperations } from "./remittance-operations.js";
import { remittanceSamples } from "./remittance-samples.js";
import { screeningListOperations, screeningListSamples } from "./screening-list-operations.js";
import { screeningOperations, screeningSamples } from "./screening-operations.js";
import { ledgerOperations, ledgerSamples } from "./ledger-operations.js";
import { lendingOperations, lendingSamples } from "./lending-operations.js";
import { walletOperations, walletSamples } from "./wallet-operations.js";
import {
  paymentBody,
  sampleBeneficiary,
  sampleEntry,
  samplePayment,
  sampleTransaction,
  transactionBody,
} from "./samples.js";

const v6 = "/api/v6/services";

export interface Operation {
  name: string;
  /** As the OpenAPI document has it. */
  path: string;
  /** A right request, without token. */
  request: Sent & { method: string };
  /** What it is answered; 200 where absent. */
  answers?: number;
  /** Roles that may call it, or none where no token is asked for. */
  roles: readonly Role[];
  /** Content type of its answer where that is no JSON. */
  file?: string;
}

const everyone: readonly Role[] = ["MANAGER", "AGENT", "CASHIER", "CUSTOMER"];

function operation(name: string, path: string, roles: readonly Role[], request: Partial<Sent> & { method: string }) {
  return { name, path, roles, request: { path, ...request } };
}

/** A right request for every operation of the edge. */
export const operations: readonly Operation[] = [
  operation("login", `${v6}/securitymanagement/login`, [], {
    method: "PUT",
    body: { email: "ada@demo.test", currentPassword: "Correct-horse-1" },
  }),
  operation("refresh", `${v6}/securitymanagement/refresh`, [], { method: "POST", body: { refresh_token: "r1" } }),
  operation("refresh alias", `${v6}/securitymanagement/refresh-token`, [], {
    method: "POST",
    body: { refresh_token: "r1" },
  }),
  operation("logout", `${v6}/securitymanagement/logout`, everyone, { method: "POST", body: {} }),
  operation("policy", `${v6}/compliance/list-organisation-compliance-policy`, everyone, { method: "GET" }),
  ...complianceOperations,
  ...caseOperations,
  ...eventsOperations,
  ...notificationOperations,
  ...pluginOperations,
  ...screeningListOperations,
  ...screeningOperations,
  operation("preference", `${v6}/admin/organisation-preference-management/fetch-organisaction-preference`, everyone, {
    method: "GET",
  }),
  operation("payment", `${v6}/paymentmanagement/makepaymentfromwalletaccount`, ["CASHIER", "CUSTOMER"], {
    method: "POST",
    body: paymentBody,
  }),
  ...walletOperations,
  ...lendingOperations,
  operation("beneficiaries", `${v6}/usermanagement/find-all-beneficiery`, ["MANAGER", "AGENT", "CUSTOMER"], {
    method: "GET",
  }),
  operation("ledger history", `${v6}/ledger/account-ledger-history-interaction-id`, everyone, {
    method: "GET",
    headers: { "x-fapi-interaction-id": "i-1" },
  }),
  ...ledgerOperations,
  operation("create transaction", `${v6}/transactionmanagement/create-transaction`, ["CASHIER", "CUSTOMER"], {
    method: "POST",
    headers: { "x-idempotency-key": "key-1", ipAddress: "203.0.113.7" },
    body: transactionBody,
  }),
  operation("business clock", `${v6}/admin/business-clock`, everyone, { method: "GET" }),
  operation("advance business date", `${v6}/admin/business-clock/advance`, ["MANAGER"], {
    method: "POST",
    headers: { "x-idempotency-key": "key-1" },
    body: { days: 30 },
  }),
  operation("read transaction", `${v6}/transactionmanagement/transactions/{transactionId}`, everyone, {
    method: "GET",
    path: `${v6}/transactionmanagement/transactions/tx-1`,
  }),
  operation(
    "cancel transaction",
    `${v6}/transactionmanagement/transactions/{transactionId}/cancel`,
    ["CASHIER", "CUSTOMER"],
    {
      method: "POST",
      path: `${v6}/transactionmanagement/transactions/tx-1/cancel`,
      headers: { "x-idempotency-key": "key-1" },
      body: {},
    },
  ),
  ...investmentOperations,
  ...remittanceOperations,
  ...identityOperations,
];

export function operationNamed(name: string): Operation {
  const found = operations.find((candidate) => candidate.name === name);
  if (!found) throw new Error(`no operation ${name}`);
  return found;
}

/** Makes every played service answer with its sample. */
export function answerSamples({ fakes }: Pick<Edge, "fakes">): void {
  const at = new Date("2026-11-21T10:15:00.000Z");
  const session = {
    accessToken: "a.b.c",
    expiresInS: 3600,
    refreshToken: "r2",
    user: { userId: "u1", email: "ada@demo.test", role: "ROLE_CUSTOMER", customerId: "c1" },
    permissions: ["profile:read"],
  } as const;
  const clock = { businessTime: at, businessDate: "2026-11-21", timeZone: "Africa/Lagos", offsetMs: 0n, sandbox: true };
  Object.assign(fakes.identity, {
    ...identitySamples(at),
    login: async () => ({ session }),
    refresh: async () => ({ session }),
    logout: async () => ({}),
    getTenantClock: async () => ({ clock }),
    advanceBusinessDate: async () => ({ clock }),
    getOrganisationPreference: async () => ({ tenant: sampleTenant(at) }),
  } satisfies Edge["fakes"]["identity"]);
  Object.assign(fakes.compliance, complianceSamples);
  Object.assign(fakes.cases, caseSamples);
  Object.assign(fakes.events, eventsSamples);
  Object.assign(fakes.webhooks, webhookSamples);
  Object.assign(fakes.notifications, notificationSamples);
  Object.assign(fakes.plugins, pluginSamples);
  Object.assign(fakes.pluginOwners, pluginOwnerSamples);
  Object.assign(fakes.screening, screeningListSamples, screeningSamples);
  fakes.compliance.getPolicy = async () => ({
    policy: {
      version: 2,
      publishedAt: at,
      dailyLimits: [{ amount: { amountMinor: 5_00n, currency: "USD" } }],
      riskModel: { countryWeight: 100, mediumFrom: 20, highFrom: 40, approveBelow: 50, rejectFrom: 80 },
      knowYourCustomerRules: [{ id: "k1", name: "E-mail", requirement: "EMAIL", mandatory: true, validityDays: 365 }],
      transactionRules: [
        { id: "r1", name: "Large", action: "RULE_ACTION_REQUIRE_DOCUMENTS", visibility: "VISIBILITY_PUBLIC" },
        {
          id: "r2",
          name: "Watch",
          action: "RULE_ACTION_REVIEW",
          visibility: "VISIBILITY_STAFF",
          condition: { amountAtLeast: { amountMinor: 100_000n, currency: "USD" }, receivingCountries: ["NGA"] },
        },
      ],
    },
  });
  Object.assign(fakes.remittance, {
    ...remittanceSamples,
    listBeneficiaries: async () => ({ beneficiaries: [sampleBeneficiary] }),
    createTransaction: async () => ({ transaction: sampleTransaction }),
    getTransaction: async () => ({ transaction: sampleTransaction }),
    cancelTransaction: async () => ({ transaction: sampleTransaction }),
  } satisfies Edge["fakes"]["remittance"]);
  Object.assign(fakes.wallet, {
    ...walletSamples(at),
    makePayment: async () => ({ payment: samplePayment }),
  } satisfies Edge["fakes"]["wallet"]);
  Object.assign(fakes.investment, investmentSamples);
  Object.assign(fakes.lending, lendingSamples(at));
  fakes.workQueues.countWork = async () => ({
    queues: (Object.values(workQueues).flat() as QueueName[]).map((queue) => ({
      queue,
      count: 2,
      isAtLeast: false,
      oldestAt: at,
    })),
  });
  Object.assign(fakes.ledger, ledgerSamples);
  fakes.ledger.listEntriesByInteraction = async () => ({ entries: [sampleEntry] });
}
