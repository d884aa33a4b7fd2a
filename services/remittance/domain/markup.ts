import { divideRounded, formatDecimal, parseDecimal, type Decimal } from "../../kernel/decimal.js";
import { Refusal } from "../../kernel/refusal.js";
import type { FeeRule } from "./corridor.js";
import { roundings } from "./roundings.js";

/**
 * Who a markup belongs to: the organisation, the ceiling that it sets its agents, or an agent by
 * their user id.
 */
export const tenantOwner = "TENANT";
export const agentLimitOwner = "AGENT_LIMIT";

/**
 * What is added to the cost of an exchange for one owner, for a pair of currencies or, where both
 * are empty, for every one.
 */
export interface MarkupContent {
  owner: string;
  sendCurrency: string;
  receivingCurrency: string;
  /** Taken off the middle rate. */
  rateBps: number;
  /** A fee of its own, of the principal. */
  feeBps: number;
}

export interface Markup extends MarkupContent {
  version: number;
}

/** What one price takes. */
export interface MarkupParts {
  tenantBps: number;
  agentBps: number;
  /** What a promotion gives back of them. */
  promotionBps: number;
  tenantFeeBps: number;
  agentFeeBps: number;
}

/** 20 %: above it a rate is no exchange any more. */
export const maxMarkupBps = 2_000;
export const maxRateDigits = 12;
const whole = 10_000;

/**
 * The markups of tenant and agent that hold for a pair, an agent's within the ceiling of this
 * moment. Without a ceiling agents have none.
 */
export function markupParts(
  markups: readonly MarkupContent[],
  { sendCurrency, receivingCurrency }: { sendCurrency: string; receivingCurrency: string },
  agentId: string,
  bonusBps = 0,
): MarkupParts {
  const of = (owner: string) => {
    const own = markups.filter((markup) => markup.owner === owner && owner !== "");
    const exact = own.find((one) => one.sendCurrency === sendCurrency && one.receivingCurrency === receivingCurrency);
    return exact ?? own.find((one) => one.sendCurrency === "") ?? { rateBps: 0, feeBps: 0 };
  };
  const [tenant, agent, ceiling] = [of(tenantOwner), of(agentId), of(agentLimitOwner)];
  // Within one currency nothing is exchanged, so there is no rate to take anything off.
  const isExchange = sendCurrency !== receivingCurrency;
  const tenantBps = isExchange ? tenant.rateBps : 0;
  const agentBps = isExchange ? Math.min(agent.rateBps, ceiling.rateBps) : 0;
  return {
    tenantBps,
    agentBps,
    promotionBps: Math.min(bonusBps, tenantBps + agentBps),
    tenantFeeBps: tenant.feeBps,
    agentFeeBps: Math.min(agent.feeBps, ceiling.feeBps),
  };
}

/**
 * The customer's rate: the middle rate less the markups that a promotion leaves, never above the
 * middle rate.
 */
export function customerRate(middle: Decimal, { tenantBps, agentBps, promotionBps }: MarkupParts): Decimal {
  const remaining = BigInt(whole - (tenantBps + agentBps - promotionBps));
  const digits = middle.digits * remaining;
  const scale = middle.scale + 4;
  const surplus = digits.toString().length - maxRateDigits;
  if (surplus <= 0) return plain({ digits, scale });
  const cut = 10n ** BigInt(surplus);
  const rounded = divideRounded(digits, cut, roundings.rate);
  return scale >= surplus
    ? plain({ digits: rounded, scale: scale - surplus })
    : plain({ digits: rounded * cut, scale });
}

/** Markups of fees as rules behind the corridor's own. */
export function markupFees({ tenantFeeBps, agentFeeBps }: MarkupParts): FeeRule[] {
  const rule = (name: string, rateBps: number): FeeRule => ({
    name,
    fixedMinor: 0n,
    rateBps,
    taxBps: 0,
    deliveryMethods: [],
  });
  return [rule("Service markup", tenantFeeBps), rule("Agent markup", agentFeeBps)].filter((fee) => fee.rateBps > 0);
}

/** Refuses MARKUP_ABOVE_LIMIT naming the ceiling that the tenant sets its agents. */
export function assertWithinCeiling(markup: MarkupContent, ceilings: readonly MarkupContent[]): void {
  const { sendCurrency, receivingCurrency, rateBps, feeBps } = markup;
  const ceiling = ceilings.find(
    (one) => one.sendCurrency === sendCurrency && one.receivingCurrency === receivingCurrency,
  );
  const { rateBps: maxRate, feeBps: maxFee } = ceiling ??
    ceilings.find((one) => one.sendCurrency === "") ?? { rateBps: 0, feeBps: 0 };
  for (const [path, bps, maxBps] of [
    ["rateBps", rateBps, maxRate],
    ["feeBps", feeBps, maxFee],
  ] as const) {
    if (bps <= maxBps) continue;
    const message = `agents may add at most ${maxBps} basis points here`;
    throw new Refusal("MARKUP_ABOVE_LIMIT", `${path}: ${message}`, {
      errors: [{ path: `markup.${path}`, message }],
      figures: { maximum: String(maxBps) },
    });
  }
}

function plain(value: Decimal): Decimal {
  return parseDecimal(formatDecimal(value));
}
