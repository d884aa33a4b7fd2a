import { deliveryMethods } from "../../generated/enums";
import { amountOf, amountOrNull, textOrNull, wholeOf, wholeOrNull } from "../../lib/typed";
import { type DeliveryType } from "./codes";
import type { Corridor, CorridorBody } from "./types";

type Fee = Corridor["fees"][number];
type Tier = Fee["tiers"][number];

const eachType = <T>(make: (type: DeliveryType) => T) =>
  Object.fromEntries(deliveryMethods.map((type) => [type, make(type)])) as Record<DeliveryType, T>;

export const newTier = (tier?: Tier) => ({
  from: tier?.from ?? "",
  fixed: tier?.fixed ?? "0",
  rateBps: String(tier?.rateBps ?? 0),
});

export const newFee = (fee?: Fee) => ({
  name: fee?.name ?? "",
  fixed: fee?.fixed ?? "0",
  rateBps: String(fee?.rateBps ?? 0),
  minimum: fee?.minimum ?? "",
  maximum: fee?.maximum ?? "",
  taxBps: String(fee?.taxBps ?? 0),
  chargeCategory: fee?.chargeCategory ?? "",
  types: eachType((type) => fee?.types.includes(type) ?? false),
  tiers: fee?.tiers.map(newTier) ?? [],
});

export const newOtherFee = (fee?: Corridor["otherFees"][number]) => ({
  name: fee?.name ?? "",
  amount: fee?.amount ?? "",
  types: eachType((type) => fee?.types.includes(type) ?? false),
});

const newDelivery = (delivery?: Corridor["deliveries"][number]) => ({
  partner: delivery?.partner ?? "",
  estimateMinutes: delivery === undefined ? "" : String(delivery.estimateMinutes),
  deliveryDays: delivery?.deliveryDays === undefined ? "" : String(delivery.deliveryDays),
  minimumAmount: delivery?.minimumAmount ?? "",
  maximumAmount: delivery?.maximumAmount ?? "",
  payeeCheck: delivery?.payeeCheck ?? "",
});

export const corridorDefaults = (corridor: Corridor | undefined) => ({
  originCountry: corridor?.originCountry ?? "",
  sendCurrency: corridor?.sendCurrency ?? "",
  receivingCountry: corridor?.receivingCountry ?? "",
  receivingCurrency: corridor?.receivingCurrency ?? "",
  types: eachType((type) => corridor?.types.includes(type) ?? false),
  minimumAmount: corridor?.minimumAmount ?? "",
  maximumAmount: corridor?.maximumAmount ?? "",
  enabled: corridor?.enabled ?? true,
  fees: corridor?.fees.map(newFee) ?? [newFee()],
  otherFees: corridor?.otherFees.map(newOtherFee) ?? [],
  deliveries: eachType((type) => newDelivery(corridor?.deliveries.find((each) => each.type === type))),
  reason: "",
});

export type CorridorValues = ReturnType<typeof corridorDefaults>;

/**
 * Whether a method has terms of its own; one without is delivered in the
 * usual time, by the usual partner.
 */
export const hasTerms = (terms: CorridorValues["deliveries"][DeliveryType]): boolean =>
  Object.values(terms).some((text) => text.trim() !== "");

const chosenOf = (types: Record<DeliveryType, boolean>) => deliveryMethods.filter((type) => types[type]);

const withTerms = (values: CorridorValues) =>
  chosenOf(values.types).filter((type) => hasTerms(values.deliveries[type]));

export const bodyOf = (values: CorridorValues) =>
  ({
    originCountry: values.originCountry.trim().toUpperCase(),
    sendCurrency: values.sendCurrency,
    receivingCountry: values.receivingCountry.trim().toUpperCase(),
    receivingCurrency: values.receivingCurrency,
    types: chosenOf(values.types),
    minimumAmount: amountOf(values.minimumAmount),
    maximumAmount: amountOf(values.maximumAmount),
    enabled: values.enabled,
    fees: values.fees.map((fee) => ({
      name: fee.name.trim(),
      fixed: amountOrNull(fee.fixed),
      rateBps: wholeOf(fee.rateBps || "0"),
      minimum: amountOrNull(fee.minimum),
      maximum: amountOrNull(fee.maximum),
      taxBps: wholeOrNull(fee.taxBps),
      chargeCategory: textOrNull(fee.chargeCategory),
      types: chosenOf(fee.types),
      tiers: fee.tiers.map((tier) => ({
        from: amountOf(tier.from),
        fixed: amountOrNull(tier.fixed),
        rateBps: wholeOf(tier.rateBps || "0"),
      })),
    })),
    otherFees: values.otherFees.map(({ name, amount, types }) => ({
      name: name.trim(),
      amount: amountOf(amount),
      types: chosenOf(types),
    })),
    deliveries: withTerms(values).map((type) => {
      const { partner, estimateMinutes, deliveryDays, minimumAmount, maximumAmount, payeeCheck } =
        values.deliveries[type];
      return {
        type,
        partner: textOrNull(partner),
        estimateMinutes: wholeOf(estimateMinutes),
        deliveryDays: wholeOrNull(deliveryDays),
        minimumAmount: amountOrNull(minimumAmount),
        maximumAmount: amountOrNull(maximumAmount),
        payeeCheck: textOrNull(payeeCheck),
      };
    }),
    reason: textOrNull(values.reason),
  }) as CorridorBody;

type DeliveryField = `deliveries.${DeliveryType}.${keyof CorridorValues["deliveries"][DeliveryType]}`;

/** The API counts the deliveries that were sent; here each has the name of its method. */
export function faultPathsOf(values: CorridorValues): Record<string, DeliveryField> {
  const fields = [
    "partner",
    "estimateMinutes",
    "deliveryDays",
    "minimumAmount",
    "maximumAmount",
    "payeeCheck",
  ] as const;
  const named = withTerms(values).flatMap((type, index) =>
    fields.map((field) => [`deliveries.${index}.${field}`, `deliveries.${type}.${field}`] as const),
  );
  return Object.fromEntries(named.flatMap(([path, field]) => [path, `body.${path}`].map((one) => [one, field])));
}
