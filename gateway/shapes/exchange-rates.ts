import { z } from "zod";
import * as wire from "../../proto/gen/remittance/v1/remittance.js";
import { shape } from "../codec.js";
import {
  currencyCode,
  instant,
  instantIn,
  maybe,
  moneyTextOrNumberIn,
  text,
  shown,
  countryIn,
  decimalText,
  wholeNumberIn,
} from "../schema.js";
import { faultyLines } from "./payout-points.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

export const CurrentRate = z
  .object({
    exchangeRate: leaf.exchangeRate,
    source: leaf.source.optional(),
    validFrom: instant,
    validUntil: instant.optional(),
  })
  .meta({ id: "CurrentRate" });

export const Rate = shape(
  wire.Rate,
  z
    .object({
      id: shown(z.string(), "0199d0c2-0000-7000-8000-00000026c100"),
      sequence: z.int(),
      sendCurrency: z.string(),
      receivingCurrency: leaf.receivingCurrency,
      exchangeRate: leaf.exchangeRate,
      source: leaf.source.optional(),
      validFrom: instant,
      validUntil: instant.optional(),
      createdAt: instant,
      createdBy: leaf.userId,
    })
    .meta({ id: "Rate" }),
  { id: "rateId", exchangeRate: "rate" },
);

export const RateRequest = z
  .object({
    sendCurrency: currencyCode,
    receivingCurrency: currencyCode,
    exchangeRate: moneyTextOrNumberIn.meta({ description: "Of at most 12 significant digits." }),
    source: text(100),
    validFrom: maybe(instantIn).meta({ description: "Now when absent." }),
    validUntil: maybe(instantIn).meta({ description: "Without an end when absent." }),
  })
  .meta({ id: "RateRequest" });

export const RateLoadReport = z
  .object({ lines: z.int(), created: z.int(), unchanged: z.int(), faults: faultyLines })
  .meta({ id: "RateLoadReport" });

export const MarkupRequest = shape(
  wire.Markup,
  z
    .object({
      owner: maybe(text(128)).meta({ description: "A manager's: TENANT or AGENT_LIMIT. An agent's own when absent." }),
      sendCurrency: maybe(currencyCode),
      receivingCurrency: maybe(currencyCode),
      rateBps: wholeNumberIn(0, 2_000).meta({ description: "Basis points off the middle rate." }),
      feeBps: maybe(wholeNumberIn(0, 2_000)).meta({ description: "A fee of the principal, basis points." }),
    })
    .meta({ id: "MarkupRequest", description: "Without currencies: for every pair that has none of its own." }),
);

export const Markup = shape(
  wire.Markup,
  z
    .object({
      owner: leaf.ofTenant,
      sendCurrency: z.string().optional(),
      receivingCurrency: leaf.receivingCurrency.optional(),
      rateBps: leaf.rateBps,
      feeBps: shown(z.int(), 25),
      version: z.int(),
    })
    .meta({ id: "Markup" }),
);

const minimum = { minimumAmount: "minimum", minimumCurrency: "minimum.currency" } as const;

export const PromotionRequest = shape(
  wire.Promotion,
  z
    .object({
      code: text(32).meta({ description: "2 to 32 letters, digits and -." }),
      feeDiscountBps: maybe(wholeNumberIn(0, 10_000)).meta({ description: "Off every fee." }),
      rateBonusBps: maybe(wholeNumberIn(0, 2_000)).meta({
        description: "Off the markup, never beyond the middle rate.",
      }),
      validFrom: instantIn,
      validUntil: instantIn,
      maxUses: maybe(wholeNumberIn(1, 1_000_000_000)),
      maxUsesPerCustomer: maybe(wholeNumberIn(1, 1_000_000_000)),
      minimumAmount: maybe(moneyTextOrNumberIn),
      minimumCurrency: maybe(currencyCode),
      receivingCountries: maybe(z.array(countryIn).max(250)),
      enabled: maybe(z.boolean()),
    })
    .meta({ id: "PromotionRequest" }),
  { ...minimum, enabled: { field: "enabled", absent: true } },
);

export const Promotion = shape(
  wire.Promotion,
  z
    .object({
      code: shown(z.string(), "WELCOME"),
      feeDiscountBps: shown(z.int(), 5000),
      rateBonusBps: z.int(),
      validFrom: instant,
      validUntil: instant,
      maxUses: z.int().optional(),
      maxUsesPerCustomer: z.int().optional(),
      minimumAmount: shown(decimalText, "1.00").optional(),
      minimumCurrency: z.string().optional(),
      receivingCountries: z.array(leaf.country),
      enabled: z.boolean(),
      uses: z.int(),
      version: z.int(),
    })
    .meta({ id: "Promotion" }),
  minimum,
);
