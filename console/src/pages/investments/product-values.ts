import { api } from "../../lib/api";
import { amountOf, amountOrNull, textOrNull, wholeOf, wholeOrNull } from "../../lib/typed";
import type { Product } from "./types";

export type Body = Parameters<typeof api.investments.putProduct>[1];

const shown = (count: number | undefined) => (count ? String(count) : "");

export const defaultsOf = (product: Product | undefined, currency: string) => ({
  name: product?.name ?? "",
  description: product?.description ?? "",
  currency: product?.currency ?? currency,
  unitPrice: product?.unitPrice ?? "",
  unitsOffered: shown(product?.unitsOffered),
  minimumUnits: shown(product?.minimumUnits),
  maximumUnitsPerCustomer: shown(product?.maximumUnitsPerCustomer),
  tiers: product?.tiers.map(({ from, ratePercent }) => ({ from: String(from), ratePercent: String(ratePercent) })) ?? [
    { from: "0", ratePercent: "" },
  ],
  compounding: product?.compounding ?? "NONE",
  dayCount: product?.dayCount ?? "ACT_365",
  payout: product?.payout ?? "AT_MATURITY",
  reinvestment: product?.reinvestment ?? "NONE",
  termMonths: shown(product?.termMonths),
  termDays: shown(product?.termDays),
  lockInDays: shown(product?.lockInDays),
  penaltyKind: product?.penalty.kind ?? "NONE",
  penaltyBps: shown(product?.penalty.bps),
  penaltyPercent: String(product?.penalty.percent ?? ""),
  withholdingTaxBps: shown(product?.withholdingTaxBps),
  status: product?.status ?? "OPEN",
});

export type ProductValues = ReturnType<typeof defaultsOf>;

export function bodyOf(values: ProductValues): Body {
  const isReduction = values.penaltyKind === "RATE_REDUCTION";
  return {
    name: values.name.trim(),
    description: textOrNull(values.description),
    currency: values.currency,
    unitPrice: amountOf(values.unitPrice),
    unitsOffered: wholeOf(values.unitsOffered),
    minimumUnits: wholeOrNull(values.minimumUnits),
    maximumUnitsPerCustomer: wholeOrNull(values.maximumUnitsPerCustomer),
    tiers: values.tiers.map(({ from, ratePercent }) => ({
      from: amountOf(from),
      ratePercent: amountOf(ratePercent),
    })),
    compounding: values.compounding,
    dayCount: values.dayCount,
    payout: values.payout,
    reinvestment: values.reinvestment,
    termMonths: wholeOrNull(values.termMonths),
    termDays: wholeOrNull(values.termDays),
    lockInDays: wholeOrNull(values.lockInDays),
    penalty: {
      kind: values.penaltyKind,
      ...(values.penaltyKind !== "NONE" &&
        (isReduction ? { percent: amountOrNull(values.penaltyPercent) } : { bps: wholeOrNull(values.penaltyBps) })),
    },
    withholdingTaxBps: wholeOrNull(values.withholdingTaxBps),
    status: values.status,
    // The selects offer the codes of the API and no others.
  } as Body;
}
