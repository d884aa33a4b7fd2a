import { formatMoney, type Money } from "../../shared/money.js";
import { Refusal } from "../../shared/refusal.js";

/** How much may leave by payments: of one wallet, or of every wallet of the tenant in a currency. */
export interface WalletLimit {
  /** "" for the tenant's own, which holds where an account has none. */
  readonly accountId: string;
  readonly currency: string;
  readonly perPaymentMinor?: bigint;
  readonly perDayMinor?: bigint;
}

/** What holds for an account: its own limit where it has one, else the tenant's. */
export function limitOf(limits: readonly WalletLimit[], accountId: string): WalletLimit | undefined {
  return limits.find((limit) => limit.accountId === accountId) ?? limits.find((limit) => limit.accountId === "");
}

/** Refuses AMOUNT_OUT_OF_LIMITS. */
export function refusedByPaymentLimit(limit: WalletLimit | undefined, total: Money): Refusal | undefined {
  const most = limit?.perPaymentMinor;
  if (most === undefined || total.minor <= most) return undefined;
  return new Refusal("AMOUNT_OUT_OF_LIMITS", `at most ${text(most, total)} may be paid at once from this wallet`);
}

/** DAILY_LIMIT_EXCEEDED, when what was spent that day and this are too much together. */
export function refusedByDayLimit(mostMinor: bigint, spentMinor: bigint, total: Money): Refusal | undefined {
  if (spentMinor + total.minor <= mostMinor) return undefined;
  return new Refusal(
    "DAILY_LIMIT_EXCEEDED",
    `at most ${text(mostMinor, total)} may be paid in a day from this wallet`,
    {
      figures: { limit: text(mostMinor, total), spent: text(spentMinor, total), currency: total.currency },
    },
  );
}

const text = (minor: bigint, { currency }: Money): string => formatMoney({ minor, currency });
