import { z } from "zod";
import type { Product as WireProduct } from "../../proto/gen/investment/v1/investment.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { formatMoney, money, parseMoney } from "../../services/kernel/money.js";
import { route } from "../route.js";
import { currencyCode, decimalText, integer, maybe, moneyTextOrNumberIn, text, wholeNumberIn } from "../schema.js";
import { absentIfEmpty, filled } from "../wire.js";
import { everyRole, v1User } from "./base.js";
import { cursorQuery, nextCursorOf, pageOf } from "./cursor-pages.js";
import { uuidIn, unitsIn, demoProduct } from "./investment-shapes.js";

export const base = `${v1User}/investment-products`;

const maxBps = 10_000;

const percentIn = moneyTextOrNumberIn.meta({ description: "Percent a year." });

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
        bps: maybe(wholeNumberIn(0, maxBps)),
        percent: maybe(moneyTextOrNumberIn),
      }),
    ),
    payout: z.enum(payouts),
    reinvestment: maybe(z.enum(reinvestments)),
    withholdingTaxBps: maybe(wholeNumberIn(0, maxBps)),
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
    termMonths: z.int(),
    termDays: z.int(),
    lockInDays: z.int(),
    penalty: z.object({ kind: z.string(), bps: z.int().optional(), percent: decimalText.optional() }),
    payout: z.string(),
    reinvestment: z.string(),
    withholdingTaxBps: z.int(),
    status: z.string(),
    version: z.int(),
  })
  .meta({ id: "InvestmentProduct" });

export const productParams = z.object({ productId: uuidIn });

export const listInvestmentProducts = route({
  method: "get",
  path: base,
  operationId: "listInvestmentProducts",
  tag: "Investments",
  summary: "List what can be invested in, with the units that are left",
  access: everyRole,
  scopes: ["investments:read", "investments:make"],
  query: cursorQuery,
  answer: z.object({ products: z.array(InvestmentProduct), nextCursor: z.string().optional() }),
  message: "Investment products",
  example: { as: "amina@demo.example" },
  run: async ({ query, call, clients }) => {
    const page = await clients.investment.listProducts(pageOf(query), outgoing(call));
    return { products: page.products.map(productFromWire), ...nextCursorOf(page) };
  },
});

export const readInvestmentProduct = route({
  method: "get",
  path: `${base}/:productId`,
  operationId: "readInvestmentProduct",
  tag: "Investments",
  summary: "Read an investment product as it is sold now",
  access: everyRole,
  scopes: ["investments:read", "investments:make"],
  params: productParams,
  answer: InvestmentProduct,
  message: "Investment product",
  example: { as: "amina@demo.example", params: { productId: demoProduct } },
  run: async ({ params, call, clients }) =>
    productFromWire((await clients.investment.getProduct(params, outgoing(call))).product),
});

export const putInvestmentProduct = route({
  method: "put",
  path: `${base}/:productId`,
  operationId: "putInvestmentProduct",
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
