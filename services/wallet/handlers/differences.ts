import { money } from "../../kernel/money.js";
import type { Call } from "../../kernel/grpc/context.js";
import { dayPartOfDifference, needsSecondPerson } from "../domain/till-count.js";
import type { DayPart } from "../domain/wallet-daily-limit.js";
import { cashRuleFor } from "./cash.js";
import type { WalletDeps } from "./deps.js";

/** What becomes of a difference. */
export interface DecidedDifference {
  /** A second person looks at it. */
  readonly isAbove: boolean;
  /** What whoever counted takes of their business day alone. */
  readonly spends: readonly DayPart[];
}

/**
 * What one person counts short and over in a currency is one sum a business day, in their tills
 * and of what vaults send: each alone would be small enough for ever. A difference that a second
 * person has looked at is not in it.
 */
export async function decideDifference(
  deps: WalletDeps,
  { userId, currency }: { userId: string; currency: string },
  differenceMinor: bigint,
  call: Call,
): Promise<DecidedDifference> {
  if (differenceMinor === 0n) return { isAbove: false, spends: [] };
  const rule = await cashRuleFor(deps, { cashierId: userId, currency }, call);
  const day = (await deps.businessClock.forTenant(call.tenantId, call.interactionId)).today().toString();
  const part = dayPartOfDifference({ userId, day }, rule, money(differenceMinor, currency));
  const wallet = deps.store.forTenant(call.tenantId);
  await wallet.openDay(part.accountId, day);
  const takenMinor = await wallet.spentOn(part.accountId, day);
  return { isAbove: needsSecondPerson(rule, takenMinor, differenceMinor), spends: [part] };
}
