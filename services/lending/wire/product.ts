import type { LoanProduct } from "../../../proto/gen/lending/v1/product.js";
import { isCurrency } from "../../kernel/codes/currencies.js";
import { invalidInput } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { parts, type Part } from "../domain/line.js";
import { businessDayRules, repaymentFrequencies } from "../domain/calendar.js";
import type { Product } from "../domain/product.js";
import { dayCountFromWire } from "./day-count.js";
import { minorOf, percentOf, wholeOf, wordOf } from "./parse.js";

const productIdForm = /^[a-z0-9][a-z0-9-]{1,39}$/;
const maxInstalments = 600;
const usualBuckets = [1, 31, 61, 91];

/** A product without its version. Refuses INVALID_INPUT naming the field. */
export function productFromWire(wire: LoanProduct | undefined): Omit<Product, "version"> {
  if (wire === undefined) throw invalidInput("product", "is required");
  const at = (field: string): string => `product.${field}`;
  if (!productIdForm.test(wire.productId)) {
    throw invalidInput(at("productId"), 'must be 2 to 40 lowercase letters, digits and "-"');
  }
  if (!isCurrency(wire.currency)) throw invalidInput(at("currency"), "must be an ISO 4217 currency code");
  const money = (text: string, field: string, optional = true): bigint =>
    minorOf(text, wire.currency, at(field), { optional });
  const minimumMinor = money(wire.minimumAmount, "minimumAmount", false);
  const maximumMinor = money(wire.maximumAmount, "maximumAmount", false);
  if (minimumMinor <= 0n) throw invalidInput(at("minimumAmount"), "must be above zero");
  if (maximumMinor < minimumMinor) throw invalidInput(at("maximumAmount"), "must not be below minimumAmount");
  const minimumInstalments = wholeOf(wire.minimumInstalments, at("minimumInstalments"), 1, maxInstalments);
  const maximumInstalments = wholeOf(
    wire.maximumInstalments,
    at("maximumInstalments"),
    minimumInstalments,
    maxInstalments,
  );
  return {
    productId: wire.productId,
    name: textFromWire(wire.name, at("name")),
    currency: wire.currency,
    minimumMinor,
    maximumMinor,
    minimumInstalments,
    maximumInstalments,
    frequency: wordOf(wire.frequency, repaymentFrequencies, at("frequency")),
    annualRate: percentOf(wire.annualRate, at("annualRate"), 1_000),
    interestMethod: wordOf(wire.interestMethod, ["FLAT", "DECLINING"], at("interestMethod")),
    amortisation: wordOf(wire.amortisation, ["EQUAL_INSTALMENTS", "EQUAL_PRINCIPAL"], at("amortisation")),
    dayCount: dayCountFromWire(wire.dayCount, at("dayCount")),
    principalGrace: wholeOf(wire.principalGrace, at("principalGrace"), 0, minimumInstalments - 1),
    interestGrace: wholeOf(wire.interestGrace, at("interestGrace"), 0, minimumInstalments - 1),
    disbursementFeeMinor: money(wire.disbursementFee, "disbursementFee"),
    disbursementFeePercent: percentOf(wire.disbursementFeePercent, at("disbursementFeePercent"), 50),
    instalmentFeeMinor: money(wire.instalmentFee, "instalmentFee"),
    instalmentFeePercent: percentOf(wire.instalmentFeePercent, at("instalmentFeePercent"), 50),
    penalty: {
      graceDays: wholeOf(wire.penaltyGraceDays, at("penaltyGraceDays"), 0, 365),
      flatMinor: money(wire.penalty, "penalty"),
      percent: percentOf(wire.penaltyPercent, at("penaltyPercent"), 100),
    },
    businessDayRule: wordOf(wire.businessDayRule || "NONE", businessDayRules, at("businessDayRule")),
    payoff: {
      interest: wordOf(wire.payoffInterest || "TO_DAY", ["TO_DAY", "TO_NEXT_DUE_DATE"], at("payoffInterest")),
      feeMinor: money(wire.payoffFee, "payoffFee"),
      feePercent: percentOf(wire.payoffFeePercent, at("payoffFeePercent"), 100),
    },
    thirdPartyCollection: wire.thirdPartyCollection,
    allocationOrder: allocationOrderOf(wire.allocationOrder, at("allocationOrder")),
    bucketStarts: bucketStartsOf(wire.bucketStarts, at("bucketStarts")),
    affordabilityPercent: percentOf(wire.affordabilityPercent, at("affordabilityPercent"), 100),
    approvedAtOnce: wire.approvedAtOnce,
  };
}

function allocationOrderOf(given: readonly string[], path: string): readonly Part[] {
  if (given.length === 0) return parts;
  const order = given.map((text) => wordOf(text, parts, path));
  if (new Set(order).size !== parts.length) throw invalidInput(path, "must name each of the four parts once");
  return order;
}

function bucketStartsOf(given: readonly number[], path: string): readonly number[] {
  if (given.length === 0) return usualBuckets;
  const isRising = given.every((start, index) => start >= 1 && start <= 3_660 && start > (given[index - 1] ?? 0));
  if (!isRising || given.length > 20) throw invalidInput(path, "must be at most 20 rising days, from 1");
  return given;
}
