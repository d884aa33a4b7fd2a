import type { Operation } from "./operations.js";

const v6 = "/api/v6/services";

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
export const rates = "/transactionmanagement/exchange-rates";

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
  kind: "PERSON",
  dateOfBirth: "1988-03-14",
  nationality: "NGA",
  address: { lines: ["7 Broad Street"], city: "Lagos", region: "", postalCode: "101231", country: "NGA" },
};

export const remittanceOperations: readonly Operation[] = [
  operation("list transactions", "/transactionmanagement/transactions", everyone, { method: "GET" }),
  operation("update status", "/transactionmanagement/transactions/{transactionId}/status", desk, {
    method: "PUT",
    path: "/transactionmanagement/transactions/tx-1/status",
    headers,
    body: { status: "EXPIRED", reason: "not paid" },
  }),
  {
    ...operation(
      "ask payout outcome",
      "/transactionmanagement/transactions/{transactionId}/payout-outcome",
      ["MANAGER"],
      {
        method: "POST",
        path: "/transactionmanagement/transactions/tx-1/payout-outcome",
        body: { outcome: "RETURNED", kept: "1.00", reason: "The bank says so" },
        headers,
      },
    ),
    answers: 202,
  },
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
  operation(
    "transaction entries",
    "/transactionmanagement/transactions/{transactionId}/entries",
    ["MANAGER", "AGENT", "CASHIER"],
    { method: "GET", path: "/transactionmanagement/transactions/tx-1/entries?size=100" },
  ),
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
