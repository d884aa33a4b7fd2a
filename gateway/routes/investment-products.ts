import { z } from "zod";
import type { Dividend as WireDividend, Product as WireProduct } from "../../proto/gen/investment/v1/investment.js";
import { outgoing } from "../../services/shared/grpc/client.js";
import { formatMoney, money, moneyToWire, parseMoney } from "../../services/shared/money.js";
import { route } from "../route.js";
import {
  currencyCode,
  decimalText,
  instant,
  integer,
  maybe,
  moneyTextOrNumberIn,
  text,
  wholeNumberIn,
} from "../schema.js";
import { absentIfEmpty, filled, moneyText, timeText } from "../wire.js";
import { everyRole, v1User } from "./base.js";
import { cursorQuery, nextCursorOf, pageOf } from "./compliance-pages.js";

const base = `${v1User}/investment-products`;
// As many units as a JSON number carries exactly.
const maxUnits = 999_999_999_999_999;
const highestBps = 10_000;

export const uuidIn = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, "must be a UUID");
export const unitsIn = wholeNumberIn(1, maxUnits);
const percentIn = moneyTextOrNumberIn.meta({ description: "Percent a year." });
const dateIn = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d$/, "must be a date, YYYY-MM-DD")
  .meta({ format: "date" });
export const dateOut = z.string().meta({ format: "date" });

const penaltyKinds = ["NONE", "INTEREST_SHARE", "PRINCIPAL_SHARE", "RATE_REDUCTION"] as const;
const compoundings = ["NONE", "DAY", "MONTH", "QUARTER", "HALF_YEAR", "YEAR"] as const;
const dayCounts = ["ACT_365", "ACT_360", "ACT_ACT", "THIRTY_360"] as const;
const payouts = ["AT_MATURITY", "MONTH", "QUARTER", "HALF_YEAR", "YEAR"] as const;
const reinvestments = ["NONE", "PRINCIPAL", "ALL"] as const;

const InvestmentProductRequest = z
  .object({
    name: text(120),
    description: maybe(text(2_000, 0)),
    currency: currencyCode,
    unitPrice: moneyTextOrNumberIn,
    unitsOffered: unitsIn,
    minimumUnits: maybe(unitsIn).meta({ description: "Of one application; 1 when absent." }),
    maximumUnitsPerCustomer: maybe(unitsIn).meta({ description: "Held at a time; unitsOffered when absent." }),
    tiers: z
      .array(z.object({ from: moneyTextOrNumberIn, ratePercent: percentIn }))
      .min(1)
      .max(50)
      .meta({ description: "Rates by the amount invested, ascending, the first from 0; one tier is a fixed rate." }),
    compounding: z.enum(compoundings),
    dayCount: z.enum(dayCounts),
    termMonths: maybe(wholeNumberIn(0, 600)),
    termDays: maybe(wholeNumberIn(0, 18_300)),
    lockInDays: maybe(wholeNumberIn(0, 18_300)),
    penalty: maybe(
      z.object({
        kind: z.enum(penaltyKinds),
        bps: maybe(wholeNumberIn(0, highestBps)),
        percent: maybe(moneyTextOrNumberIn),
      }),
    ),
    payout: z.enum(payouts),
    reinvestment: maybe(z.enum(reinvestments)),
    withholdingTaxBps: maybe(wholeNumberIn(0, highestBps)),
    status: maybe(z.enum(["OPEN", "CLOSED"])),
  })
  .meta({ id: "InvestmentProductRequest" });

const InvestmentProduct = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().optional(),
    currency: z.string(),
    unitPrice: decimalText,
    unitsOffered: integer,
    unitsLeft: integer,
    minimumUnits: integer,
    maximumUnitsPerCustomer: integer,
    tiers: z.array(z.object({ from: decimalText, ratePercent: decimalText })),
    compounding: z.string(),
    dayCount: z.string(),
    termMonths: z.number(),
    termDays: z.number(),
    lockInDays: z.number(),
    penalty: z.object({ kind: z.string(), bps: z.number().optional(), percent: decimalText.optional() }),
    payout: z.string(),
    reinvestment: z.string(),
    withholdingTaxBps: z.number(),
    status: z.string(),
    version: z.number(),
  })
  .meta({ id: "InvestmentProduct" });

const demoProduct = "7f8a2c10-5b1e-4c7e-9a3d-2f6b8d4e1a01";
const productParams = z.object({ productId: uuidIn });

const listInvestmentProducts = route({
  method: "get",
  path: base,
  operationId: "listInvestmentProducts",
  tag: "Investments",
  summary: "List what can be invested in, with the units that are left",
  access: everyRole,
  query: cursorQuery,
  answer: z.object({ products: z.array(InvestmentProduct), nextCursor: z.string().optional() }),
  message: "Investment products",
  example: { as: "amina@demo.example" },
  run: async ({ query, call, clients }) => {
    const page = await clients.investment.listProducts(pageOf(query), outgoing(call));
    return { products: page.products.map(productFromWire), ...nextCursorOf(page) };
  },
});

const readInvestmentProduct = route({
  method: "get",
  path: `${base}/:productId`,
  operationId: "readInvestmentProduct",
  tag: "Investments",
  summary: "Read an investment product as it is sold now",
  access: everyRole,
  params: productParams,
  answer: InvestmentProduct,
  message: "Investment product",
  example: { as: "amina@demo.example", params: { productId: demoProduct } },
  run: async ({ params, call, clients }) =>
    productFromWire((await clients.investment.getProduct(params, outgoing(call))).product),
});

const putInvestmentProduct = route({
  method: "put",
  path: `${base}/:productId`,
  operationId: "putInvestmentProduct",
  tag: "Investments",
  summary:
    "Create an investment product under a UUID of one's own, or a new version of it; what is held keeps its version",
  access: ["MANAGER"],
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
  run: async ({ params, body, call, clients }) => {
    const { currency, unitPrice, unitsOffered, tiers, penalty } = body;
    const minor = (given: string, path: string) => parseMoney(given, currency, path).minor;
    const product = {
      productId: params.productId,
      name: body.name,
      description: body.description ?? "",
      currency,
      unitPriceMinor: minor(unitPrice, "unitPrice"),
      unitsOffered: BigInt(unitsOffered),
      minimumUnits: BigInt(body.minimumUnits ?? 1),
      maximumUnitsPerCustomer: BigInt(body.maximumUnitsPerCustomer ?? unitsOffered),
      tiers: tiers.map(({ from, ratePercent }, index) => ({
        fromMinor: minor(from, `tiers.${index}.from`),
        ratePercent,
      })),
      compounding: body.compounding,
      dayCount: body.dayCount,
      termMonths: body.termMonths ?? 0,
      termDays: body.termDays ?? 0,
      lockInDays: body.lockInDays ?? 0,
      penalty: { kind: penalty?.kind ?? "NONE", bps: penalty?.bps ?? 0, percent: penalty?.percent ?? "" },
      payout: body.payout,
      reinvestment: body.reinvestment ?? "NONE",
      withholdingTaxBps: body.withholdingTaxBps ?? 0,
      status: body.status ?? "OPEN",
    };
    return productFromWire((await clients.investment.putProduct({ product }, outgoing(call))).product);
  },
});

const Dividend = z
  .object({
    dividendId: z.string(),
    productId: z.string(),
    from: dateOut,
    to: dateOut,
    amount: decimalText,
    currency: z.string(),
    status: z.enum(["DECLARED", "PAYING", "PAID"]),
    holdings: integer,
    paidAmount: decimalText.meta({ description: "Before tax." }),
    taxAmount: decimalText,
    failedAmount: decimalText.meta({
      description: "Shares whose wallet is closed: owed until another wallet is named.",
    }),
    failedHoldingIds: z.array(z.string()).meta({ description: "Whose shares these are, 100 at most." }),
    declaredAt: instant,
  })
  .meta({ id: "InvestmentDividend" });

const declareInvestmentDividend = route({
  method: "post",
  path: `${base}/:productId/dividends`,
  operationId: "declareInvestmentDividend",
  tag: "Investments",
  summary:
    "Share an amount among the holders of a product by the days that they held units, and pay it into their wallets",
  access: ["MANAGER"],
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
  answer: Dividend,
  message: "Dividend declared",
  renames: { idempotencyKey: "headers.x-idempotency-key" },
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "dividend-2026-q3" },
    params: { productId: demoProduct },
    body: { from: "2026-01-01", to: "2026-04-01", amount: "100.00", currency: "USD" },
  },
  run: async ({ params, body, headers, call, clients }) => {
    const { from, to } = body;
    const request = {
      idempotencyKey: headers["x-idempotency-key"] ?? "",
      productId: params.productId,
      from,
      to,
      amount: moneyToWire(parseMoney(body.amount, body.currency, "amount")),
    };
    const answer = await clients.investment.declareDividend(request, outgoing(call, { onReplayed: call.markReplayed }));
    return dividendFromWire(answer.dividend);
  },
});

const readInvestmentDividend = route({
  method: "get",
  path: `${v1User}/dividends/:dividendId`,
  operationId: "readInvestmentDividend",
  tag: "Investments",
  summary: "Read how far a dividend is paid",
  access: ["MANAGER"],
  params: z.object({ dividendId: uuidIn }),
  answer: Dividend,
  message: "Dividend",
  example: {
    as: "manager@demo.example",
    params: { dividendId: "0199d0c2-0000-7000-8000-000000000002" },
    from: { "params.dividendId": "declareInvestmentDividend data.dividendId" },
  },
  run: async ({ params, call, clients }) =>
    dividendFromWire((await clients.investment.getDividend(params, outgoing(call))).dividend),
});

/** What can be invested in, and what managers do with it. */
export const investmentProductRoutes = [
  listInvestmentProducts,
  readInvestmentProduct,
  putInvestmentProduct,
  declareInvestmentDividend,
  readInvestmentDividend,
];

function productFromWire(wire: WireProduct | undefined): z.output<typeof InvestmentProduct> {
  const product = filled(wire, "product");
  const { currency, penalty } = product;
  const amount = (minor: bigint) => formatMoney(money(minor, currency));
  const { kind, bps, percent } = filled(penalty, "product.penalty");
  return {
    id: product.productId,
    name: product.name,
    description: absentIfEmpty(product.description),
    currency,
    unitPrice: amount(product.unitPriceMinor),
    unitsOffered: product.unitsOffered,
    unitsLeft: product.unitsLeft,
    minimumUnits: product.minimumUnits,
    maximumUnitsPerCustomer: product.maximumUnitsPerCustomer,
    tiers: product.tiers.map(({ fromMinor, ratePercent }) => ({ from: amount(fromMinor), ratePercent })),
    compounding: product.compounding,
    dayCount: product.dayCount,
    termMonths: product.termMonths,
    termDays: product.termDays,
    lockInDays: product.lockInDays,
    penalty: {
      kind,
      ...(kind.endsWith("_SHARE") && { bps }),
      ...(percent !== "" && { percent }),
    },
    payout: product.payout,
    reinvestment: product.reinvestment,
    withholdingTaxBps: product.withholdingTaxBps,
    status: product.status,
    version: product.version,
  };
}

function dividendFromWire(wire: WireDividend | undefined): z.output<typeof Dividend> {
  const dividend = filled(wire, "dividend");
  const { dividendId, productId, from, to, status, holdings } = dividend;
  return {
    dividendId,
    productId,
    from,
    to,
    amount: moneyText(dividend.amount, "dividend.amount"),
    currency: filled(dividend.amount, "dividend.amount").currency,
    status: status as "DECLARED",
    holdings,
    paidAmount: moneyText(dividend.paid, "dividend.paid"),
    taxAmount: moneyText(dividend.tax, "dividend.tax"),
    failedAmount: moneyText(dividend.failed, "dividend.failed"),
    failedHoldingIds: dividend.failedHoldingIds,
    declaredAt: timeText(dividend.declaredAt, "dividend.declared_at"),
  };
}
