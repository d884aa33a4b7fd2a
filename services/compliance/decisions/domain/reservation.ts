import { assertInt64 } from "../../../kernel/money.js";
import { Refusal } from "../../../kernel/refusal.js";
import type { DayUsage, UsageChange } from "./day-usage.js";

/**
 * A reservation of a day's limit. HELD while its transaction may still happen, CONFIRMED once it
 * was paid, RELEASED when it will not happen, REFUNDED when it was undone after its payment; NONE
 * where the decision reserved nothing.
 */
export type ReservationState = "NONE" | "HELD" | "CONFIRMED" | "RELEASED" | "REFUNDED";

/** Holds an amount. Refuses AMOUNT_TOO_LARGE where the day's total would pass int64. */
export function hold(usage: DayUsage, amountMinor: bigint): UsageChange {
  assertInt64(usage.reservedMinor + usage.usedMinor + amountMinor, "the day's total");
  return { reservedMinor: amountMinor, usedMinor: 0n };
}

/** Counts an amount for good, of what follows its decision at once. Refuses as hold. */
export function spend(usage: DayUsage, amountMinor: bigint): UsageChange {
  const { reservedMinor } = hold(usage, amountMinor);
  return { reservedMinor: 0n, usedMinor: reservedMinor };
}

/**
 * The transaction was paid: what was held counts for good. A reservation given back counts too,
 * since the money did move; undefined when it counts already. Refuses STATE_CONFLICT where nothing
 * was ever reserved.
 */
export function confirm(state: ReservationState, amountMinor: bigint): UsageChange | undefined {
  switch (state) {
    case "HELD":
      return { reservedMinor: -amountMinor, usedMinor: amountMinor };
    case "RELEASED":
      return { reservedMinor: 0n, usedMinor: amountMinor };
    case "CONFIRMED":
    case "REFUNDED":
      return undefined;
    case "NONE":
      throw new Refusal("STATE_CONFLICT", "a transaction that was not approved cannot have been paid");
  }
}

/**
 * The transaction will not happen: what was held is given back; undefined when nothing is held.
 * Refuses STATE_CONFLICT once it is confirmed, since a paid transaction's part of the limit is
 * spent; save where it was spent before it was paid.
 */
export function release(state: ReservationState, amountMinor: bigint, spentAtOnce = false): UsageChange | undefined {
  if (state === "CONFIRMED" && spentAtOnce) return { reservedMinor: 0n, usedMinor: -amountMinor };
  if (state === "CONFIRMED") {
    throw new Refusal("STATE_CONFLICT", "the transaction was paid: its part of the limit is spent");
  }
  return state === "HELD" ? { reservedMinor: -amountMinor, usedMinor: 0n } : undefined;
}

/**
 * The transaction was refunded: its part of its own day's limit is free again, confirmed or not;
 * undefined when it is already. Refuses STATE_CONFLICT where nothing was ever reserved.
 */
export function giveBack(state: ReservationState, amountMinor: bigint): UsageChange | undefined {
  switch (state) {
    case "HELD":
      return { reservedMinor: -amountMinor, usedMinor: 0n };
    case "CONFIRMED":
      return { reservedMinor: 0n, usedMinor: -amountMinor };
    case "RELEASED":
    case "REFUNDED":
      return undefined;
    case "NONE":
      throw new Refusal("STATE_CONFLICT", "a transaction that was not approved cannot have been refunded");
  }
}
