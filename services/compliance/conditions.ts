import type { Money } from "../shared/money.js";

/** Met when every part that is given holds; empty lists and absent parts ask nothing. */
export interface RuleCondition {
  /** Compared only with amounts of its own currency; others do not meet it. */
  amountAtLeast?: Money;
  /** ISO 3166-1 alpha-3. */
  originCountries: string[];
  receivingCountries: string[];
}

export interface ConditionFacts {
  amount: Money;
  originCountry: string;
  receivingCountry: string;
}

/** Whether a transaction meets a rule's condition. */
export function conditionMet(condition: RuleCondition, facts: ConditionFacts): boolean {
  const { amountAtLeast, originCountries, receivingCountries } = condition;
  if (amountAtLeast !== undefined) {
    if (amountAtLeast.currency !== facts.amount.currency || facts.amount.minor < amountAtLeast.minor) return false;
  }
  if (originCountries.length > 0 && !originCountries.includes(facts.originCountry)) return false;
  return receivingCountries.length === 0 || receivingCountries.includes(facts.receivingCountry);
}
