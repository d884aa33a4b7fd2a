import { z } from "zod";
import * as wire from "../../proto/gen/remittance/v1/remittance.js";
import { shape } from "../codec.js";
import { currencyCode, instant, instantIn, maybe, moneyTextOrNumberIn, text, shown } from "../schema.js";
import { faultyLines } from "./csv-load.js";
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
