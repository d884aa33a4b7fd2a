import { basisPoints } from "../../kernel/decimal.js";
import { maxInt64, money, type Money } from "../../kernel/money.js";
import { standardCategory, type DeliveryMethod, type FeeRule } from "./corridor.js";
import { roundings } from "./roundings.js";

export interface PricedFee {
  name: string;
  /** After the discount. */
  amount: Money;
  tax: Money;
  /** What a promotion took off; absent where nothing. */
  discount?: Money;
}

/**
 * Principals, both ends included, within which every fee keeps its tier: the cost rises strictly
 * with the principal.
 */
export interface Segment {
  from: bigint;
  to: bigint;
}

/** What a principal costs beyond itself. */
export interface Charges {
  fees: PricedFee[];
  /** Fees and taxes, minor units. */
  minor: bigint;
}

/** The fees that one delivery takes, with what a promotion takes off them. */
export interface FeeSchedule {
  rules: readonly FeeRule[];
  discountBps: bigint;
}

/** The rules of a method and a charge category, in the corridor's order. */
export function rulesFor(rules: readonly FeeRule[], method: DeliveryMethod, category = standardCategory): FeeRule[] {
  return rules.filter(
    (rule) =>
      (rule.deliveryMethods.length === 0 || rule.deliveryMethods.includes(method)) &&
      (rule.category === undefined || rule.category === category),
  );
}

/**
 * One fee and its tax on a principal: terms of its tier, minimum, maximum, discount, tax; a
 * rounding after each named step.
 */
export function priceFee(rule: FeeRule, principal: Money, discountBps = 0n): PricedFee {
  const { fixedMinor, rateBps } = termsAt(rule, principal.minor);
  const { minor } = basisPoints(principal, BigInt(rateBps), roundings.fee);
  const requested = fixedMinor + minor;
  const atLeast = rule.minimumMinor !== undefined && requested < rule.minimumMinor ? rule.minimumMinor : requested;
  const atMost = rule.maximumMinor !== undefined && atLeast > rule.maximumMinor ? rule.maximumMinor : atLeast;
  const discount = basisPoints(money(atMost, principal.currency), discountBps, roundings.discount);
  const amount = money(atMost - discount.minor, principal.currency);
  const tax = basisPoints(amount, BigInt(rule.taxBps), roundings.tax);
  return { name: rule.name, amount, tax, ...(discount.minor > 0n && { discount }) };
}

/** All fees on a principal; those of nothing are left out. */
export function chargesOn(principal: Money, { rules, discountBps }: FeeSchedule): Charges {
  const fees = rules
    .map((rule) => priceFee(rule, principal, discountBps))
    .filter(({ amount, discount }) => amount.minor > 0n || discount !== undefined);
  return { fees, minor: fees.reduce((sum, { amount, tax }) => sum + amount.minor + tax.minor, 0n) };
}

/** The segments that the tiers of all rules cut the principals into, from the lowest. */
export function segmentsOf(rules: readonly FeeRule[]): Segment[] {
  const starts = [...new Set([0n, ...rules.flatMap(({ tiers = [] }) => tiers.map(({ fromMinor }) => fromMinor))])];
  starts.sort((a, b) => (a < b ? -1 : 1));
  return starts.map((from, index) => ({ from, to: (starts[index + 1] ?? maxInt64 + 1n) - 1n }));
}

function termsAt(rule: FeeRule, minor: bigint): Pick<FeeRule, "fixedMinor" | "rateBps"> {
  return (rule.tiers ?? []).findLast(({ fromMinor }) => fromMinor <= minor) ?? rule;
}
