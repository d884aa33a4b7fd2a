import { z } from "zod";
import type { Rate as WireRate } from "../../proto/gen/remittance/v1/remittance.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { route } from "../route.js";
import { currencyCode, decimalText, instant, instantIn, maybe, moneyTextOrNumberIn, text } from "../schema.js";
import { absentIfEmpty, timeText } from "../wire.js";
import { everyRole, v6 } from "./base.js";
import { csvLoadFields, faultsFromWire, faultyLines } from "./csv-load.js";
import { numberIn } from "./setting-changes.js";

const base = `${v6}/transactionmanagement`;
const pairQuery = z.object({ sendCurrency: currencyCode, receivingCurrency: currencyCode });

const CurrentRate = z
  .object({
    exchangeRate: decimalText,
    source: z.string().optional(),
    validFrom: instant,
    validUntil: instant.optional(),
  })
  .meta({ id: "CurrentRate" });

/** The middle rate: what a customer gets is in a quote. */
const readExchangeRate = route({
  method: "get",
  path: `${base}/exchange-rates/current`,
  operationId: "readExchangeRate",
  tag: "Rates",
  summary: "Read the middle rate that holds now",
  access: everyRole,
  scopes: ["quotes:request", "transactions:create", "reports:read", "settings:write"],
  query: pairQuery,
  answer: CurrentRate,
  message: "Exchange rate",
  refusable: true,
  example: { as: "amina@demo.example", query: { sendCurrency: "USD", receivingCurrency: "NGN" } },
  renames: { fromCurrency: "query.sendCurrency", toCurrency: "query.receivingCurrency" },
  run: async ({ query, call, clients }) => {
    const request = { fromCurrency: query.sendCurrency, toCurrency: query.receivingCurrency };
    const { rate, source, validFrom, validUntil } = await clients.remittance.getExchangeRate(request, outgoing(call));
    return {
      exchangeRate: rate,
      source: absentIfEmpty(source),
      validFrom: timeText(validFrom, "valid_from"),
      ...(validUntil !== undefined && { validUntil: validUntil.toISOString() }),
    };
  },
});

const Rate = z
  .object({
    id: z.string(),
    sequence: z.int(),
    sendCurrency: z.string(),
    receivingCurrency: z.string(),
    exchangeRate: decimalText,
    source: z.string().optional(),
    validFrom: instant,
    validUntil: instant.optional(),
    createdAt: instant,
    createdBy: z.string(),
  })
  .meta({ id: "Rate" });

const listExchangeRates = route({
  method: "get",
  path: `${base}/exchange-rates`,
  operationId: "listExchangeRates",
  tag: "Rates",
  summary: "List the rates of a pair of currencies, the newest first",
  access: ["MANAGER", "AGENT"],
  scopes: ["reports:read", "settings:write"],
  query: pairQuery.extend({ size: text(3).optional(), before: text(9).optional() }),
  answer: z.array(Rate),
  message: "Exchange rates",
  example: { as: "manager@demo.example", query: { sendCurrency: "USD", receivingCurrency: "NGN" } },
  renames: { pageSize: "query.size" },
  run: async ({ query, call, clients }) => {
    const { sendCurrency, receivingCurrency } = query;
    const page = { pageSize: numberIn(query.size), beforeSequence: numberIn(query.before) };
    const { rates } = await clients.remittance.listRates({ sendCurrency, receivingCurrency, ...page }, outgoing(call));
    return rates.map(rateFromWire);
  },
});

const RateRequest = z
  .object({
    sendCurrency: currencyCode,
    receivingCurrency: currencyCode,
    exchangeRate: moneyTextOrNumberIn.meta({ description: "Of at most 12 significant digits." }),
    source: text(100),
    validFrom: maybe(instantIn).meta({ description: "Now when absent." }),
    validUntil: maybe(instantIn).meta({ description: "Without an end when absent." }),
  })
  .meta({ id: "RateRequest" });

const putExchangeRate = route({
  method: "post",
  path: `${base}/exchange-rates`,
  operationId: "putExchangeRate",
  tag: "Rates",
  summary: "Put a rate that holds from now or from a time to come; every rate is kept",
  access: ["MANAGER"],
  scopes: ["settings:write"],
  body: RateRequest,
  answer: z.object({ id: z.string() }).meta({ id: "RateId" }),
  message: "Exchange rate put",
  example: {
    as: "manager@demo.example",
    body: { sendCurrency: "KES", receivingCurrency: "NGN", exchangeRate: "11.81", source: "desk" },
  },
  renames: { rate: "exchangeRate" },
  run: async ({ body, call, clients }) => {
    const { exchangeRate: rate, validFrom, validUntil, ...pair } = body;
    const { rateId } = await clients.remittance.putRate(
      {
        ...pair,
        rate,
        ...(validFrom !== undefined && { validFrom: new Date(validFrom) }),
        ...(validUntil !== undefined && { validUntil: new Date(validUntil) }),
      },
      outgoing(call),
    );
    return { id: rateId };
  },
});

const loadExchangeRates = route({
  method: "post",
  path: `${base}/exchange-rates/load`,
  operationId: "loadExchangeRates",
  tag: "Rates",
  summary: "Load rates from CSV: what is right is put, every faulty line is reported",
  access: ["MANAGER"],
  scopes: ["settings:write"],
  body: z.object(csvLoadFields).meta({ id: "RateLoad" }),
  answer: z
    .object({ lines: z.int(), created: z.int(), unchanged: z.int(), faults: faultyLines })
    .meta({ id: "RateLoadReport" }),
  message: "Exchange rates loaded",
  example: {
    as: "manager@demo.example",
    body: { csv: "sendCurrency,receivingCurrency,exchangeRate,source\nKES,UGX,28.75,desk\n" },
  },
  run: async ({ body, call, clients }) => {
    const request = { csv: body.csv, dryRun: body.dryRun ?? false };
    const { lines, created, unchanged, faults } = await clients.remittance.loadRates(request, outgoing(call));
    return { lines, created, unchanged, faults: faultsFromWire(faults) };
  },
});

export const exchangeRateRoutes = [readExchangeRate, listExchangeRates, putExchangeRate, loadExchangeRates];

function rateFromWire(rate: WireRate): z.output<typeof Rate> {
  return {
    id: rate.rateId,
    sequence: rate.sequence,
    sendCurrency: rate.sendCurrency,
    receivingCurrency: rate.receivingCurrency,
    exchangeRate: rate.rate,
    source: absentIfEmpty(rate.source),
    validFrom: timeText(rate.validFrom, "valid_from"),
    ...(rate.validUntil !== undefined && { validUntil: rate.validUntil.toISOString() }),
    createdAt: timeText(rate.createdAt, "created_at"),
    createdBy: rate.createdBy,
  };
}
