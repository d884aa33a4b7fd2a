import type { Money } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import { limitText } from "./limit-text.js";

/**
 * How much may leave, and come in as cash: of one wallet, or of every wallet of the tenant in a
 * currency.
 */
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

/** What holds for an account: its own limit where it has one, else the tenant's. */
export function limitOf(limits: readonly WalletLimit[], accountId: string): WalletLimit | undefined {
  return limits.find((limit) => limit.accountId === accountId) ?? limits.find((limit) => limit.accountId === "");
}

/** Refuses AMOUNT_OUT_OF_LIMITS. */
export function refusedByPaymentLimit(limit: WalletLimit | undefined, total: Money): Refusal | undefined {
  const maxMinor = limit?.perPaymentMinor;
  if (maxMinor === undefined || total.minor <= maxMinor) return undefined;
  return new Refusal(
    "AMOUNT_OUT_OF_LIMITS",
    `at most ${limitText(maxMinor, total)} may be paid at once from this wallet`,
    {
      figures: { maximum: limitText(maxMinor, total), currency: total.currency },
    },
  );
}
