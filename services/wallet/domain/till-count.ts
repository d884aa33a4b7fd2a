import { formatMoney, type Money } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import type { CashRule } from "./cash-limit.js";
import type { Denomination } from "./denominations.js";
import type { DayPart } from "./wallet-daily-limit.js";

/** What somebody counted in a till, beside what had to be in it then. Added, never changed. */
export interface TillCount {
  readonly countId: string;
  readonly tillId: string;
  readonly countedBy: string;
  readonly countedMinor: bigint;
  readonly expectedMinor: bigint;
  /** Counted less expected. */
  readonly differenceMinor: bigint;
  readonly denominations?: readonly Denomination[];
  /** The till was to be closed with it. */
  readonly isClosing?: true;
  /** Of its difference. */
  readonly reason?: string;
  readonly countedAt: Date;
}

/** Refuses DIFFERENCE_UNEXPLAINED where cash is short or over and nobody says why. */
export function unexplained(difference: Money, reason: string | undefined): Refusal | undefined {
  if (difference.minor === 0n || reason !== undefined) return undefined;
  const text = `${formatMoney(difference)} ${difference.currency}`;
  return new Refusal("DIFFERENCE_UNEXPLAINED", `there is a difference of ${text}: say why`, {
    errors: [{ path: "reason", message: "is required where there is a difference" }],
  });
}

const absolute = (minor: bigint): bigint => (minor < 0n ? -minor : minor);

/**
 * Whether a second person looks at a difference, after what the same person took alone that day.
 */
export function needsSecondPerson(
  { differenceAboveMinor }: Pick<CashRule, "differenceAboveMinor">,
  takenMinor: bigint,
  differenceMinor: bigint,
): boolean {
  return takenMinor + absolute(differenceMinor) > differenceAboveMinor;
}

/** What a person takes of their day alone, short or over. */
export const dayPartOfDifference = (
  { userId, day }: { userId: string; day: string },
  { differenceAboveMinor: maxMinor }: CashRule,
  { minor, currency }: Money,
): DayPart => ({
  accountId: `cash-difference:${userId}:${currency}`,
  day,
  amount: { minor: absolute(minor), currency },
  maxMinor,
  isDifference: true,
});
