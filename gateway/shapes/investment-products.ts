import { z } from "zod";
import * as wire from "../../proto/gen/investment/v1/investment.js";
import { date } from "../../services/platform/events/shapes/schema.js";
import { shape } from "../codec.js";
import {
  currencyCode,
  decimalText,
  instant,
  integer,
  maybe,
  moneyTextOrNumberIn,
  text,
  wholeNumberIn,
  shown,
} from "../schema.js";
import { unitsIn } from "./investments.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const maxBps = 10_000;

const percentIn = moneyTextOrNumberIn.meta({ description: "Percent a year." });

const penaltyKinds = ["NONE", "INTEREST_SHARE", "PRINCIPAL_SHARE", "RATE_REDUCTION"] as const;
const compoundings = ["NONE", "DAY", "MONTH", "QUARTER", "HALF_YEAR", "YEAR"] as const;
const dayCounts = ["ACT_365", "ACT_360", "ACT_ACT", "THIRTY_360"] as const;
const payouts = ["AT_MATURITY", "MONTH", "QUARTER", "HALF_YEAR", "YEAR"] as const;
const reinvestments = ["NONE", "PRINCIPAL", "ALL"] as const;

export const InvestmentProductRequest = shape(
  wire.Product,
  z
    .object({
      name: text(120),
      description: maybe(text(2_000, 0)),
      currency: currencyCode,
      unitPrice: moneyTextOrNumberIn,
      unitsOffered: unitsIn,
      minimumUnits: maybe(unitsIn).meta({ description: "Of one application; 1 when absent." }),
      maximumUnitsPerCustomer: maybe(unitsIn).meta({ description: "Held at a time; unitsOffered when absent." }),
      tiers: z
        .array(shape(wire.RateTier, z.object({ from: moneyTextOrNumberIn, ratePercent: percentIn })))
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
    .meta({ id: "InvestmentProductRequest" }),
  {
    minimumUnits: { field: "minimumUnits", absent: 1 },
    penalty: { field: "penalty", absent: { kind: "NONE", bps: undefined, percent: undefined } },
    reinvestment: { field: "reinvestment", absent: "NONE" },
    status: { field: "status", absent: "OPEN" },
  },
);

const Penalty = shape(
  wire.EarlyRedemptionPenalty,
  z.object({
    kind: shown(z.string(), "INTEREST_SHARE"),
    bps: shown(z.int(), 5000).optional(),
    percent: shown(decimalText, "25.00").optional(),
  }),
  {
    // A share of nothing is shown too.
    bps: { from: ({ kind, bps }) => (kind.endsWith("_SHARE") ? bps : undefined), to: (bps) => ({ bps }) },
  },
);

export const InvestmentProduct = shape(
  wire.Product,
  z
    .object({
      id: leaf.investmentProductId,
      name: leaf.productName,
      description: shown(
        z.string(),
        "Interest compounds each month and is paid with the deposit after a year.",
      ).optional(),
      currency: z.string(),
      unitPrice: shown(decimalText, "10.00"),
      unitsOffered: shown(integer, 100000),
      unitsLeft: leaf.unitsLeft,
      minimumUnits: integer,
      maximumUnitsPerCustomer: shown(integer, 50000),
      tiers: z.array(shape(wire.RateTier, z.object({ from: leaf.zero, ratePercent: leaf.ratePercent }))),
      compounding: shown(z.string(), "MONTH"),
      dayCount: leaf.dayCount,
      termMonths: shown(z.int(), 12),
      termDays: shown(z.int(), 365),
      lockInDays: shown(z.int(), 30),
      penalty: Penalty,
      payout: shown(z.string(), "MONTH"),
      reinvestment: shown(z.string(), "NONE"),
      withholdingTaxBps: shown(z.int(), 1000),
      status: shown(z.string(), "OPEN"),
      version: z.int(),
    })
    .meta({ id: "InvestmentProduct" }),
  { id: "productId" },
);

export const InvestmentDividend = shape(
  wire.Dividend,
  z
    .object({
      dividendId: z.string(),
      productId: leaf.productId,
      from: date,
      to: date,
      amount: decimalText,
      currency: z.string(),
      status: z.enum(["DECLARED", "PAYING", "PAID"]),
      holdings: integer,
      paidAmount: decimalText.meta({ description: "Before tax." }),
      taxAmount: leaf.tax,
      failedAmount: leaf.zero.meta({
        description: "Shares whose wallet is closed: owed until another wallet is named.",
      }),
      failedHoldingIds: z.array(z.string()).meta({ description: "Whose shares these are, 100 at most." }),
      declaredAt: instant,
    })
    .meta({ id: "InvestmentDividend" }),
  {
    currency: "amount.currency",
    paidAmount: "paid",
    taxAmount: "tax",
    failedAmount: "failed",
  },
);
