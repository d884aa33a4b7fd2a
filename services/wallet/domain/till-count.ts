import { formatMoney, type Money } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import type { CashRule } from "./cash-limit.js";
import type { Denomination } from "./denominations.js";

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

/** Whether a second person looks at a difference. */
export function needsSecondPerson({ differenceAboveMinor }: CashRule, differenceMinor: bigint): boolean {
  return (differenceMinor < 0n ? -differenceMinor : differenceMinor) > differenceAboveMinor;
}
