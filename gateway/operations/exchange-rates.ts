import { z } from "zod";
import * as wire from "../../proto/gen/remittance/v1/remittance.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { readerOf, shape } from "../codec.js";
import { operation } from "../operation.js";
import { route } from "../route.js";
import { currencyCode, decimalText, instant, instantIn, maybe, moneyTextOrNumberIn, text } from "../schema.js";
import { everyRole, v6 } from "./base.js";
import { csvLoadFields, faultyLines } from "./csv-load.js";
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
const readExchangeRate = operation({
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
  rpc: "remittance.getExchangeRate",
  fields: { sendCurrency: "fromCurrency", receivingCurrency: "toCurrency" },
  answerFields: { exchangeRate: "rate" },
});

const Rate = shape(
  wire.Rate,
  z
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
    .meta({ id: "Rate" }),
  { id: "rateId", exchangeRate: "rate" },
);

const ratesFromWire = readerOf(z.array(Rate));
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
    return ratesFromWire(rates);
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

const putExchangeRate = operation({
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
  rpc: "remittance.putRate",
  fields: { exchangeRate: "rate" },
  answerFields: { id: "rateId" },
});

const loadExchangeRates = operation({
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
  rpc: "remittance.loadRates",
});

export const exchangeRateRoutes = [readExchangeRate, listExchangeRates, putExchangeRate, loadExchangeRates];
