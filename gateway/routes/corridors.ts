import { z } from "zod";
import type { Corridor as WireCorridor, Rate as WireRate } from "../../proto/gen/remittance/v1/remittance.js";
import { outgoing } from "../../services/shared/grpc/client.js";
import { money, formatMoney, parseMoney } from "../../services/shared/money.js";
import { route } from "../route.js";
import {
  countryIn,
  currencyCode,
  decimalText,
  instant,
  maybe,
  moneyTextOrNumberIn,
  text,
  wholeNumberIn,
} from "../schema.js";
import { absentIfEmpty, enumName, filled, timeText } from "../wire.js";
import { everyRole, v6 } from "./base.js";
import { deliveryMethods } from "./transaction-shape.js";

const base = `${v6}/transactionmanagement`;
const maxBps = 10_000;
const method = z.enum(deliveryMethods);
const category = text(40).regex(/^[A-Z][A-Z0-9_]*$/, "must be capital letters, digits and _");

const FeeIn = z.object({
  name: text(100),
  fixed: maybe(moneyTextOrNumberIn),
  rateBps: maybe(wholeNumberIn(0, maxBps)),
  minimum: maybe(moneyTextOrNumberIn),
  maximum: maybe(moneyTextOrNumberIn),
  taxBps: maybe(wholeNumberIn(0, maxBps)).meta({ description: "Tax on this fee, basis points." }),
  types: maybe(z.array(method).max(4)).meta({ description: "Empty or absent: every delivery method." }),
  tiers: maybe(
    z
      .array(
        z.object({
          from: moneyTextOrNumberIn,
          fixed: maybe(moneyTextOrNumberIn),
          rateBps: maybe(wholeNumberIn(0, maxBps)),
        }),
      )
      .max(20),
  ).meta({ description: "From these principals on, ascending, in the place of fixed and rateBps." }),
  chargeCategory: maybe(category).meta({ description: "Taken in this category only." }),
});

const CorridorRequest = z
  .object({
    originCountry: countryIn,
    sendCurrency: currencyCode,
    receivingCountry: countryIn,
    receivingCurrency: currencyCode,
    types: z.array(method).min(1).max(4),
    minimumAmount: moneyTextOrNumberIn.meta({ description: "Of what is exchanged, in sendCurrency." }),
    maximumAmount: moneyTextOrNumberIn,
    enabled: maybe(z.boolean()),
    fees: maybe(z.array(FeeIn).max(20)),
    deliveries: maybe(
      z
        .array(
          z.object({
            type: method,
            partner: maybe(text(100, 0)),
            estimateMinutes: wholeNumberIn(1, 43_200),
            minimumAmount: maybe(moneyTextOrNumberIn),
            maximumAmount: maybe(moneyTextOrNumberIn),
          }),
        )
        .max(4),
    ).meta({ description: "Partner, estimate and narrower limits of a delivery method." }),
  })
  .meta({ id: "CorridorRequest" });

const Corridor = z
  .object({
    originCountry: z.string(),
    sendCurrency: z.string(),
    receivingCountry: z.string(),
    receivingCurrency: z.string(),
    types: z.array(method),
    minimumAmount: decimalText,
    maximumAmount: decimalText,
    enabled: z.boolean(),
    fees: z.array(
      z.object({
        name: z.string(),
        fixed: decimalText,
        rateBps: z.int(),
        minimum: decimalText.optional(),
        maximum: decimalText.optional(),
        taxBps: z.int(),
        types: z.array(method),
        tiers: z.array(z.object({ from: decimalText, fixed: decimalText, rateBps: z.int() })),
        chargeCategory: z.string().optional(),
      }),
    ),
    deliveries: z.array(
      z.object({
        type: method,
        partner: z.string().optional(),
        estimateMinutes: z.int(),
        minimumAmount: decimalText.optional(),
        maximumAmount: decimalText.optional(),
      }),
    ),
    version: z.int(),
  })
  .meta({ id: "Corridor" });

export const listCorridors = route({
  method: "get",
  path: `${base}/corridors`,
  operationId: "listCorridors",
  tag: "Corridors",
  summary: "List where money can be sent and what it costs; customers and cashiers see what is switched on",
  access: everyRole,
  answer: z.array(Corridor),
  message: "Corridors",
  example: { as: "amina@demo.example" },
  run: async ({ call, clients }) => {
    const { corridors } = await clients.remittance.listCorridors({}, outgoing(call));
    return corridors.map(corridorFromWire);
  },
});

export const putCorridor = route({
  method: "put",
  path: `${base}/corridors`,
  operationId: "putCorridor",
  tag: "Corridors",
  summary: "Create a corridor or replace what holds of it; every version is kept",
  access: ["MANAGER"],
  body: CorridorRequest,
  answer: Corridor,
  message: "Corridor",
  example: {
    as: "manager@demo.example",
    body: {
      originCountry: "KEN",
      sendCurrency: "KES",
      receivingCountry: "NGA",
      receivingCurrency: "NGN",
      types: ["ACCOUNTPAYMENT"],
      minimumAmount: "100.00",
      maximumAmount: "1000000.00",
      fees: [{ name: "Transfer fee", fixed: "50.00", rateBps: 100, taxBps: 1600 }],
    },
  },
  renames: { corridor: "body", fixedMinor: "fixed", minimumMinor: "minimumAmount", maximumMinor: "maximumAmount" },
  run: async ({ body, call, clients }) => {
    const { corridor } = await clients.remittance.putCorridor({ corridor: corridorToWire(body) }, outgoing(call));
    return corridorFromWire(filled(corridor, "corridor"));
  },
});

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
export const readExchangeRate = route({
  method: "get",
  path: `${base}/exchange-rates/current`,
  operationId: "readExchangeRate",
  tag: "Rates",
  summary: "Read the middle rate that holds now",
  access: everyRole,
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

export const listExchangeRates = route({
  method: "get",
  path: `${base}/exchange-rates`,
  operationId: "listExchangeRates",
  tag: "Rates",
  summary: "List the rates of a pair of currencies, the newest first",
  access: ["MANAGER", "AGENT"],
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
    validFrom: maybe(z.iso.datetime({ offset: true })).meta({ description: "Now when absent." }),
    validUntil: maybe(z.iso.datetime({ offset: true })).meta({ description: "Without an end when absent." }),
  })
  .meta({ id: "RateRequest" });

export const putExchangeRate = route({
  method: "post",
  path: `${base}/exchange-rates`,
  operationId: "putExchangeRate",
  tag: "Rates",
  summary: "Put a rate that holds from now or from a time to come; every rate is kept",
  access: ["MANAGER"],
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

const changeKinds = ["CORRIDOR", "MARKUP", "PROMOTION", "PAYOUT_POINT", "BRANCH"] as const;

export const listSettingChanges = route({
  method: "get",
  path: `${base}/setting-changes`,
  operationId: "listSettingChanges",
  tag: "Corridors",
  summary: "What of a setting was changed when and by whom, the newest version first",
  access: ["MANAGER", "AGENT"],
  query: z.object({
    kind: z.enum(changeKinds),
    key: text(160).meta({
      description: "USA-USD-NGA-NGN of a corridor, TENANT or TENANT-USD-NGN of a markup, else the code.",
    }),
    size: text(3).optional(),
    before: text(9).optional().meta({ description: "Only versions below this one." }),
  }),
  answer: z.array(
    z
      .object({
        version: z.int(),
        changedAt: instant,
        changedBy: z.string(),
        content: z.record(z.string(), z.unknown()),
      })
      .meta({ id: "SettingChange" }),
  ),
  message: "Changes",
  example: { as: "manager@demo.example", query: { kind: "CORRIDOR", key: "USA-USD-NGA-NGN" } },
  renames: { pageSize: "query.size" },
  run: async ({ query, call, clients }) => {
    const page = { pageSize: numberIn(query.size), beforeVersion: numberIn(query.before) };
    const request = { kind: query.kind, key: query.key, ...page };
    const { changes } = await clients.remittance.listChanges(request, outgoing(call));
    return changes.map(({ version, changedAt, changedBy, content }) => ({
      version,
      changedAt: timeText(changedAt, "changed_at"),
      changedBy,
      content: content ?? {},
    }));
  },
});

export const corridorRoutes = [
  listCorridors,
  putCorridor,
  readExchangeRate,
  listExchangeRates,
  putExchangeRate,
  listSettingChanges,
];

/** A number of the query; what is none becomes one that the service refuses by name. */
function numberIn(value: string | undefined): number {
  if (value === undefined) return 0;
  return /^[1-9]\d{0,8}$/.test(value) ? Number(value) : -1;
}

function corridorToWire(body: z.output<typeof CorridorRequest>) {
  const { sendCurrency, types, fees = [], deliveries = [], enabled = true } = body;
  const minor = (amount: string, path: string) => parseMoney(amount, sendCurrency, path).minor;
  const limit = (amount: string | undefined, path: string) => (amount === undefined ? undefined : minor(amount, path));
  return {
    originCountry: body.originCountry,
    sendCurrency,
    receivingCountry: body.receivingCountry,
    receivingCurrency: body.receivingCurrency,
    deliveryMethods: types.map(methodToWire),
    minimumMinor: minor(body.minimumAmount, "minimumAmount"),
    maximumMinor: minor(body.maximumAmount, "maximumAmount"),
    enabled,
    fees: fees.map((fee, index) => ({
      name: fee.name,
      fixedMinor: minor(fee.fixed ?? "0", `fees.${index}.fixed`),
      rateBps: fee.rateBps ?? 0,
      minimumMinor: limit(fee.minimum, `fees.${index}.minimum`),
      maximumMinor: limit(fee.maximum, `fees.${index}.maximum`),
      taxBps: fee.taxBps ?? 0,
      deliveryMethods: (fee.types ?? []).map(methodToWire),
      category: fee.chargeCategory ?? "",
      tiers: (fee.tiers ?? []).map((tier, at) => ({
        fromMinor: minor(tier.from, `fees.${index}.tiers.${at}.from`),
        fixedMinor: minor(tier.fixed ?? "0", `fees.${index}.tiers.${at}.fixed`),
        rateBps: tier.rateBps ?? 0,
      })),
    })),
    deliveries: deliveries.map((delivery, index) => ({
      method: methodToWire(delivery.type),
      partner: delivery.partner ?? "",
      estimateMinutes: delivery.estimateMinutes,
      minimumMinor: limit(delivery.minimumAmount, `deliveries.${index}.minimumAmount`),
      maximumMinor: limit(delivery.maximumAmount, `deliveries.${index}.maximumAmount`),
    })),
  };
}

function methodToWire(type: (typeof deliveryMethods)[number]) {
  return `DELIVERY_METHOD_${type}` as const;
}

function typeFromWire(type: string) {
  return enumName(type, "DELIVERY_METHOD_") as (typeof deliveryMethods)[number];
}

function corridorFromWire(corridor: WireCorridor): z.output<typeof Corridor> {
  const { originCountry, sendCurrency, receivingCountry, receivingCurrency, enabled, version } = corridor;
  const amount = (minor: bigint) => formatMoney(money(minor, sendCurrency));
  const limit = (minor: bigint | undefined) => (minor === undefined ? undefined : amount(minor));
  return {
    originCountry,
    sendCurrency,
    receivingCountry,
    receivingCurrency,
    types: corridor.deliveryMethods.map(typeFromWire),
    minimumAmount: amount(corridor.minimumMinor),
    maximumAmount: amount(corridor.maximumMinor),
    enabled,
    fees: corridor.fees.map((fee) => ({
      name: fee.name,
      fixed: amount(fee.fixedMinor),
      rateBps: fee.rateBps,
      minimum: limit(fee.minimumMinor),
      maximum: limit(fee.maximumMinor),
      taxBps: fee.taxBps,
      types: fee.deliveryMethods.map(typeFromWire),
      tiers: fee.tiers.map(({ fromMinor, fixedMinor, rateBps }) => ({
        from: amount(fromMinor),
        fixed: amount(fixedMinor),
        rateBps,
      })),
      chargeCategory: absentIfEmpty(fee.category),
    })),
    deliveries: corridor.deliveries.map((delivery) => ({
      type: typeFromWire(delivery.method),
      partner: absentIfEmpty(delivery.partner),
      estimateMinutes: delivery.estimateMinutes,
      minimumAmount: limit(delivery.minimumMinor),
      maximumAmount: limit(delivery.maximumMinor),
    })),
    version,
  };
}

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
