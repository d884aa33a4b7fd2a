import type { Quote } from "../../proto/gen/remittance/v1/remittance.js";
import type { WirePartial } from "../../services/shared/grpc/definition.js";
import type { Edge } from "./edge.js";
import type { Operation } from "./operations.js";

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

function operation(
  name: string,
  path: string,
  roles: Operation["roles"],
  request: Partial<Operation["request"]> & { method: string },
): Operation {
  return { name, path: `${v6}${path}`, roles, request: { ...request, path: `${v6}${request.path ?? path}` } };
}

/** Right requests for the operations around transfers. */
export const remittanceOperations: readonly Operation[] = [
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
  createQuote: async () => ({ quote: sampleQuote }),
  getQuote: async () => ({ quote: sampleQuote }),
} satisfies Edge["fakes"]["remittance"];
