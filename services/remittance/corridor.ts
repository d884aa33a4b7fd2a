import { isCurrency } from "../shared/currencies.js";
import { isCountry } from "../shared/countries.js";
import { Refusal, type RefusalDetails } from "../shared/refusal.js";

export const deliveryMethods = ["ACCOUNTPAYMENT", "MOBILE_MONEY", "CASH_PICKUP", "WALLET"] as const;
export type DeliveryMethod = (typeof deliveryMethods)[number];

/** A fee in the send currency: fixed plus basis points of the principal, kept within minimum and maximum. */
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
}

/** What identifies a corridor in its tenant. Countries are alpha-3. */
export interface CorridorKey {
  originCountry: string;
  sendCurrency: string;
  receivingCountry: string;
  receivingCurrency: string;
}

export interface CorridorContent extends CorridorKey {
  deliveryMethods: DeliveryMethod[];
  /** Limits of what is exchanged, in the send currency. */
  minimumMinor: bigint;
  maximumMinor: bigint;
  fees: FeeRule[];
  enabled: boolean;
}

export interface Corridor extends CorridorContent {
  /** 1, 2, 3… per corridor; every version is kept. */
  version: number;
}

const maxFees = 20;
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
  const [first] = errors;
  if (first !== undefined) throw new Refusal("INVALID_INPUT", `${first.path}: ${first.message}`, { errors });
  return corridor;
}

function checkFee(fee: FeeRule, path: string, demand: (holds: boolean, path: string, message: string) => void): void {
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
