import type { BusinessClock } from "../../shared/clocks/business-clock.js";
import type { Call } from "../../shared/grpc/context.js";
import type { Money } from "../../shared/money.js";
import type { Refusal } from "../../shared/refusal.js";
import type { WalletAccount } from "../domain/account.js";
import { limitOf, refusedByDayLimit, refusedByPaymentLimit, type DayPart } from "../domain/limits.js";
import type { Limits } from "./limits-cache.js";
import type { Session, TenantStore, WalletStore } from "./index.js";

export type DayLimits = ReturnType<typeof createDayLimits>;

/** What every move out of a wallet is bound by: how much at once, and how much in a business day. */
export function createDayLimits(deps: { store: WalletStore; limits: Limits; businessClock: BusinessClock }) {
  const { store, limits, businessClock } = deps;
  return {
    /** Before the first transaction. `part` is for it to take; without one the day is not limited. */
    async bound(
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

/** In the first transaction: the day's sum is one document, so that moves at the same time wait for each other. Throws the refusal. */
export async function takeOfDay(wallet: TenantStore, part: DayPart, session: Session): Promise<void> {
  const refusal = await refusedByDay(wallet, part, session);
  if (refusal !== undefined) throw refusal;
  await wallet.spend(part.accountId, part.day, part.amount.minor, session);
}

export async function refusedByDay(wallet: TenantStore, part: DayPart, session: Session) {
  const { accountId, day, amount, maxMinor } = part;
  const spentMinor = await wallet.spentOn(accountId, day, session);
  if (maxMinor !== undefined) {
    return refusedByDayLimit(maxMinor, spentMinor, amount, "may be taken in cash in a day here");
  }
  const limit = limitOf(await wallet.limitsFor(accountId, amount.currency), accountId);
  return limit?.perDayMinor === undefined ? undefined : refusedByDayLimit(limit.perDayMinor, spentMinor, amount);
}

/** To the day that it was taken from, whichever day it is now. */
export async function giveBackToDay(wallet: TenantStore, part: DayPart | undefined, session: Session): Promise<void> {
  if (part !== undefined) await wallet.spend(part.accountId, part.day, -part.amount.minor, session);
}
