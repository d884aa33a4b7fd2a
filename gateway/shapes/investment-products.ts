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
} from "../schema.js";
import { unitsIn } from "./investments.js";

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
  z.object({ kind: z.string(), bps: z.int().optional(), percent: decimalText.optional() }),
  {
    // A share of nothing is shown too.
    bps: { from: ({ kind, bps }) => (kind.endsWith("_SHARE") ? bps : undefined), to: (bps) => ({ bps }) },
  },
);

export const InvestmentProduct = shape(
  wire.Product,
  z
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
      tiers: z.array(shape(wire.RateTier, z.object({ from: decimalText, ratePercent: decimalText }))),
      compounding: z.string(),
      dayCount: z.string(),
      termMonths: z.int(),
      termDays: z.int(),
      lockInDays: z.int(),
      penalty: Penalty,
      payout: z.string(),
      reinvestment: z.string(),
      withholdingTaxBps: z.int(),
      status: z.string(),
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
      productId: z.string(),
      from: date,
      to: date,
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
    .meta({ id: "InvestmentDividend" }),
  {
    currency: "amount.currency",
    paidAmount: "paid",
    taxAmount: "tax",
    failedAmount: "failed",
  },
);
