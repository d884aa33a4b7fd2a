import { formatMoney, money, type Money } from "../../../kernel/money.js";
import { isMovement } from "./conditions.js";
import type { DayUsage } from "./day-usage.js";
import type { Policy } from "./policy.js";
import type { TransactionFacts } from "./transaction.js";

/**
 * What the daily limit leaves of the day, never below zero; undefined where none is set for the
 * currency, or no money is sent.
 */
export function leftOfDay(
  policy: Policy,
  { facts, usage }: { facts: TransactionFacts; usage: DayUsage },
): Money | undefined {
  if (!isMovement(facts.operation)) return undefined;
  const limit = limitOf(policy, facts.amount.currency);
  if (limit === undefined) return undefined;
  const left = limit.minor - usage.reservedMinor - usage.usedMinor;
  return money(left > 0n ? left : 0n, limit.currency);
}

/** What is left of the day where the amount is more than that; undefined where it may pass. */
export function tooLittleLeft(policy: Policy, inputs: { facts: TransactionFacts; usage: DayUsage }): Money | undefined {
  const left = leftOfDay(policy, inputs);
  return left !== undefined && inputs.facts.amount.minor > left.minor ? left : undefined;
}

/** Fit for the customer's eyes. */
export function limitMessage(policy: Policy, currency: string, left: Money): string {
  const limit = limitOf(policy, currency)!;
  return `the daily limit is ${formatMoney(limit)} ${currency}, of which ${formatMoney(left)} ${currency} is left today`;
}

function limitOf(policy: Policy, currency: string): Money | undefined {
  return policy.dailyLimits.find((limit) => limit.currency === currency);
}
