import { z } from "zod";
import { writerOf } from "../codec.js";
import { operation } from "../operation.js";
import { currencyCode, moneyTextOrNumberIn, cursorQuery, dateIn } from "../schema.js";
import { InvestmentDividend, InvestmentProduct, InvestmentProductRequest } from "../shapes/investment-products.js";
import { demoProduct, uuidIn } from "../shapes/investments.js";
import { everyRole, v1User } from "../route.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

export const base = `${v1User}/investment-products`;

const productParams = z.object({ productId: uuidIn });

export const listInvestmentProducts = operation({
  method: "get",
  path: base,
  tag: "Investments",
  summary: "List what can be invested in, with the units that are left",
  access: everyRole,
  scopes: ["investments:read", "investments:make"],
  query: cursorQuery,
  answer: z.object({ products: z.array(InvestmentProduct), nextCursor: leaf.nextCursor.optional() }),
  message: "Investment products",
  example: { as: "amina@demo.example" },
  rpc: "investment.listProducts",
});

export const readInvestmentProduct = operation({
  method: "get",
  path: `${base}/:productId`,
  tag: "Investments",
  summary: "Read an investment product as it is sold now",
  access: everyRole,
  scopes: ["investments:read", "investments:make"],
  params: productParams,
  answer: InvestmentProduct,
  message: "Investment product",
  example: { as: "amina@demo.example", params: { productId: demoProduct } },
  rpc: "investment.getProduct",
});

const productOf = writerOf(InvestmentProductRequest);

export const putInvestmentProduct = operation({
  method: "put",
  path: `${base}/:productId`,
  tag: "Investments",
  summary:
    "Create an investment product under a UUID of one's own, or a new version of it; what is held keeps its version",
  access: ["MANAGER"],
  scopes: ["settings:write"],
  params: productParams,
  body: InvestmentProductRequest,
  answer: InvestmentProduct,
  message: "Investment product stored",
  renames: { fromMinor: "from" },
  example: {
    as: "manager@demo.example",
    params: { productId: "7f8a2c10-5b1e-4c7e-9a3d-2f6b8d4e1aff" },
    body: {
      name: "Two-year note",
      currency: "USD",
      unitPrice: "50.00",
      unitsOffered: 10_000,
      tiers: [
        { from: "0", ratePercent: "5.5" },
        { from: "10000", ratePercent: "6" },
      ],
      compounding: "QUARTER",
      dayCount: "ACT_365",
      termMonths: 24,
      lockInDays: 30,
      penalty: { kind: "INTEREST_SHARE", bps: 5_000 },
      payout: "AT_MATURITY",
      withholdingTaxBps: 1_000,
    },
  },
  rpc: "investment.putProduct",
  asks: ({ params, body }) => {
    const product = productOf({ ...body, maximumUnitsPerCustomer: body.maximumUnitsPerCustomer ?? body.unitsOffered });
    return { product: { ...product, ...params } };
  },
});

export const declareInvestmentDividend = operation({
  method: "post",
  path: `${base}/:productId/dividends`,
  tag: "Investments",
  summary:
    "Share an amount among the holders of a product by the days that they held units, and pay it into their wallets",
  access: ["MANAGER"],
  peopleOnly: "judgement",
  headers: { idempotencyKey: "required" },
  params: productParams,
  body: z
    .object({
      from: dateIn,
      to: dateIn.meta({ description: "The first day that does not count; today at the latest." }),
      amount: moneyTextOrNumberIn,
      currency: currencyCode,
    })
    .meta({ id: "InvestmentDividendRequest" }),
  answer: InvestmentDividend,
  message: "Dividend declared",
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "dividend-2026-q3" },
    params: { productId: demoProduct },
    body: { from: "2026-01-01", to: "2026-04-01", amount: "100.00", currency: "USD" },
  },
  rpc: "investment.declareDividend",
  fields: { currency: "amount.currency" },
});

export const readInvestmentDividend = operation({
  method: "get",
  path: `${v1User}/dividends/:dividendId`,
  tag: "Investments",
  summary: "Read how far a dividend is paid",
  access: ["MANAGER"],
  scopes: ["investments:read"],
  params: z.object({ dividendId: uuidIn }),
  answer: InvestmentDividend,
  message: "Dividend",
  example: {
    as: "manager@demo.example",
    params: { dividendId: "0199d0c2-0000-7000-8000-000000000002" },
    from: { "params.dividendId": "declareInvestmentDividend data.dividendId" },
  },
  rpc: "investment.getDividend",
});
