import { shapeCodec } from "../../gateway/codec.js";
import { exampleOf } from "../../gateway/examples.js";
import { RepaidTransaction } from "../../services/platform/events/shapes/repayment-shape.js";
import { workQueues, type QueueName } from "../../services/platform/work-queues/work-queue-names.js";
import { caseSamples } from "./case-operations.js";
import { closeBlockerSamples, packageSamples, partnerSamples, periodSamples } from "./closing-operations.js";
import { complianceSamples } from "./compliance-operations.js";
import type { Fakes } from "./edge.js";
import { ledgerSamples } from "./ledger-operations.js";
import { pluginOwnerSamples, pluginSamples } from "./plugin-operations.js";
import {
  sampleBeneficiary,
  sampleDisclosure,
  sampleEntry,
  samplePayment,
  sampleBranchDay,
  agentSettlementSamples,
  sampleTillLine,
  sampleTransaction,
} from "./samples.js";
import { screeningSamples } from "./screening-operations.js";

const at = new Date("2026-11-21T10:15:00.000Z");
const usd = (amountMinor: bigint) => ({ amountMinor, currency: "USD" });

const session = {
  accessToken: "a.b.c",
  expiresInS: 3600,
  refreshToken: "r2",
  user: { userId: "u1", email: "ada@demo.test", role: "ROLE_CUSTOMER", customerId: "c1" },
  permissions: ["profile:read"],
} as const;

const details = {
  dateOfBirth: "1994-02-11",
  placeOfBirth: { city: "Lagos", country: "NGA" },
  nationality: "NGA",
  address: { lines: ["4 Awolowo Road"], city: "Lagos", region: "Lagos", postalCode: "101233", country: "NGA" },
  identityDocuments: [
    { type: "PASSPORT", number: "B01234567", country: "NGA", expiresAt: "2031-03-04", gender: "FEMALE" },
  ],
};

const tenant = {
  tenantId: "demo",
  name: "Demo",
  preference: {
    baseCurrency: "USD",
    currencies: ["USD"],
    countries: ["NGA"],
    timeZone: "UTC",
    locale: "en",
    secondFactors: { otp: false, pin: false },
    blindTillCounts: true,
    agentCounterSales: false,
  },
  updatedAt: at,
};

const customer = {
  customerId: "c1",
  customerCode: "C-1",
  userId: "u2",
  firstName: "Zola",
  lastName: "Bello",
  email: "zola@demo.test",
  country: "NGA",
  createdAt: at,
  status: "CONFIRMED",
};
const approval = {
  approvalId: "a1",
  kind: "REFUND",
  subject: "transaction:1",
  summary: "Refund",
  amount: { amountMinor: 2_500n, currency: "USD" },
  status: "PENDING",
  askedBy: "u1",
  askedBecause: "sent twice",
  askedAt: at,
  expiresAt: at,
};

const eventBody = {
  id: "event-1",
  type: "transaction.paid",
  version: 1,
  timestamp: at.toISOString(),
  subject: { type: "transaction", id: "T1" },
  sequence: 2,
  interactionId: "i-1",
  data: { id: "T1", sendAmount: "25.50" },
};
const event = {
  eventId: "event-1",
  type: "transaction.paid",
  occurredAt: at,
  subjectType: "transaction",
  subjectId: "T1",
  sequence: 2n,
  interactionId: "i-1",
  body: JSON.stringify(eventBody),
  place: "7",
};

const parts = { principalMinor: 94_62n, interestMinor: 12_00n, feesMinor: 0n, penaltiesMinor: 0n };
const instalment = {
  number: 1,
  from: "2026-11-01",
  dueOn: "2026-12-01",
  charged: parts,
  paid: { principalMinor: 0n, interestMinor: 0n, feesMinor: 0n, penaltiesMinor: 0n },
  outstandingMinor: 106_62n,
  balanceMinor: 1_105_38n,
};
const loan = {
  accountId: "loan-1",
  loanApplicationId: "la-1",
  customerId: "customer-1",
  productId: "personal",
  productName: "Personal loan",
  currency: "USD",
  amountMinor: 1_200_00n,
  status: "ACTIVE",
  disbursedOn: "2026-11-01",
  outstanding: parts,
  totalPayableMinor: 1_279_42n,
  nextDueOn: "2026-12-01",
  nextDueMinor: 106_62n,
  bucket: "CURRENT",
  instalments: [instalment],
  createdAt: at,
};
const repayment = shapeCodec(RepaidTransaction)!.toWire(exampleOf(RepaidTransaction));

const walletAccount = {
  accountId: "acc-1",
  accountNumber: "1002003004",
  currency: "JPY",
  availableBalanceMinor: 9_223_372_036_854_775_807n,
  status: "OPEN",
  createdAt: at,
};
const statementEntry = {
  entryId: "e-1",
  side: "DEBIT",
  amount: usd(25_00n),
  balanceMinor: 75_00n,
  kind: "wallet_transfer",
  description: '=Lunch, with "friends"',
  executedAt: at,
  effectiveAt: at,
  interactionId: "i-1",
  sequence: 7n,
};

const refund = {
  refundId: "r-1",
  amount: usd(500n),
  status: "ASKED",
  reason: "late",
  askedBy: "user-1",
  askedAt: at,
  approvalId: "ap-1",
};

/** What services answer to rpcs that the edge joins, streams or makes files of. */
export const handWritten = {
  identity: {
    getCustomer: async () => ({ customer: { ...customer, details } }),
    assignCustomer: async () => ({ customer }),
    getOrganisationPreference: async () => ({ tenant }),
    listApprovals: async () => ({ approvals: [approval] }),
    getApproval: async () => ({ approval }),
    login: async () => ({ session }),
    refresh: async () => ({ session }),
  },
  compliance: {
    ...complianceSamples,
    getPolicy: async () => ({
      policy: {
        version: 2,
        publishedAt: at,
        dailyLimits: [{ amount: { amountMinor: 5_00n, currency: "USD" } }],
        counter: { seenDocuments: true, optionalContacts: ["EMAIL"] },
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
  events: {
    readEvents: async ({ after }) => ({ events: after === "" ? [event] : [], place: "7" }),
  },
  plugins: pluginSamples,
  pluginOwners: pluginOwnerSamples,
  screening: screeningSamples,
  remittance: {
    getReceipt: async () => ({
      transaction: { ...sampleTransaction, refundedAmount: usd(500n), refunds: [refund] },
      paidAt: at,
      organisation: "Demo",
      disclosure: sampleDisclosure,
      pdf: Buffer.from("%PDF-1.3"),
    }),
    getQuoteDisclosure: async () => ({ disclosure: sampleDisclosure, pdf: Buffer.from("%PDF-1.3") }),
    getTransactionDisclosure: async () => ({ disclosure: sampleDisclosure, transactionCode: "MN-1" }),
    previewDisclosureTemplate: async () => ({ disclosure: sampleDisclosure }),
    getCallOverReport: async () => ({
      date: "2026-11-21",
      rows: [
        {
          agentId: "=cmd",
          createdBy: "user-1",
          createdByRole: "CASHIER",
          status: "COMPLETED",
          count: 2n,
          principal: usd(20_000n),
          feesMinor: 300n,
          taxesMinor: 22n,
          totalMinor: 20_322n,
        },
      ],
    }),
    getAnalytics: async () => ({
      rows: [
        {
          date: "2026-11-21",
          originCountry: "USA",
          receivingCountry: "NGA",
          type: "DELIVERY_METHOD_ACCOUNTPAYMENT",
          status: "COMPLETED",
          count: 2n,
          principal: usd(20_000n),
          feesMinor: 300n,
          taxesMinor: 22n,
          received: { amountMinor: 32_000_000n, currency: "NGN" },
        },
      ],
    }),
    readReportExport: async () => ({
      data: Buffer.from("transactionId\r\n"),
      isLast: true,
      reportExport: { report: "transactions", from: "2026-11-01", to: "2026-11-30", format: "CSV" },
    }),
    listBeneficiaries: async () => ({ beneficiaries: [sampleBeneficiary] }),
    createBeneficiary: async () => ({ beneficiary: sampleBeneficiary }),
    changeBeneficiary: async () => ({ beneficiary: sampleBeneficiary }),
    createTransaction: async () => ({ transaction: sampleTransaction }),
    getTransaction: async () => ({ transaction: sampleTransaction }),
  },
  wallet: {
    makePayment: async () => ({ payment: samplePayment }),
    listWalletAccounts: async () => ({ accounts: [walletAccount] }),
    setWalletLimit: async () => ({ approvalId: "ap-1", approvalStatus: "PENDING" }),
    listStatement: async () => ({ entries: [statementEntry], accountNumber: "1002003004", currency: "USD" }),
    cashIn: async () => ({ movement: { movementId: "m-1", amount: usd(20_00n), newBalanceMinor: 1n, at } }),
    setCashLimit: async () => ({ approvalId: "ap-2", approvalStatus: "PENDING" }),
    sumCash: async () => ({ date: "2026-11-21", sums: [] }),
  },
  agentSettlements: agentSettlementSamples,
  tills: { listTillLines: async () => ({ lines: [sampleTillLine], nextCursor: "" }) },
  // Each line of a kind has the currency of what it is of.
  branchCash: { getBranchDay: async () => ({ day: sampleBranchDay }) },
  lending: {
    listLoanHistory: async () => ({ loans: [loan], total: 1n }),
    listRepaidTransactions: async () => ({ repayments: [repayment] }),
  },
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
  closeBlockers: closeBlockerSamples,
  reports: {
    getReport: async () => ({
      columns: ["month", "agentId", "sendCurrency", "receivingCurrency", "paid", "paidAmount", "p50"],
      rows: [{ cells: ["2026-11", "=cmd", "USD", "NGN", "2", "200.00", ""] }],
    }),
  },
  periods: periodSamples,
  packages: packageSamples,
  partnerBalances: partnerSamples,
  ledger: { ...ledgerSamples, listEntriesByInteraction: async () => ({ entries: [sampleEntry] }) },
} satisfies Partial<Fakes>;
