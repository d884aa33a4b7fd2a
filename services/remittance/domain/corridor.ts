import { isCurrency } from "../../kernel/codes/currencies.js";
import { isCountry } from "../../kernel/codes/countries.js";
import { Refusal, type RefusalDetails } from "../../kernel/refusal.js";

export const deliveryMethods = ["ACCOUNTPAYMENT", "MOBILE_MONEY", "CASH_PICKUP", "WALLET"] as const;
export type DeliveryMethod = (typeof deliveryMethods)[number];

/**
 * What a fee comes to from this principal on, in the place of the rule's own fixed part and rate.
 */
export interface FeeTier {
  fromMinor: bigint;
  fixedMinor: bigint;
  rateBps: number;
}

/**
 * A fee in the send currency: fixed plus basis points of the principal, kept within minimum and
 * maximum.
 */
export interface FeeRule {
  name: string;
  fixedMinor: bigint;
  rateBps: number;
  minimumMinor?: bigint;
  maximumMinor?: bigint;
  /** Tax on this fee. */
  taxBps: number;
  /** Empty means every method. */
  deliveryMethods: DeliveryMethod[];
  /** Ascending; below the first one the rule's own terms hold. */
  tiers?: FeeTier[];
  /** The charge category that it belongs to; of every category where absent. */
  category?: string;
}

/** What others on the way take off what is sent, in minor units of the receiving currency. */
export interface OtherFeeRule {
  name: string;
  amountMinor: bigint;
  /** Empty means every method. */
  deliveryMethods: DeliveryMethod[];
}

/** How a corridor delivers by one method. */
export interface Delivery {
  method: DeliveryMethod;
  /** The payout network's name. */
  partner: string;
  /** From the payment to the recipient. */
  estimateMinutes: number;
  /** Business days of the receiving country that it is promised in; by the estimate if absent. */
  deliveryDays?: number;
  /** Narrower limits of this method, in the send currency. */
  minimumMinor?: bigint;
  maximumMinor?: bigint;
  /** OFF where absent. */
  payeeCheck?: PayeeCheckTime;
}

/** When payees of a delivery method are checked; an account at no partner is known to nobody. */
export const payeeCheckTimes = ["OFF", "AT_RECIPIENT", "AT_TRANSACTION", "BOTH"] as const;
export type PayeeCheckTime = (typeof payeeCheckTimes)[number];

/** Ways of delivery whose accounts a partner may know. */
export const checkedMethods: readonly DeliveryMethod[] = ["ACCOUNTPAYMENT", "MOBILE_MONEY"];

/** What identifies a corridor in its tenant. Countries are alpha-3. */
export interface CorridorKey {
  originCountry: string;
  sendCurrency: string;
  receivingCountry: string;
  receivingCurrency: string;
}

/** The key alone, of whatever else is there. */
export function corridorKeyOf(of: CorridorKey): CorridorKey {
  const { originCountry, sendCurrency, receivingCountry, receivingCurrency } = of;
  return { originCountry, sendCurrency, receivingCountry, receivingCurrency };
}

export interface CorridorContent extends CorridorKey {
  deliveryMethods: DeliveryMethod[];
  /** Limits of what is exchanged, in the send currency. */
  minimumMinor: bigint;
  maximumMinor: bigint;
  fees: FeeRule[];
  /** Of others on the way, as far as the operator knows them; none where absent. */
  otherFees?: OtherFeeRule[];
  /** At most one per method; a method without one has the defaults. */
  deliveries?: Delivery[];
  enabled: boolean;
}

export interface Corridor extends CorridorContent {
  /** 1, 2, 3… per corridor; every version is kept. */
  version: number;
}

/** A version of a corridor as history keeps it. */
export interface CorridorVersion extends Corridor {
  changedAt: Date;
  changedBy: string;
  /** Who approved it, of a change that needs two persons. */
  approvedBy?: string;
}

/** The charge category of who names none. */
export const standardCategory = "STANDARD";

const defaultEstimateMinutes: Record<DeliveryMethod, number> = {
  ACCOUNTPAYMENT: 24 * 60,
  MOBILE_MONEY: 10,
  CASH_PICKUP: 30,
  WALLET: 5,
};

/** How the corridor delivers by a method, defaults included. */
export function deliveryOf({ deliveries = [] }: Pick<CorridorContent, "deliveries">, method: DeliveryMethod): Delivery {
  const found = deliveries.find((delivery) => delivery.method === method);
  return found ?? { method, partner: "", estimateMinutes: defaultEstimateMinutes[method] };
}

/** The business days within which a delivery is promised. */
export function deliveryDaysOf({ deliveryDays, estimateMinutes }: Delivery): number {
  return deliveryDays ?? (estimateMinutes < minutesADay ? 0 : Math.ceil(estimateMinutes / minutesADay));
}

const minutesADay = 24 * 60;
const maxDeliveryDays = 30;
const maxOtherFees = 5;
const maxFees = 20;
const maxTiers = 20;
const maxEstimateMinutes = 30 * 24 * 60;
const categoryForm = /^[A-Z][A-Z0-9_]{0,39}$/;
// 100 %: more than that would be no fee and no tax any more.
const maxBps = 10_000;

/** Checks a corridor before it is stored. Refuses INVALID_INPUT naming the path of every fault. */
export function checkCorridor(corridor: CorridorContent): CorridorContent {
  const errors: NonNullable<RefusalDetails["errors"]> = [];
  const demand = (holds: boolean, path: string, message: string) => {
    if (!holds) errors.push({ path: `corridor.${path}`, message });
  };
  demand(isCountry(corridor.originCountry), "originCountry", "must be an ISO 3166-1 country code");
  demand(isCountry(corridor.receivingCountry), "receivingCountry", "must be an ISO 3166-1 country code");
  demand(isCurrency(corridor.sendCurrency), "sendCurrency", "must be a currency of ISO 4217");
  demand(isCurrency(corridor.receivingCurrency), "receivingCurrency", "must be a currency of ISO 4217");
  demand(corridor.deliveryMethods.length > 0, "deliveryMethods", "must name at least one");
  demand(corridor.minimumMinor >= 0n, "minimumMinor", "must not be negative");
  demand(corridor.maximumMinor > 0n, "maximumMinor", "must be positive");
  demand(corridor.maximumMinor >= corridor.minimumMinor, "maximumMinor", "must not be below minimumMinor");
  demand(corridor.fees.length <= maxFees, "fees", `at most ${maxFees}`);
  for (const [index, fee] of corridor.fees.entries()) checkFee(fee, `fees[${index}]`, demand);
  const names = corridor.fees.map((fee) => fee.name);
  for (const [index, name] of names.entries()) {
    demand(names.indexOf(name) === index, `fees[${index}].name`, "is used by another fee of this corridor");
  }
  checkOtherFees(corridor.otherFees ?? [], demand);
  const deliveries = corridor.deliveries ?? [];
  for (const [index, delivery] of deliveries.entries()) {
    checkDelivery(delivery, `deliveries[${index}]`, corridor, demand);
    const isFirst = deliveries.findIndex(({ method }) => method === delivery.method) === index;
    demand(isFirst, `deliveries[${index}].method`, "is named twice");
  }
  const [first] = errors;
  if (first !== undefined) throw new Refusal("INVALID_INPUT", `${first.path}: ${first.message}`, { errors });
  return corridor;
}

type Demand = (holds: boolean, path: string, message: string) => void;

function checkDelivery(
  delivery: Delivery,
  path: string,
  { deliveryMethods: offered }: CorridorContent,
  demand: Demand,
) {
  const { method, partner, estimateMinutes, minimumMinor = 0n, maximumMinor, payeeCheck = "OFF" } = delivery;
  const canCheck = payeeCheck === "OFF" || checkedMethods.includes(method);
  demand(canCheck, `${path}.payeeCheck`, `is for ${checkedMethods.join(" and ")}: nobody knows other accounts`);
  demand(offered.includes(method), `${path}.method`, "is none of the corridor's delivery methods");
  demand(partner.length <= 100, `${path}.partner`, "must have at most 100 characters");
  const isTime = estimateMinutes >= 1 && estimateMinutes <= maxEstimateMinutes;
  demand(isTime, `${path}.estimateMinutes`, `must be 1 to ${maxEstimateMinutes}`);
  demand(minimumMinor >= 0n, `${path}.minimumMinor`, "must not be negative");
  if (maximumMinor !== undefined) {
    demand(maximumMinor >= minimumMinor, `${path}.maximumMinor`, "must not be below minimumMinor");
  }
  const { deliveryDays = 0 } = delivery;
  const isDays = Number.isInteger(deliveryDays) && deliveryDays >= 0 && deliveryDays <= maxDeliveryDays;
  demand(isDays, `${path}.deliveryDays`, `must be 0 to ${maxDeliveryDays}`);
}

function checkOtherFees(otherFees: readonly OtherFeeRule[], demand: Demand): void {
  demand(otherFees.length <= maxOtherFees, "otherFees", `at most ${maxOtherFees}`);
  const names = otherFees.map(({ name }) => name);
  for (const [index, { name, amountMinor }] of otherFees.entries()) {
    const at = `otherFees[${index}]`;
    demand(name.trim() !== "" && name.length <= 100, `${at}.name`, "must have 1 to 100 characters");
    demand(names.indexOf(name) === index, `${at}.name`, "is used by another fee of this corridor");
    demand(amountMinor >= 0n, `${at}.amountMinor`, "must not be negative");
  }
}

function checkTiers(tiers: readonly FeeTier[], path: string, demand: Demand): void {
  demand(tiers.length <= maxTiers, path, `at most ${maxTiers}`);
  for (const [index, { fromMinor, fixedMinor, rateBps }] of tiers.entries()) {
    const at = `${path}[${index}]`;
    const before = tiers[index - 1]?.fromMinor ?? 0n;
    demand(fromMinor > before, `${at}.fromMinor`, "must be above that of the tier before");
    demand(fixedMinor >= 0n, `${at}.fixedMinor`, "must not be negative");
    demand(rateBps >= 0 && rateBps <= maxBps, `${at}.rateBps`, `must be 0 to ${maxBps}`);
  }
}

function checkFee(fee: FeeRule, path: string, demand: Demand): void {
  checkTiers(fee.tiers ?? [], `${path}.tiers`, demand);
  const isCategory = fee.category === undefined || categoryForm.test(fee.category);
  demand(isCategory, `${path}.category`, "must be capital letters, digits and _");
  demand(fee.name.trim() !== "" && fee.name.length <= 100, `${path}.name`, "must have 1 to 100 characters");
  demand(fee.fixedMinor >= 0n, `${path}.fixedMinor`, "must not be negative");
  demand(fee.rateBps >= 0 && fee.rateBps <= maxBps, `${path}.rateBps`, `must be 0 to ${maxBps}`);
  demand(fee.taxBps >= 0 && fee.taxBps <= maxBps, `${path}.taxBps`, `must be 0 to ${maxBps}`);
  const { minimumMinor = 0n, maximumMinor } = fee;
  demand(minimumMinor >= 0n, `${path}.minimumMinor`, "must not be negative");
  if (maximumMinor !== undefined) {
    demand(maximumMinor >= minimumMinor, `${path}.maximumMinor`, "must not be below minimumMinor");
  }
}
