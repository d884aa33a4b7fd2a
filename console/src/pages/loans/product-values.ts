import { allocationParts } from "../../generated/enums";
import { api } from "../../lib/api";
import { amountOf, amountOrNull, wholeOf, wholeOrNull } from "../../lib/typed";
import type { Product } from "./types";

export type Terms = Parameters<typeof api.loans.putProduct>[1];

const amounts = [
  "disbursementFee",
  "disbursementFeePercent",
  "instalmentFee",
  "instalmentFeePercent",
  "penalty",
  "penaltyPercent",
  "payoffFee",
  "payoffFeePercent",
  "affordabilityPercent",
] as const;

export const defaultsOf = (product: Product | undefined, currency: string) => ({
  productId: product?.productId ?? "",
  name: product?.name ?? "",
  currency: product?.currency ?? currency,
  minimumAmount: product?.minimumAmount ?? "",
  maximumAmount: product?.maximumAmount ?? "",
  minimumInstalments: String(product?.minimumInstalments ?? ""),
  maximumInstalments: String(product?.maximumInstalments ?? ""),
  frequency: product?.frequency ?? "MONTH",
  annualRate: product?.annualRate ?? "",
  interestMethod: product?.interestMethod ?? "DECLINING",
  amortisation: product?.amortisation ?? "EQUAL_INSTALMENTS",
  dayCount: product?.dayCount ?? "ACTUAL_365",
  principalGrace: String(product?.principalGrace ?? ""),
  interestGrace: String(product?.interestGrace ?? ""),
  disbursementFee: product?.disbursementFee ?? "",
  disbursementFeePercent: product?.disbursementFeePercent ?? "",
  instalmentFee: product?.instalmentFee ?? "",
  instalmentFeePercent: product?.instalmentFeePercent ?? "",
  penaltyGraceDays: String(product?.penaltyGraceDays ?? ""),
  penalty: product?.penalty ?? "",
  penaltyPercent: product?.penaltyPercent ?? "",
  payoffFee: product?.payoffFee ?? "",
  payoffFeePercent: product?.payoffFeePercent ?? "",
  businessDayRule: product?.businessDayRule ?? "NONE",
  payoffInterest: product?.payoffInterest ?? "TO_DAY",
  affordabilityPercent: product?.affordabilityPercent ?? "",
  allocationOrder: (product?.allocationOrder ?? allocationParts).join(","),
  thirdPartyCollection: product?.thirdPartyCollection ?? false,
  approvedAtOnce: product?.approvedAtOnce ?? false,
});

export type ProductValues = ReturnType<typeof defaultsOf>;

export function termsOf(values: ProductValues): Terms {
  const optional = Object.fromEntries(amounts.map((name) => [name, amountOrNull(values[name])]));
  return {
    ...optional,
    name: values.name.trim(),
    currency: values.currency,
    minimumAmount: amountOf(values.minimumAmount),
    maximumAmount: amountOf(values.maximumAmount),
    minimumInstalments: wholeOf(values.minimumInstalments),
    maximumInstalments: wholeOf(values.maximumInstalments),
    frequency: values.frequency,
    annualRate: amountOf(values.annualRate),
    interestMethod: values.interestMethod,
    amortisation: values.amortisation,
    dayCount: values.dayCount,
    principalGrace: wholeOrNull(values.principalGrace),
    interestGrace: wholeOrNull(values.interestGrace),
    penaltyGraceDays: wholeOrNull(values.penaltyGraceDays),
    businessDayRule: values.businessDayRule,
    payoffInterest: values.payoffInterest,
    allocationOrder: values.allocationOrder.split(","),
    thirdPartyCollection: values.thirdPartyCollection,
    approvedAtOnce: values.approvedAtOnce,
    // The selects offer the codes of the API and no others.
  } as Terms;
}
