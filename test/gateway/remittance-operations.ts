import type {
  Branch,
  Corridor,
  Markup,
  PayoutPoint,
  Promotion,
  Quote,
  Refund,
} from "../../proto/gen/remittance/v1/remittance.js";
import type { WirePartial } from "../../services/shared/grpc/definition.js";
import type { Edge } from "./edge.js";
import type { Operation } from "./operations.js";
import { sampleBeneficiary, sampleTransaction } from "./samples.js";

const v6 = "/api/v6/services";
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

function operation(
  name: string,
  path: string,
  roles: Operation["roles"],
  request: Partial<Operation["request"]> & { method: string },
): Operation {
  return { name, path: `${v6}${path}`, roles, request: { ...request, path: `${v6}${request.path ?? path}` } };
}

/** Right requests for the operations around transfers. */
const everyone: Operation["roles"] = ["MANAGER", "AGENT", "CASHIER", "CUSTOMER"];
const staff: Operation["roles"] = ["MANAGER", "AGENT"];
const pair = "sendCurrency=USD&receivingCurrency=NGN";
const rates = "/transactionmanagement/exchange-rates";

const keepers: Operation["roles"] = ["MANAGER", "CUSTOMER"];
const desk: Operation["roles"] = ["MANAGER", "AGENT", "CASHIER"];
const headers = { "x-idempotency-key": "key-1" };
const recipient = {
  firstName: "Bola",
  lastName: "Ade",
  country: "NG",
  currency: "NGN",
  deliveryMethods: ["ACCOUNTPAYMENT"],
  creditParty: [{ key: "bankaccountno", value: "0000014579" }],
};

export const remittanceOperations: readonly Operation[] = [
  operation("list transactions", "/transactionmanagement/transactions", everyone, { method: "GET" }),
  operation("update status", "/transactionmanagement/transactions/{transactionId}/status", desk, {
    method: "PUT",
    path: "/transactionmanagement/transactions/tx-1/status",
    headers,
    body: { status: "EXPIRED", reason: "not paid" },
  }),
  operation("request refund", "/transactionmanagement/transactions/{transactionId}/refunds", desk, {
    method: "POST",
    path: "/transactionmanagement/transactions/tx-1/refunds",
    headers,
    body: { amount: "5.00", reason: "late" },
  }),
  operation("pickup code", "/transactionmanagement/transactions/{transactionId}/pickup-code", ["CASHIER", "CUSTOMER"], {
    method: "POST",
    path: "/transactionmanagement/transactions/tx-1/pickup-code",
  }),
  operation("pay out cash", "/transactionmanagement/cash-pickups", ["CASHIER"], {
    method: "POST",
    headers,
    body: { transactionCode: "MN-1", pickupCode: "ABCDE-FGHJK" },
  }),
  operation("receipt", "/transactionmanagement/transactions/{transactionId}/receipt", everyone, {
    method: "GET",
    path: "/transactionmanagement/transactions/tx-1/receipt",
  }),
  operation(
    "payment methods",
    "/transactionmanagement/transactions/{transactionId}/payment-methods",
    ["MANAGER", "CASHIER", "CUSTOMER"],
    {
      method: "GET",
      path: "/transactionmanagement/transactions/tx-1/payment-methods",
    },
  ),
  operation("call-over report", "/admin/reports/call-over", staff, { method: "GET" }),
  operation("analytics report", "/admin/reports/analytics", staff, {
    method: "GET",
    path: "/admin/reports/analytics?from=2026-11-01&to=2026-11-30",
  }),
  operation("create beneficiary", "/usermanagement/beneficiaries", keepers, {
    method: "POST",
    headers,
    body: { ...recipient, code: "B1" },
  }),
  operation("change beneficiary", "/usermanagement/beneficiaries/{code}", keepers, {
    method: "PUT",
    path: "/usermanagement/beneficiaries/B1",
    headers,
    body: recipient,
  }),
  operation("remove beneficiary", "/usermanagement/beneficiaries/{code}/remove", keepers, {
    method: "POST",
    path: "/usermanagement/beneficiaries/B1/remove",
    headers,
  }),
  operation("list corridors", "/transactionmanagement/corridors", everyone, { method: "GET" }),
  operation("put corridor", "/transactionmanagement/corridors", ["MANAGER", "AGENT"], {
    method: "PUT",
    body: {
      originCountry: "US",
      sendCurrency: "USD",
      receivingCountry: "NG",
      receivingCurrency: "NGN",
      types: ["ACCOUNTPAYMENT"],
      minimumAmount: "1.00",
      maximumAmount: "10000.00",
      fees: [{ name: "Transfer fee", fixed: "2.00", tiers: [{ from: "1000.00", rateBps: 25 }], taxBps: 750 }],
      deliveries: [{ type: "ACCOUNTPAYMENT", partner: "sandbox", estimateMinutes: 30, minimumAmount: "5.00" }],
    },
  }),
  operation("current rate", `${rates}/current`, everyone, { method: "GET", path: `${rates}/current?${pair}` }),
  operation("list rates", rates, staff, { method: "GET", path: `${rates}?${pair}` }),
  operation("put rate", rates, ["MANAGER"], {
    method: "POST",
    body: { sendCurrency: "USD", receivingCurrency: "NGN", exchangeRate: "1600.005", source: "desk" },
  }),
  operation("load corridors", "/transactionmanagement/corridors/load", ["MANAGER", "AGENT"], {
    method: "POST",
    body: { csv: "originCountry,sendCurrency,receivingCountry,receivingCurrency\n" },
  }),
  operation("load rates", `${rates}/load`, ["MANAGER"], {
    method: "POST",
    body: { csv: "sendCurrency,receivingCurrency,exchangeRate\n" },
  }),
  operation("setting changes", "/transactionmanagement/setting-changes", staff, {
    method: "GET",
    path: "/transactionmanagement/setting-changes?kind=CORRIDOR&key=USA-USD-NGA-NGN",
  }),
  operation("put markup", "/transactionmanagement/markups", staff, { method: "PUT", body: { rateBps: 50 } }),
  operation("list markups", "/transactionmanagement/markups", staff, { method: "GET" }),
  operation("put promotion", "/transactionmanagement/promotions", ["MANAGER"], {
    method: "PUT",
    body: {
      code: "FIRST",
      feeDiscountBps: 5_000,
      validFrom: "2026-01-01T00:00:00Z",
      validUntil: "2027-01-01T00:00:00+01:00",
      minimumAmount: "10.00",
      minimumCurrency: "USD",
    },
  }),
  operation("list promotions", "/transactionmanagement/promotions", ["MANAGER"], { method: "GET" }),
  operation("payout points", "/branches/listallocatedpayoutpoints", everyone, {
    method: "POST",
    body: {
      paymentType: "BANK",
      principalAmount: 100,
      principalAmountCurrency: "USD",
      deriveAmountCurrency: "NGN",
      transactionType: { type: "ACCOUNTPAYMENT" },
      destinationCountry: "NG",
      tradeOriginatingCountry: "US",
      inverseCalculation: false,
      conversion: true,
    },
  }),
  operation("put payout point", "/branches/payout-points", ["MANAGER"], {
    method: "PUT",
    body: {
      code: "NG-GTB",
      name: "Guaranty Trust Bank",
      type: "BANK",
      country: "NG",
      currency: "NGN",
      maximumAmount: "100000.00",
    },
  }),
  operation("load payout points", "/branches/payout-points/load", ["MANAGER"], {
    method: "POST",
    body: { csv: "code,name,type,country,currency,maximumAmount\n" },
  }),
  operation("put branch", "/branches", ["MANAGER"], {
    method: "PUT",
    body: { code: "LAG-1", name: "Lagos Island", country: "NG" },
  }),
  operation("list branches", "/branches", everyone, { method: "GET" }),
  operation("create quote", "/transactionmanagement/quotes", ["CASHIER", "CUSTOMER"], {
    method: "POST",
    body: {
      sendAmount: "100.00",
      sendCurrency: "USD",
      receivingCurrency: "NGN",
      originCountry: "US",
      receivingCountry: "NG",
      type: "ACCOUNTPAYMENT",
      promoCode: "FIRST",
    },
  }),
  operation("read quote", "/transactionmanagement/quotes/{quoteId}", ["CASHIER", "CUSTOMER"], {
    method: "GET",
    path: "/transactionmanagement/quotes/q-1",
  }),
];

export const remittanceSamples = {
  listTransactions: async () => ({ transactions: [sampleTransaction], nextCursor: "1.tx-1" }),
  updateTransactionStatus: async () => ({ transaction: sampleTransaction }),
  requestRefund: async () => ({ refund: sampleRefund, approvalStatus: "APPROVED" }),
  issuePickupCode: async () => ({ code: "ABCDE-FGHJK", transactionCode: "MN-1" }),
  payOutCash: async () => ({
    transactionId: "tx-1",
    transactionCode: "MN-1",
    status: "COMPLETED",
    amount: { amountMinor: 16_000_050n, currency: "NGN" },
    recipientName: "Bola Ade",
    paidOutAt: at,
  }),
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
