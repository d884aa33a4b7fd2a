import type {
  Branch,
  Corridor,
  Markup,
  PayoutPoint,
  Promotion,
  Quote,
  Refund,
} from "../../proto/gen/remittance/v1/remittance.js";
import type { WirePartial } from "../../services/kernel/grpc/definition.js";
import type { Edge } from "./edge.js";
import { sampleBeneficiary, sampleEntry, sampleTransaction } from "./samples.js";

const at = new Date("2026-11-21T10:15:00.000Z");
const usd = (amountMinor: bigint) => ({ amountMinor, currency: "USD" });

const sampleQuote: WirePartial<Quote> = {
  quoteId: "q-1",
  status: "OPEN",
  customerId: "customer-1",
  principal: usd(10_000n),
  receiveAmount: { amountMinor: 15_984_050n, currency: "NGN" },
  fees: [{ name: "Transfer fee", amount: usd(150n), taxMinor: 11n, discountMinor: 150n }],
  totalFees: usd(150n),
  totalTaxes: usd(11n),
  totalAmount: usd(10_161n),
  inclusive: false,
  middleRate: "1600.005",
  markup: { tenantBps: 10, agentBps: 5, promotionBps: 5 },
  exchangeRate: "1598.405",
  originCountry: "USA",
  receivingCountry: "NGA",
  type: "DELIVERY_METHOD_ACCOUNTPAYMENT",
  chargeCategory: "STANDARD",
  promoCode: "FIRST",
  deliveryMinutes: 30,
  createdAt: at,
  expiresAt: new Date("2026-11-21T10:30:00.000Z"),
};

const sampleCorridor: WirePartial<Corridor> = {
  originCountry: "USA",
  sendCurrency: "USD",
  receivingCountry: "NGA",
  receivingCurrency: "NGN",
  deliveryMethods: ["DELIVERY_METHOD_ACCOUNTPAYMENT"],
  minimumMinor: 100n,
  maximumMinor: 1_000_000n,
  fees: [
    {
      name: "Transfer fee",
      fixedMinor: 200n,
      maximumMinor: 2_500n,
      tiers: [{ fromMinor: 100_000n, fixedMinor: 0n, rateBps: 25 }],
      category: "EXPRESS",
    },
  ],
  deliveries: [
    { method: "DELIVERY_METHOD_ACCOUNTPAYMENT", partner: "sandbox", estimateMinutes: 30, minimumMinor: 500n },
  ],
  enabled: true,
  version: 3,
};

const sampleMarkup: WirePartial<Markup> = { owner: "TENANT", rateBps: 50, feeBps: 10, version: 1 };

const samplePromotion: WirePartial<Promotion> = {
  code: "FIRST",
  feeDiscountBps: 5_000,
  validFrom: at,
  validUntil: new Date("2027-11-21T10:15:00.000Z"),
  maxUses: 10,
  minimum: usd(1_000n),
  receivingCountries: ["NGA"],
  enabled: true,
  version: 1,
  uses: 2,
};

const samplePoint: WirePartial<PayoutPoint> = {
  pointId: "p-1",
  code: "NG-GTB",
  name: "Guaranty Trust Bank",
  type: "PAYOUT_POINT_TYPE_BANK",
  country: "NGA",
  currency: "NGN",
  city: "Lagos",
  minimumMinor: 100n,
  maximumMinor: 10_000_000n,
  allocatedTo: "TENANT",
  enabled: true,
  version: 1,
};

const sampleBranch: WirePartial<Branch> = {
  code: "LAG-1",
  name: "Lagos Island",
  country: "NGA",
  allocatedTo: "TENANT",
  enabled: true,
  version: 1,
};

const sampleRefund: WirePartial<Refund> = {
  refundId: "r-1",
  amount: usd(500n),
  status: "ASKED",
  reason: "late",
  askedBy: "user-1",
  askedAt: at,
  approvalId: "ap-1",
};

const sampleOutcome = {
  outcomeId: "outcome-1",
  outcome: "RETURNED",
  kept: { amountMinor: 100n, currency: "NGN" },
  reason: "The bank says so",
  askedBy: "manager-1",
  askedAt: at,
  approvalId: "approval-1",
};

export const remittanceSamples = {
  listTransactions: async () => ({ transactions: [sampleTransaction], nextCursor: "1.tx-1" }),
  updateTransactionStatus: async () => ({ transaction: sampleTransaction }),
  askPayoutOutcome: async () => ({ outcome: sampleOutcome, approvalStatus: "PENDING" }),
  listTransactionEntries: async () => ({ entries: [sampleEntry], nextCursor: "100" }),
  requestRefund: async () => ({ refund: sampleRefund, approvalStatus: "APPROVED" }),
  issuePickupCode: async () => ({ code: "ABCDE-FGHJK", transactionCode: "MN-1" }),
  getReceipt: async () => ({
    transaction: { ...sampleTransaction, refundedAmount: usd(500n), refunds: [sampleRefund] },
    paidAt: at,
    organisation: "Demo",
    pdf: Buffer.from("%PDF-1.3"),
  }),
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
  createBeneficiary: async () => ({ beneficiary: sampleBeneficiary }),
  changeBeneficiary: async () => ({ beneficiary: sampleBeneficiary }),
  removeBeneficiary: async () => ({}),
  listCorridors: async () => ({ corridors: [sampleCorridor] }),
  putCorridor: async () => ({ corridor: sampleCorridor }),
  loadCorridors: async () => ({ lines: 3, created: 1, changed: 2 }),
  loadRates: async () => ({ lines: 2, created: 1, faults: [{ line: 3, column: "exchangeRate", message: "is odd" }] }),
  getExchangeRate: async () => ({ rate: "1600.005", source: "desk", validFrom: at, validUntil: at }),
  listRates: async () => ({
    rates: [
      {
        rateId: "r-1",
        sendCurrency: "USD",
        receivingCurrency: "NGN",
        rate: "1600.005",
        source: "desk",
        validFrom: at,
        createdAt: at,
        createdBy: "user-1",
        sequence: 1,
      },
    ],
  }),
  putRate: async () => ({ rateId: "r-1" }),
  listChanges: async () => ({
    changes: [{ version: 1, changedAt: at, changedBy: "user-1", content: { enabled: true } }],
  }),
  putMarkup: async () => ({ markup: sampleMarkup }),
  listMarkups: async () => ({ markups: [sampleMarkup] }),
  putPromotion: async () => ({ promotion: samplePromotion }),
  listPromotions: async () => ({ promotions: [samplePromotion] }),
  putPayoutPoint: async () => ({ point: samplePoint }),
  loadPayoutPoints: async () => ({ lines: 2, created: 1, faults: [{ line: 3, column: "type", message: "is odd" }] }),
  listPayoutPoints: async () => ({
    points: [
      {
        point: samplePoint,
        pricing: {
          principal: usd(10_000n),
          derive: { amountMinor: 16_000_050n, currency: "NGN" },
          exchangeRate: "1600.005",
          fees: [{ name: "Transfer fee", amount: usd(150n), taxMinor: 11n }],
          totalAmount: usd(10_161n),
          deliveryMinutes: 30,
        },
      },
    ],
    nextCursor: "NG-GTB",
  }),
  putBranch: async () => ({ branch: sampleBranch }),
  listBranches: async () => ({ branches: [sampleBranch], nextCursor: "" }),
  createQuote: async () => ({ quote: sampleQuote }),
  getQuote: async () => ({ quote: sampleQuote }),
} satisfies Edge["fakes"]["remittance"];
