import type { Money } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import { limitText } from "./limit-text.js";

/**
 * A part of a day's limit: reserved when a move begins, and released to the same day as far as
 * nothing leaves. Every move out of a wallet reserves one: payments, holds, exchanges and cash out.
 */
export interface DayPart {
  /** The wallet account, or what else has a day: see cash-limit.ts. */
  readonly accountId: string;
  /** The tenant's business day, "2026-11-21". */
  readonly day: string;
  readonly amount: Money;
  /** Of the day; the wallet's own limit where absent. */
  readonly maxMinor?: bigint;
  /** Counted short or over: above the limit it is no refusal, a manager is asked. */
  readonly isDifference?: true;
}

/** Refuses DAILY_LIMIT_EXCEEDED, when what was spent that day and this are too much together. */
export function refusedByDayLimit(
  maxMinor: bigint,
  spentMinor: bigint,
  total: Money,
  what = "may be paid in a day from this wallet",
): Refusal | undefined {
  if (spentMinor + total.minor <= maxMinor) return undefined;
  return new Refusal("DAILY_LIMIT_EXCEEDED", `at most ${limitText(maxMinor, total)} ${what}`, {
    figures: { limit: limitText(maxMinor, total), spent: limitText(spentMinor, total), currency: total.currency },
  });
}
