import type { BusinessClock } from "../../platform/preferences/business-clock.js";
import type { Call } from "../../kernel/grpc/context.js";
import type { Money } from "../../kernel/money.js";
import { passing, type Refusal } from "../../kernel/refusal.js";
import type { WalletAccount } from "../domain/account.js";
import { needsSecondPerson } from "../domain/till-count.js";
import { refusedByDayLimit, type DayPart } from "../domain/wallet-daily-limit.js";
import { limitOf, refusedByPaymentLimit } from "../domain/wallet-limit.js";
import type { Session } from "../store/collections.js";
import type { TenantStore, WalletStore } from "../store/index.js";
import type { WalletLimitsCache } from "../store/wallet-limits-cache.js";

export type DayLimits = ReturnType<typeof createDayLimits>;

/** The limits of every move out of a wallet: how much at once, and how much in a business day. */
export function createDayLimits(deps: { store: WalletStore; limits: WalletLimitsCache; businessClock: BusinessClock }) {
  const { store, limits, businessClock } = deps;
  return {
    /**
     * Before the first transaction, which reserves `part`; without a part the day is not limited.
     */
    async check(
      { accountId, currency }: WalletAccount,
      amount: Money,
      { tenantId, interactionId }: Call,
    ): Promise<{ refusal?: Refusal; part?: DayPart }> {
      const limit = limitOf(await limits.of(tenantId, accountId, currency), accountId);
      const refusal = refusedByPaymentLimit(limit, amount);
      if (refusal !== undefined) return { refusal };
      if (limit?.perDayMinor === undefined) return {};
      const day = (await businessClock.forTenant(tenantId, interactionId)).today().toString();
      await store.forTenant(tenantId).openDay(accountId, day);
      return { part: { accountId, day, amount } };
    },
  };
}

/**
 * In the first transaction. The day's sum is one document, so that moves at once wait for each
 * other. Throws the refusal.
 */
export async function reserveDayLimit(wallet: TenantStore, part: DayPart, session: Session): Promise<void> {
  const refusal = await dayLimitRefusal(wallet, part, session);
  if (refusal !== undefined) throw refusal;
  await wallet.spend(part.accountId, part.day, part.amount.minor, session);
}

/**
 * DAILY_LIMIT_EXCEEDED where the part is more than is left of its day, by the limits as they are in
 * this transaction. Of a difference it passes: asked again, a second person looks at it.
 */
export async function dayLimitRefusal(
  wallet: TenantStore,
  { accountId, day, amount, maxMinor, isDifference }: DayPart,
  session: Session,
): Promise<Refusal | undefined> {
  const spentMinor = await wallet.spentOn(accountId, day, session);
  if (isDifference === true && maxMinor !== undefined) {
    if (!needsSecondPerson({ differenceAboveMinor: maxMinor }, spentMinor, amount.minor)) return undefined;
    return passing("STATE_CONFLICT", "they count something else at this moment; count it anew");
  }
  if (maxMinor !== undefined) {
    return refusedByDayLimit(maxMinor, spentMinor, amount, "may be taken in cash in a day here");
  }
  const limit = limitOf(await wallet.limitsFor(accountId, amount.currency), accountId);
  return limit?.perDayMinor === undefined ? undefined : refusedByDayLimit(limit.perDayMinor, spentMinor, amount);
}

/** Gives it back to the day that it was taken from, whichever day it is now. */
export async function releaseDayLimit(wallet: TenantStore, part: DayPart | undefined, session: Session): Promise<void> {
  if (part !== undefined) await wallet.spend(part.accountId, part.day, -part.amount.minor, session);
}
