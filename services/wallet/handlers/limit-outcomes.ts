import { amountChangeOf } from "../../platform/approvals/approval-changes.js";
import { setEffects } from "../../platform/approvals/approval-effects.js";
import type { OutcomeHandler } from "../../platform/approvals/approval-outcomes.js";
import { cashLimitParts, type CashLimit } from "../domain/cash-limit.js";
import type { WalletStore } from "../store/index.js";
import type { WalletLimit } from "../domain/wallet-limit.js";
import type { WalletLimitsCache } from "../store/wallet-limits-cache.js";

/** Tells an approval of kind LIMIT_CHANGE about cash from one about wallets. */
export const aboutCash = "CASH";

/** Sets the limit that a second person has approved. */
export function limitOutcome(store: WalletStore, limits: Pick<WalletLimitsCache, "forget">): OutcomeHandler {
  const ofCash = cashLimitOutcome(store);
  return async (outcome, session, call, effects) => {
    const { status, payload, subject } = outcome;
    if (payload["about"] === aboutCash) return ofCash(outcome, session, call, effects);
    if (status !== "APPROVED") return;
    const { accountId, currency, perPayment, perDay, perCashIn, cashInPerDay } = payload as Record<
      string,
      string | undefined
    >;
    const limit = {
      accountId: accountId ?? "",
      currency: currency ?? "",
      ...(perPayment !== undefined && { perPaymentMinor: BigInt(perPayment) }),
      ...(perDay !== undefined && { perDayMinor: BigInt(perDay) }),
      ...(perCashIn !== undefined && { perCashInMinor: BigInt(perCashIn) }),
      ...(cashInPerDay !== undefined && { cashInPerDayMinor: BigInt(cashInPerDay) }),
    };
    const wallet = store.forTenant(call.tenantId);
    const held = heldWalletLimit(await wallet.listLimits(), limit);
    await wallet.setLimit(limit, session);
    effects.add(...setEffects("LIMIT_SET", subject, walletLimitChanges(held, limit)));
    limits.forget(call.tenantId, currency ?? "");
  };
}

function cashLimitOutcome(store: WalletStore): OutcomeHandler {
  return async ({ status, payload, subject }, session, call, effects) => {
    if (status !== "APPROVED") return;
    const { cashierId, currency, parts } = payload as { cashierId: string; currency: string; parts: object };
    const minors = Object.entries(parts).map(([part, minor]) => [part, BigInt(minor as string)]);
    const limit: CashLimit = { cashierId, currency, ...Object.fromEntries(minors) };
    const wallet = store.forTenant(call.tenantId);
    const held = (await wallet.cashLimitsFor(cashierId, currency)).find((one) => one.cashierId === cashierId);
    await wallet.setCashLimit(limit, session);
    effects.add(...setEffects("LIMIT_SET", subject, cashLimitChanges(held, limit)));
  };
}

/** The limit of the same wallet, or of all, as it is. */
export function heldWalletLimit(
  limits: readonly WalletLimit[],
  { accountId, currency }: WalletLimit,
): WalletLimit | undefined {
  return limits.find((one) => one.accountId === accountId && one.currency === currency);
}

/** What an approval shows of a limit of cash. */
export function cashLimitChanges(held: CashLimit | undefined, limit: CashLimit) {
  return cashLimitParts.flatMap((part) =>
    amountChangeOf(part.replace(/Minor$/, ""), held?.[part], limit[part], limit.currency),
  );
}

/** What an approval shows of a limit of wallets. */
export function walletLimitChanges(held: WalletLimit | undefined, limit: WalletLimit) {
  const parts = ["perPayment", "perDay", "perCashIn", "cashInPerDay"] as const;
  return parts.flatMap((part) => amountChangeOf(part, held?.[`${part}Minor`], limit[`${part}Minor`], limit.currency));
}
