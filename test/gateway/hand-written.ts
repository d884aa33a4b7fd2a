import { workQueues, type QueueName } from "../../services/platform/work-queues/work-queue-names.js";
import { caseSamples } from "./case-operations.js";
import { complianceSamples } from "./compliance-operations.js";
import type { Fakes } from "./edge.js";
import { notificationSamples } from "./notification-operations.js";
import { eventsSamples, webhookSamples } from "./events-operations.js";
import { identitySamples, sampleTenant } from "./identity-operations.js";
import { investmentSamples } from "./investment-operations.js";
import { pluginOwnerSamples, pluginSamples } from "./plugin-operations.js";
import { remittanceSamples } from "./remittance-samples.js";
import { screeningListSamples } from "./screening-list-operations.js";
import { screeningSamples } from "./screening-operations.js";
import { ledgerSamples } from "./ledger-operations.js";
import { lendingSamples } from "./lending-operations.js";
import { walletSamples } from "./wallet-operations.js";
import { sampleBeneficiary, sampleEntry, samplePayment, sampleTransaction } from "./samples.js";

const at = new Date("2026-11-21T10:15:00.000Z");
const session = {
  accessToken: "a.b.c",
  expiresInS: 3600,
  refreshToken: "r2",
  user: { userId: "u1", email: "ada@demo.test", role: "ROLE_CUSTOMER", customerId: "c1" },
  permissions: ["profile:read"],
} as const;

/** What services answer to rpcs that the edge joins, streams or makes files of. */
export const handWritten = {
  identity: {
    ...identitySamples(at),
    login: async () => ({ session }),
    refresh: async () => ({ session }),
    getOrganisationPreference: async () => ({ tenant: sampleTenant(at) }),
  },
  compliance: {
    ...complianceSamples,
    getPolicy: async () => ({
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
    }),
  },
  cases: caseSamples,
  events: eventsSamples,
  webhooks: webhookSamples,
  notifications: notificationSamples,
  plugins: pluginSamples,
  pluginOwners: pluginOwnerSamples,
  screening: { ...screeningListSamples, ...screeningSamples },
  remittance: {
    ...remittanceSamples,
    listBeneficiaries: async () => ({ beneficiaries: [sampleBeneficiary] }),
    createTransaction: async () => ({ transaction: sampleTransaction }),
    getTransaction: async () => ({ transaction: sampleTransaction }),
  },
  wallet: { ...walletSamples(at), makePayment: async () => ({ payment: samplePayment }) },
  investment: investmentSamples,
  lending: lendingSamples(at),
  workQueues: {
    countWork: async () => ({
      queues: (Object.values(workQueues).flat() as QueueName[]).map((queue) => ({
        queue,
        count: 2,
        isAtLeast: false,
        oldestAt: at,
      })),
    }),
  },
  ledger: { ...ledgerSamples, listEntriesByInteraction: async () => ({ entries: [sampleEntry] }) },
} satisfies Fakes;
