import { z } from "zod";
import * as wire from "../../proto/gen/ledger/v1/positions.js";
import { shape } from "../codec.js";
import { decimalText, instant, integer, shown } from "../schema.js";

const day = shown(z.string(), "2026-11-29");

export const MiddleRate = shape(
  wire.MiddleRate,
  z
    .object({
      fromCurrency: shown(z.string(), "USD"),
      toCurrency: shown(z.string(), "NGN"),
      rate: shown(z.string(), "1600").meta({ description: "One unit of the first is worth so much of the other." }),
      source: shown(z.string(), "ECB"),
      at: instant.meta({ description: "Since when it holds." }),
      day: day.meta({ description: "The business day that it held on." }),
    })
    .meta({ id: "MiddleRate" }),
);

const AverageRate = shape(
  wire.AverageRate,
  z
    .object({
      fromCurrency: shown(z.string(), "USD"),
      toCurrency: shown(z.string(), "NGN"),
      rate: shown(z.string(), "1525.75"),
    })
    .meta({ id: "AverageRate" }),
);

export const BookPosition = shape(
  wire.BookPosition,
  z
    .object({
      code: z.string().meta({ description: "Of its accounts, from the chart of accounts." }),
      currency: z.string(),
      baseCurrency: z.string(),
      quantity: decimalText.meta({ description: "Long above zero, short below." }),
      cost: decimalText.meta({ description: "In base: paid for it, or below zero received." }),
      realised: decimalText.meta({ description: "In base: won so far, or below zero lost." }),
      average: AverageRate.optional().meta({ description: "What a unit cost; absent where nothing is left." }),
      middle: MiddleRate.optional().meta({ description: "The newest middle rate; absent where none is known." }),
      worth: decimalText.optional().meta({ description: "In base, at the middle rate." }),
      unrealised: decimalText.optional().meta({ description: "In base: worth less cost." }),
    })
    .meta({ id: "BookPosition" }),
  {
    quantity: { minor: "quantityMinor", currency: "currency" },
    cost: { minor: "costMinor", currency: "baseCurrency" },
    realised: { minor: "realisedMinor", currency: "baseCurrency" },
    worth: { minor: "worthMinor", currency: "baseCurrency" },
    unrealised: { minor: "unrealisedMinor", currency: "baseCurrency" },
  },
);

export const WaitingExchange = shape(
  wire.WaitingExchange,
  z
    .object({ code: z.string(), sequence: integer, currencies: z.array(z.string()), day })
    .meta({ id: "WaitingExchange" }),
);

export const PricedExchange = shape(
  wire.PricedExchange,
  z.object({ code: z.string(), sequence: integer, day, rates: z.array(MiddleRate) }).meta({ id: "PricedExchange" }),
);

const RevaluedPosition = shape(
  wire.RevaluedPosition,
  z
    .object({
      code: z.string(),
      currency: z.string(),
      baseCurrency: z.string(),
      quantity: decimalText,
      cost: decimalText,
      worth: decimalText,
      unrealised: decimalText.meta({ description: "Posted to fx_result on the day, and taken back on the next." }),
      middle: MiddleRate.optional().meta({ description: "Absent where a cost alone is left on that day." }),
    })
    .meta({ id: "RevaluedPosition" }),
  {
    quantity: { minor: "quantityMinor", currency: "currency" },
    cost: { minor: "costMinor", currency: "baseCurrency" },
    worth: { minor: "worthMinor", currency: "baseCurrency" },
    unrealised: { minor: "unrealisedMinor", currency: "baseCurrency" },
  },
);

export const Revaluation = shape(
  wire.Revaluation,
  z
    .object({
      day,
      positions: z.array(RevaluedPosition).meta({ description: "What was left at the day's end; may be none." }),
      rounds: z.int().meta({ description: "How often it was done: more was posted to the day since." }),
      revaluedBy: z.string().meta({ description: "A user's id, or ledger." }),
      revaluedAt: instant,
      current: z.boolean().meta({ description: "False once more was posted to the day." }),
    })
    .meta({ id: "Revaluation" }),
  { current: "isCurrent" },
);
