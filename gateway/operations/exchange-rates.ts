import { z } from "zod";
import { operation } from "../operation.js";
import { currencyCode, text, shown, instant } from "../schema.js";
import { CurrentRate, Rate, RateLoadReport, RateRequest } from "../shapes/exchange-rates.js";
import { everyRole, v6 } from "../route.js";
import { csvLoadFields } from "../shapes/payout-points.js";
import * as wire from "../../proto/gen/remittance/v1/remittance.js";
import { shape } from "../codec.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const base = `${v6}/transactionmanagement`;
const pairQuery = z.object({ sendCurrency: currencyCode, receivingCurrency: currencyCode });

/** The middle rate: what a customer gets is in a quote. */
const readExchangeRate = operation({
  method: "get",
  path: `${base}/exchange-rates/current`,
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

const listExchangeRates = operation({
  method: "get",
  path: `${base}/exchange-rates`,
  tag: "Rates",
  summary: "List the rates of a pair of currencies, the newest first",
  access: ["MANAGER", "AGENT"],
  scopes: ["reports:read", "settings:write"],
  query: pairQuery.extend({ size: text(3).optional(), before: text(9).optional() }),
  answer: z.array(Rate),
  message: "Exchange rates",
  example: { as: "manager@demo.example", query: { sendCurrency: "USD", receivingCurrency: "NGN" } },
  renames: { pageSize: "query.size" },
  rpc: "remittance.listRates",
  asks: ({ query: { size, before, ...pair } }) => ({
    ...pair,
    pageSize: numberIn(size),
    beforeSequence: numberIn(before),
  }),
});

const putExchangeRate = operation({
  method: "post",
  path: `${base}/exchange-rates`,
  tag: "Rates",
  summary: "Put a rate that holds from now or from a time to come; every rate is kept",
  access: ["MANAGER"],
  scopes: ["settings:write"],
  body: RateRequest,
  answer: z.object({ id: shown(z.string(), "0199d0c2-0000-7000-8000-0000917a8a3b") }).meta({ id: "RateId" }),
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
  tag: "Rates",
  summary: "Load rates from CSV: what is right is put, every faulty line is reported",
  access: ["MANAGER"],
  scopes: ["settings:write"],
  body: z.object(csvLoadFields).meta({ id: "RateLoad" }),
  answer: RateLoadReport,
  message: "Exchange rates loaded",
  example: {
    as: "manager@demo.example",
    body: { csv: "sendCurrency,receivingCurrency,exchangeRate,source\nKES,UGX,28.75,desk\n" },
  },
  rpc: "remittance.loadRates",
});

export const exchangeRateRoutes = { readExchangeRate, listExchangeRates, putExchangeRate, loadExchangeRates };

const changeKinds = ["CORRIDOR", "MARKUP", "PROMOTION", "PAYOUT_POINT", "BRANCH", "DISCLOSURE"] as const;

const SettingChange = shape(
  wire.SettingChange,
  z
    .object({
      version: z.int(),
      changedAt: instant,
      changedBy: leaf.userId,
      content: shown(z.record(z.string(), z.unknown()), { code: "LAG-1" }),
    })
    .meta({ id: "SettingChange" }),
);

const listSettingChanges = operation({
  method: "get",
  path: `${v6}/transactionmanagement/setting-changes`,
  tag: "Corridors",
  summary: "What of a setting was changed when and by whom, the newest version first",
  access: ["MANAGER", "AGENT"],
  scopes: ["reports:read", "settings:write"],
  query: z.object({
    kind: z.enum(changeKinds),
    key: text(160).meta({
      description: "USA-USD-NGA-NGN of a corridor, TENANT or TENANT-USD-NGN of a markup, else the code.",
    }),
    size: text(3).optional(),
    before: text(9).optional().meta({ description: "Only versions below this one." }),
  }),
  answer: z.array(SettingChange),
  message: "Changes",
  example: { as: "manager@demo.example", query: { kind: "CORRIDOR", key: "USA-USD-NGA-NGN" } },
  renames: { pageSize: "query.size" },
  rpc: "remittance.listChanges",
  asks: ({ query: { size, before, ...query } }) => ({
    ...query,
    pageSize: numberIn(size),
    beforeVersion: numberIn(before),
  }),
});

export const settingChangeRoutes = { listSettingChanges };

/** A number of the query; what is none becomes one that the service refuses by name. */
export function numberIn(value: string | undefined): number {
  if (value === undefined) return 0;
  return /^[1-9]\d{0,8}$/.test(value) ? Number(value) : -1;
}
