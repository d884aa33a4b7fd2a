import { divideRounded } from "../../kernel/decimal.js";
import { allocate, money, type Money } from "../../kernel/money.js";
import { assertSettable } from "../../kernel/limits/amount-ceiling.js";
import { invalidInput } from "../../kernel/refusal.js";

/** What a rule of a plan is counted on. */
export const commissionBases = ["FEE", "PRINCIPAL", "FX_MARGIN", "FIXED"] as const;
export type CommissionBasis = (typeof commissionBases)[number];

/** How tiers count: the whole amount by its tier's rate, or each part by the rate of its own. */
export const tierKinds = ["SLAB", "MARGINAL"] as const;
export type TierKind = (typeof tierKinds)[number];

/** Up to an amount, which is in it; without one it has no end. */
export interface CommissionTier {
  readonly upToMinor?: bigint;
  readonly bps: number;
}

/** One way in which a sale earns; amounts in the plan's currency. */
export interface CommissionRule {
  readonly basis: CommissionBasis;
  /** Of FIXED. */
  readonly fixedMinor?: bigint;
  /** Of the others, without tiers: hundredths of a percent. */
  readonly bps?: number;
  readonly tierKind?: TierKind;
  readonly tiers?: readonly CommissionTier[];
  readonly minimumMinor?: bigint;
  readonly maximumMinor?: bigint;
}

/** Whose part of a commission it is, in hundredths of a percent of it. */
export interface CommissionShare {
  readonly party: string;
  readonly bps: number;
}

/** What a version of a plan says; versions never change. */
export interface CommissionTerms {
  readonly currency: string;
  readonly rules: readonly CommissionRule[];
  /** Comes to 10,000; empty where all of it is the agent's. */
  readonly split: readonly CommissionShare[];
}

/** What one sale brought, in the plan's currency. */
export interface CommissionedSale {
  readonly principalMinor: bigint;
  /** Without tax. */
  readonly feeMinor: bigint;
  /** Middle against customer's rate; below zero counts as nothing. */
  readonly fxMarginMinor: bigint;
}

const whole = 10_000;
const maxRules = 5;
const maxTiers = 20;
const maxParties = 10;

/** What each rule of a plan makes of a sale, rounded once, in their order. */
export function commissionByRule(terms: CommissionTerms, sale: CommissionedSale): bigint[] {
  return terms.rules.map((rule) => earned(rule, sale));
}

/**
 * What a sale earns: each rule rounded once, half-even, between its minimum and its maximum, and
 * added. Counted once for a transaction, and never below zero.
 */
export function commissionOn(terms: CommissionTerms, sale: CommissionedSale): Money {
  return money(
    commissionByRule(terms, sale).reduce((sum, minor) => sum + minor, 0n),
    terms.currency,
  );
}

function earned(rule: CommissionRule, sale: CommissionedSale): bigint {
  if (rule.basis === "FIXED") return rule.fixedMinor ?? 0n;
  const given = { FEE: sale.feeMinor, PRINCIPAL: sale.principalMinor, FX_MARGIN: sale.fxMarginMinor }[rule.basis];
  const basis = given > 0n ? given : 0n;
  const exact = divideRounded(inBps(rule, basis), BigInt(whole), "half-even");
  const { minimumMinor = 0n, maximumMinor } = rule;
  const atLeast = exact < minimumMinor ? minimumMinor : exact;
  return maximumMinor !== undefined && atLeast > maximumMinor ? maximumMinor : atLeast;
}

/** Ten thousand times what it comes to, unrounded. */
function inBps({ bps = 0, tierKind, tiers }: CommissionRule, basis: bigint): bigint {
  if (tiers === undefined || tiers.length === 0) return basis * BigInt(bps);
  if (tierKind === "SLAB") return basis * BigInt(tierOf(tiers, basis).bps);
  let [sum, from] = [0n, 0n];
  for (const { upToMinor, bps: rate } of tiers) {
    const to = upToMinor === undefined || upToMinor > basis ? basis : upToMinor;
    sum += (to - from) * BigInt(rate);
    from = to;
    if (from === basis) break;
  }
  return sum;
}

const tierOf = (tiers: readonly CommissionTier[], basis: bigint): CommissionTier =>
  tiers.find(({ upToMinor }) => upToMinor === undefined || basis <= upToMinor) ?? tiers.at(-1)!;

/** Each party's part, by largest remainder; what is left over goes to those who are named first. */
export function splitCommission(commission: Money, split: readonly CommissionShare[]): Map<string, Money> {
  const parts = allocate(
    commission,
    split.map(({ bps }) => BigInt(bps)),
  );
  return new Map(split.map(({ party }, index) => [party, parts[index]!]));
}

/**
 * How much of a commission is taken back in all once so much of the principal went back: pro rata,
 * half-even of the whole, so that several refunds come to what one of all of it would.
 */
export function clawedBack(commissionMinor: bigint, principalMinor: bigint, refundedMinor: bigint): bigint {
  if (refundedMinor >= principalMinor) return commissionMinor;
  return divideRounded(commissionMinor * refundedMinor, principalMinor, "half-even");
}

/** Refuses INVALID_INPUT by the field. */
export function assertTerms({ currency, rules, split }: CommissionTerms): void {
  if (rules.length === 0 || rules.length > maxRules) throw invalidInput("rules", `must be 1 to ${maxRules}`);
  for (const [index, rule] of rules.entries()) assertRule(rule, currency, `rules.${index}`);
  assertSplit(split);
}

function assertRule(rule: CommissionRule, currency: string, path: string): void {
  const { basis, bps, fixedMinor, tiers, tierKind, minimumMinor = 0n, maximumMinor } = rule;
  const isFixed = basis === "FIXED";
  if (isFixed !== (fixedMinor !== undefined))
    throw invalidInput(`${path}.fixed`, isFixed ? "is required" : "is for FIXED only");
  if (isFixed && (bps !== undefined || tiers !== undefined)) throw invalidInput(path, "has a fixed amount and no rate");
  if (!isFixed && (bps === undefined) === (tiers === undefined))
    throw invalidInput(`${path}.bps`, "or tiers must be given, and not both");
  if ((tiers === undefined) !== (tierKind === undefined)) throw invalidInput(`${path}.tierKind`, "belongs to tiers");
  if (bps !== undefined) assertBps(bps, `${path}.bps`);
  const amounts = { fixed: fixedMinor, minimum: minimumMinor, maximum: maximumMinor };
  for (const [name, minor] of Object.entries(amounts)) {
    if (minor === undefined) continue;
    if (minor < 0n) throw invalidInput(`${path}.${name}`, "must not be below zero");
    assertSettable({ minor, currency }, `${path}.${name}`);
  }
  if (maximumMinor !== undefined && maximumMinor < minimumMinor)
    throw invalidInput(`${path}.maximum`, "must not be below the minimum");
  if (tiers !== undefined) assertTiers(tiers, currency, `${path}.tiers`);
}

/** They follow each other without a gap: a tier begins where the one before it ends. */
function assertTiers(tiers: readonly CommissionTier[], currency: string, path: string): void {
  if (tiers.length === 0 || tiers.length > maxTiers) throw invalidInput(path, `must be 1 to ${maxTiers}`);
  let before = 0n;
  for (const [index, { upToMinor, bps }] of tiers.entries()) {
    assertBps(bps, `${path}.${index}.bps`);
    const isLast = index === tiers.length - 1;
    if (isLast !== (upToMinor === undefined))
      throw invalidInput(`${path}.${index}.upTo`, isLast ? "must be absent of the last one" : "is required");
    if (upToMinor === undefined) continue;
    if (upToMinor <= before) throw invalidInput(`${path}.${index}.upTo`, "must be above that of the tier before it");
    assertSettable({ minor: upToMinor, currency }, `${path}.${index}.upTo`);
    before = upToMinor;
  }
}

function assertBps(bps: number, path: string): void {
  if (!Number.isInteger(bps) || bps < 0 || bps > whole)
    throw invalidInput(path, `must be a whole number, 0 to ${whole}`);
}

function assertSplit(split: readonly CommissionShare[]): void {
  if (split.length === 0) return;
  if (split.length > maxParties) throw invalidInput("split", `must be at most ${maxParties}`);
  for (const [index, { bps }] of split.entries()) assertBps(bps, `split.${index}.bps`);
  const parties = new Set(split.map(({ party }) => party));
  if (parties.size !== split.length) throw invalidInput("split", "must name each party once");
  const sum = split.reduce((all, { bps }) => all + bps, 0);
  if (sum !== whole) throw invalidInput("split", `must come to ${whole}, and comes to ${sum}`);
}
