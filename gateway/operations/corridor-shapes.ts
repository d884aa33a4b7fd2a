import { z } from "zod";
import type { Corridor as WireCorridor } from "../../proto/gen/remittance/v1/remittance.js";
import { deliveryMethods } from "../../services/platform/events/shapes/transaction-shape.js";
import { formatMoney, money, parseMoney } from "../../services/kernel/money.js";
import { countryIn, currencyCode, decimalText, maybe, moneyTextOrNumberIn, text, wholeNumberIn } from "../schema.js";
import { absentIfEmpty, enumName } from "../wire.js";

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

export const CorridorRequest = z
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

export const Corridor = z
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

export function corridorToWire(body: z.output<typeof CorridorRequest>) {
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

export function corridorFromWire(corridor: WireCorridor): z.output<typeof Corridor> {
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
