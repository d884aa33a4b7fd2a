import type { Money } from "../../../kernel/money.js";
import { plainName } from "./plain-name.js";

export const measures = ["SUM", "COUNT", "DISTINCT", "AVERAGE", "MAX"] as const;
export const comparisons = ["ABOVE", "AT_LEAST"] as const;
export const distinctOf = ["RECIPIENTS", "RECEIVING_COUNTRIES"] as const;
/** Sending money: what limits and sums are about. */
export const movements = ["REMITTANCE", "WALLET_PAYMENT"] as const;
/** Cash at a desk: counted by itself, and asked about by its name only. */
export const cashOperations = ["CASH_IN", "CASH_OUT", "CASH_SALE"] as const;
/** What a customer asks for that moves no money yet. */
export const customerActions = ["LOAN_APPLICATION", "INVESTMENT"] as const;
export const operations = [...movements, ...cashOperations, ...customerActions] as const;
export const riskProfiles = ["LOW", "MEDIUM", "HIGH"] as const;

export type Measure = (typeof measures)[number];
export type Operation = (typeof operations)[number];
export type CashOperation = (typeof cashOperations)[number];
export type CustomerAction = (typeof customerActions)[number];
export type RiskProfile = (typeof riskProfiles)[number];

/** Amounts from `from` up to, not including, `below`; both of at most two significant digits. */
export interface AmountBand {
  from: Money;
  below: Money;
}

/** A figure over the customer's past and the transaction itself, compared with a threshold. */
export interface Aggregate {
  measure: Measure;
  /**
   * For DISTINCT. CASH, for SUM, COUNT and MAX: cash at desks instead of what was sent, all
   * currencies in the tenant's base currency.
   */
  of?: (typeof distinctOf)[number] | "CASH";
  /** Calendar days in the tenant's time zone, today included. */
  days: number;
  comparison: (typeof comparisons)[number];
  /** For SUM, AVERAGE and MAX, which look at this currency only. */
  amount?: Money;
  /** For COUNT and DISTINCT. */
  count?: bigint;
  /** Empty means all. */
  receivingCountries: string[];
  sourcesOfFunds: string[];
  /** For COUNT. */
  band?: AmountBand;
}

/** Met when every part that is given holds; empty lists and absent parts ask nothing. */
export interface RuleCondition {
  /** Amounts are compared only in their own currency; others do not meet it. */
  amountAtLeast?: Money;
  amountAbove?: Money;
  amountBelow?: Money;
  /** ISO 3166-1 alpha-3. */
  originCountries: string[];
  receivingCountries: string[];
  /** In the form of `plainName`. */
  purposes: string[];
  sourcesOfFunds: string[];
  newBeneficiary?: boolean;
  riskProfiles: RiskProfile[];
  aggregates: Aggregate[];
  /** Empty means every movement of money; cash and actions are asked about by their names only. */
  operations: Operation[];
}

export const noCondition: RuleCondition = {
  originCountries: [],
  receivingCountries: [],
  purposes: [],
  sourcesOfFunds: [],
  riskProfiles: [],
  aggregates: [],
  operations: [],
};

export interface ConditionFacts {
  amount: Money;
  originCountry: string;
  receivingCountry: string;
  remittancePurpose: string;
  sourceOfFunds: string;
  operation: Operation;
}

/** What a condition asks beside the transaction itself. */
export interface ConditionContext {
  newBeneficiary: boolean;
  profile: RiskProfile;
  /**
   * An aggregate's figures: of an average its sum and its count, of any other measure one. Throws
   * where they are missing.
   */
  figures(aggregate: Aggregate): readonly bigint[];
}

/**
 * Whether a transaction meets a rule's condition. Throws where a figure that it needs is missing.
 */
export function conditionMet(condition: RuleCondition, facts: ConditionFacts, context: ConditionContext): boolean {
  return (
    coversOperation(condition.operations, facts.operation) &&
    isAmong(condition.originCountries, facts.originCountry) &&
    isAmong(condition.receivingCountries, facts.receivingCountry) &&
    isNamed(condition.purposes, facts.remittancePurpose) &&
    isNamed(condition.sourcesOfFunds, facts.sourceOfFunds) &&
    isAmong(condition.riskProfiles, context.profile) &&
    (condition.newBeneficiary === undefined || condition.newBeneficiary === context.newBeneficiary) &&
    amountMet(condition, facts.amount) &&
    condition.aggregates.every((aggregate) => aggregateMet(aggregate, context.figures))
  );
}

/** Whether it sends money, and so is counted in limits and sums. */
export function isMovement(operation: Operation): boolean {
  return movements.some((one) => one === operation);
}

export function isCash(operation: Operation): boolean {
  return cashOperations.some((one) => one === operation);
}

/** Whether an approval of it is counted in the sums of its customer's day. */
export function isCounted(operation: Operation): boolean {
  return isMovement(operation) || isCash(operation);
}

function coversOperation(operations: readonly Operation[], operation: Operation): boolean {
  return operations.length === 0 ? isMovement(operation) : operations.includes(operation);
}

function isAmong<T>(list: readonly T[], value: T): boolean {
  return list.length === 0 || list.includes(value);
}

function isNamed(list: readonly string[], text: string): boolean {
  return list.length === 0 || list.includes(plainName(text));
}

function amountMet({ amountAtLeast, amountAbove, amountBelow }: RuleCondition, { minor, currency }: Money): boolean {
  return (
    (amountAtLeast === undefined || (amountAtLeast.currency === currency && minor >= amountAtLeast.minor)) &&
    (amountAbove === undefined || (amountAbove.currency === currency && minor > amountAbove.minor)) &&
    (amountBelow === undefined || (amountBelow.currency === currency && minor < amountBelow.minor))
  );
}

/**
 * Whether a figure is beyond its threshold. An average is compared as sum against threshold ×
 * count, without dividing.
 */
function aggregateMet(aggregate: Aggregate, figures: ConditionContext["figures"]): boolean {
  const { measure, comparison, amount, count } = aggregate;
  const [value = 0n, transactions = 0n] = figures(aggregate);
  const threshold = amount?.minor ?? count;
  if (threshold === undefined) throw new Error(`an aggregate by ${measure} has no threshold`);
  if (measure !== "AVERAGE") return isBeyond(comparison, value, threshold);
  return transactions > 0n && isBeyond(comparison, value, threshold * transactions);
}

function isBeyond(comparison: Aggregate["comparison"], figure: bigint, bound: bigint): boolean {
  return comparison === "ABOVE" ? figure > bound : figure >= bound;
}
