import type {
  Application,
  Dividend,
  Holding,
  Movement,
  Product,
  Redemption,
  Returns,
} from "../../proto/gen/investment/v1/investment.js";
import type { WirePartial } from "../../services/kernel/grpc/definition.js";
import type { Edge } from "./edge.js";
import type { Operation } from "./operations.js";

const v1 = "/api/v1/user";
const at = new Date("2026-11-21T10:15:00.000Z");
const usd = (amountMinor: bigint) => ({ amountMinor, currency: "USD" });
const uuid = (last: number) => `0199d0c2-0000-7000-8000-00000000000${last}`;

const product: WirePartial<Product> = {
  productId: uuid(1),
  name: "Fixed deposit",
  currency: "USD",
  unitPriceMinor: 10_000n,
  unitsOffered: 999_999_999_999_999n,
  minimumUnits: 1n,
  maximumUnitsPerCustomer: 500n,
  tiers: [
    { fromMinor: 0n, ratePercent: "5.5" },
    { fromMinor: 1_000_000n, ratePercent: "6" },
  ],
  compounding: "MONTH",
  dayCount: "ACT_365",
  termMonths: 12,
  lockInDays: 30,
  penalty: { kind: "RATE_REDUCTION", percent: "2" },
  payout: "AT_MATURITY",
  reinvestment: "NONE",
  withholdingTaxBps: 1_000,
  status: "OPEN",
  version: 3,
  unitsLeft: 999n,
};
const application: WirePartial<Application> = {
  applicationId: uuid(2),
  productId: uuid(1),
  productName: "Fixed deposit",
  customerId: uuid(3),
  customerName: "Ada Obi",
  walletAccountId: uuid(4),
  units: 2n,
  unitPrice: usd(10_000n),
  total: usd(20_000n),
  status: "COMPLETED",
  holdingId: uuid(2),
  maturityDate: "2027-11-21",
  expectedReturn: usd(1_100n),
  createdAt: at,
};
const holding: WirePartial<Holding> = {
  holdingId: uuid(2),
  applicationId: uuid(2),
  productId: uuid(1),
  productVersion: 3,
  productName: "Fixed deposit",
  customerId: uuid(3),
  walletAccountId: uuid(4),
  status: "ACTIVE",
  units: 2n,
  unitPrice: usd(10_000n),
  principal: usd(20_000n),
  accruedInterest: usd(17n),
  ratePercent: "5.5",
  purchasedOn: "2026-11-21",
  termStart: "2026-11-21",
  lockedUntil: "2026-12-21",
  interestThrough: "2026-11-27",
};
const returns: WirePartial<Returns> = {
  invested: usd(20_000n),
  currentValue: usd(20_017n),
  grossGain: usd(17n),
  netGain: usd(17n),
  timeWeightedInvestment: usd(20_000n),
  grossReturn: "0.000850",
  netReturn: "0.000850",
  daysInvested: 6,
  xirr: "0.053000",
};
const redemption: WirePartial<Redemption> = {
  redemptionId: uuid(5),
  holdingId: uuid(2),
  units: 1n,
  principal: usd(10_000n),
  interest: usd(8n),
  penalty: usd(4n),
  tax: usd(0n),
  paid: usd(10_004n),
  unitsLeft: 1n,
  walletAccountId: uuid(4),
  redeemedAt: at,
};
const movement: WirePartial<Movement> = {
  movementId: uuid(2),
  kind: "PURCHASE",
  date: "2026-11-21",
  units: 2n,
  principal: usd(20_000n),
  interest: usd(0n),
  penalty: usd(0n),
  tax: usd(0n),
  paid: usd(-20_000n),
  unitsAfter: 2n,
  principalAfter: usd(20_000n),
  bookedAt: at,
};
const dividend: WirePartial<Dividend> = {
  dividendId: uuid(6),
  productId: uuid(1),
  from: "2026-01-01",
  to: "2026-04-01",
  amount: usd(10_000n),
  status: "PAYING",
  holdings: 3n,
  paid: usd(5_000n),
  tax: usd(500n),
  failed: usd(0n),
  declaredAt: at,
};

/** What the played service answers. */
export const investmentSamples: Edge["fakes"]["investment"] = {
  putProduct: async () => ({ product }),
  getProduct: async () => ({ product }),
  listProducts: async () => ({ products: [product], nextCursor: "next" }),
  apply: async () => ({ application }),
  getApplication: async () => ({
    application: {
      ...application,
      status: "REFUSED",
      complianceDecision: "REVIEW",
      waitsUntil: "2026-12-21",
      refusalCode: "UNITS_SOLD_OUT",
      refusalMessage: "the product is sold out",
    },
  }),
  listApplications: async () => ({ applications: [application], nextCursor: "next" }),
  withdrawApplication: async () => ({ application: { ...application, status: "WITHDRAWN" } }),
  setPayoutWallet: async () => ({ holding: { ...holding, unpaidSince: "2027-11-21", unpaidCode: "ACCOUNT_CLOSED" } }),
  listHoldings: async () => ({ holdings: [holding] }),
  getHolding: async () => ({ holding, returns }),
  redeemHolding: async () => ({ redemption }),
  listMovements: async () => ({ movements: [movement] }),
  getTotals: async () => ({
    invested: usd(900_719_925_474_099_301n),
    accruedInterest: usd(1_234n),
    rates: [{ fromCurrency: "EUR", toCurrency: "USD", rate: "1.08", source: "test", validFrom: at }],
  }),
  declareDividend: async () => ({ dividend }),
  getDividend: async () => ({ dividend }),
};

const keyed = { "x-idempotency-key": "key-1" };
const everyone: Operation["roles"] = ["MANAGER", "AGENT", "CASHIER", "CUSTOMER"];
const whoSees: Operation["roles"] = ["MANAGER", "AGENT", "CUSTOMER"];

function operation(
  name: string,
  path: string,
  roles: Operation["roles"],
  request: Partial<Operation["request"]> & { method: string },
): Operation {
  const filled = path.replace("{productId}", uuid(1)).replace("{holdingId}", uuid(2));
  const named = filled.replace("{userId}", uuid(7)).replace("{applicationId}", uuid(2));
  const known = named.replace("{dividendId}", uuid(6));
  return { name, path, roles, request: { path: known, ...request } };
}

/** A right request for every operation of investments. */
export const investmentOperations: readonly Operation[] = [
  operation("investment products", `${v1}/investment-products`, everyone, { method: "GET" }),
  operation("investment product", `${v1}/investment-products/{productId}`, everyone, { method: "GET" }),
  operation("put investment product", `${v1}/investment-products/{productId}`, ["MANAGER"], {
    method: "PUT",
    body: {
      name: "Fixed deposit",
      currency: "USD",
      unitPrice: "100.00",
      unitsOffered: 1_000,
      tiers: [{ from: "0", ratePercent: "5.5" }],
      compounding: "MONTH",
      dayCount: "ACT_365",
      termMonths: 12,
      payout: "AT_MATURITY",
    },
  }),
  operation("declare dividend", `${v1}/investment-products/{productId}/dividends`, ["MANAGER"], {
    method: "POST",
    headers: keyed,
    body: { from: "2026-01-01", to: "2026-04-01", amount: "100.00", currency: "USD" },
  }),
  operation("dividend", `${v1}/dividends/{dividendId}`, ["MANAGER"], { method: "GET" }),
  operation("apply for investment", `${v1}/apply`, ["CUSTOMER"], {
    method: "POST",
    headers: keyed,
    body: {
      investmentProductId: uuid(1),
      numberOfUnitsToPurchase: 2,
      userWalletId: uuid(4),
      customerId: uuid(3),
      customerName: "Ada Obi",
    },
  }),
  operation("investment applications", `${v1}/investment-applications`, whoSees, { method: "GET" }),
  operation("investment application", `${v1}/investment-applications/{applicationId}`, whoSees, { method: "GET" }),
  operation("withdraw investment application", `${v1}/investment-applications/{applicationId}/withdraw`, ["CUSTOMER"], {
    method: "POST",
    headers: keyed,
  }),
  operation("set investment wallet", `${v1}/investments/{holdingId}/wallet`, ["MANAGER", "CUSTOMER"], {
    method: "PUT",
    headers: keyed,
    body: { userWalletId: uuid(4) },
  }),
  operation("total investments", `${v1}/get-total/{userId}`, whoSees, { method: "GET" }),
  operation("investments", `${v1}/investments`, whoSees, { method: "GET" }),
  operation("investment", `${v1}/investments/{holdingId}`, whoSees, { method: "GET" }),
  operation("redeem investment", `${v1}/investments/{holdingId}/redeem`, ["CUSTOMER"], {
    method: "POST",
    headers: keyed,
    body: { numberOfUnits: 1 },
  }),
  operation("investment statement", `${v1}/investments/{holdingId}/statement`, whoSees, { method: "GET" }),
];
