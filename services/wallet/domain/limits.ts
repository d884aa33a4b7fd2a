import { formatMoney, type Money } from "../../shared/money.js";
import { Refusal } from "../../shared/refusal.js";

/** How much may leave, and come in as cash: of one wallet, or of every wallet of the tenant in a currency. */
export interface WalletLimit {
  /** "" for the tenant's own, which holds where an account has none. */
  readonly accountId: string;
  readonly currency: string;
  readonly perPaymentMinor?: bigint;
  readonly perDayMinor?: bigint;
  /** Of cash into it. */
  readonly perCashInMinor?: bigint;
  readonly cashInPerDayMinor?: bigint;
}

/**
 * A part of what may leave a wallet in a day: taken when its move begins, given back to the same day as far as nothing leaves. Every
 * move out of a wallet takes it: payments of each kind, holds, exchanges and cash out.
 */
export interface DayPart {
  /** The wallet account, or what else has a day: see cash.ts. */
  readonly accountId: string;
  /** The tenant's business day, "2026-11-21". */
  readonly day: string;
  readonly amount: Money;
  /** Of the day; the wallet's own limit where absent. */
  readonly maxMinor?: bigint;
}

/** What holds for an account: its own limit where it has one, else the tenant's. */
export function limitOf(limits: readonly WalletLimit[], accountId: string): WalletLimit | undefined {
  return limits.find((limit) => limit.accountId === accountId) ?? limits.find((limit) => limit.accountId === "");
}

/** Refuses AMOUNT_OUT_OF_LIMITS. */
export function refusedByPaymentLimit(limit: WalletLimit | undefined, total: Money): Refusal | undefined {
  const most = limit?.perPaymentMinor;
  if (most === undefined || total.minor <= most) return undefined;
  return new Refusal("AMOUNT_OUT_OF_LIMITS", `at most ${text(most, total)} may be paid at once from this wallet`, {
    figures: { maximum: text(most, total), currency: total.currency },
  });
}

/** DAILY_LIMIT_EXCEEDED, when what was spent that day and this are too much together. */
export function refusedByDayLimit(
  maxMinor: bigint,
  spentMinor: bigint,
  total: Money,
  what = "may be paid in a day from this wallet",
): Refusal | undefined {
  if (spentMinor + total.minor <= maxMinor) return undefined;
  return new Refusal("DAILY_LIMIT_EXCEEDED", `at most ${text(maxMinor, total)} ${what}`, {
    figures: { limit: text(maxMinor, total), spent: text(spentMinor, total), currency: total.currency },
  });
}

const text = (minor: bigint, { currency }: Money): string => formatMoney({ minor, currency });
