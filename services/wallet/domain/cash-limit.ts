import type { Money } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import type { DayPart } from "./wallet-daily-limit.js";
import { limitText } from "./limit-text.js";
import type { Till } from "./till.js";
import type { WalletLimit } from "./wallet-limit.js";

/**
 * What cashiers may take in, in one currency; what is absent is as it is for all, then as
 * `defaultCashLimit`.
 */
export interface CashLimit {
  /** User id; "" for all cashiers. */
  readonly cashierId: string;
  readonly currency: string;
  /** Of one cash-in. */
  readonly perCashInMinor?: bigint;
  /** Of a cashier's cash-ins of a business day. */
  readonly perDayMinor?: bigint;
  /** In the till. */
  readonly tillMinor?: bigint;
  /** Above it a manager approves the cash-in. */
  readonly fourEyesAboveMinor?: bigint;
  /** Above it a manager approves that a till is closed short or over. */
  readonly differenceAboveMinor?: bigint;
}

export const cashLimitParts = [
  "perCashInMinor",
  "perDayMinor",
  "tillMinor",
  "fourEyesAboveMinor",
  "differenceAboveMinor",
] as const;

/** What holds for a cashier, in minor units. */
export type CashRule = Readonly<Record<(typeof cashLimitParts)[number], bigint>>;

/** Where a tenant has set nothing: minor units of whichever currency. */
export const defaultCashLimit: CashRule = {
  perCashInMinor: 10_000_000n,
  perDayMinor: 50_000_000n,
  tillMinor: 100_000_000n,
  fourEyesAboveMinor: 1_000_000n,
  differenceAboveMinor: 10_000n,
};

/** What holds for a cashier: each part their own, else that of all, else the platform's. */
export function cashRuleOf(limits: readonly CashLimit[], cashierId: string): CashRule {
  const own = limits.find((limit) => limit.cashierId === cashierId);
  const all = limits.find((limit) => limit.cashierId === "");
  const part = (name: keyof CashRule) => own?.[name] ?? all?.[name] ?? defaultCashLimit[name];
  return {
    perCashInMinor: part("perCashInMinor"),
    perDayMinor: part("perDayMinor"),
    tillMinor: part("tillMinor"),
    fourEyesAboveMinor: part("fourEyesAboveMinor"),
    differenceAboveMinor: part("differenceAboveMinor"),
  };
}

/** Refuses AMOUNT_OUT_OF_LIMITS: the cashier's, the wallet's, the till's. */
export function refusedByCashLimits(
  rule: CashRule,
  wallet: WalletLimit | undefined,
  till: Pick<Till, "expectedMinor">,
  amount: Money,
): Refusal | undefined {
  const over = (maxMinor: bigint, what: string) => above(maxMinor, amount, what);
  if (amount.minor > rule.perCashInMinor) return over(rule.perCashInMinor, "may be taken in cash at once");
  const ofWallet = wallet?.perCashInMinor;
  if (ofWallet !== undefined && amount.minor > ofWallet) {
    return over(ofWallet, "may be paid into this wallet in cash at once");
  }
  return refusedByTillLimit(rule, till.expectedMinor, amount);
}

/** Refuses AMOUNT_OUT_OF_LIMITS where the till would have more than it may; its float, too. */
export function refusedByTillLimit(
  { tillMinor }: Pick<CashRule, "tillMinor">,
  expectedMinor: bigint,
  amount: Money,
): Refusal | undefined {
  return expectedMinor + amount.minor > tillMinor ? above(tillMinor, amount, "may be in the till") : undefined;
}

const above = (maxMinor: bigint, amount: Money, what: string): Refusal =>
  new Refusal("AMOUNT_OUT_OF_LIMITS", `at most ${limitText(maxMinor, amount)} ${what}`, {
    figures: { limit: limitText(maxMinor, amount), currency: amount.currency },
  });

/** The parts of a day that a cash-in takes: the cashier's, and the wallet's where it is limited. */
export function dayPartsOfCashIn(
  by: { cashierId: string; accountId: string; day: string },
  rule: CashRule,
  wallet: WalletLimit | undefined,
  amount: Money,
): DayPart[] {
  const { cashierId, accountId, day } = by;
  const ofWallet = wallet?.cashInPerDayMinor;
  return [
    { accountId: `cashier:${cashierId}:${amount.currency}`, day, amount, maxMinor: rule.perDayMinor },
    ...(ofWallet === undefined ? [] : [{ accountId: `cash-in:${accountId}`, day, amount, maxMinor: ofWallet }]),
  ];
}
