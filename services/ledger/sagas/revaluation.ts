import { crashPoint } from "../../kernel/process/crash-point.js";
import { Refusal } from "../../kernel/refusal.js";
import { dayText, noonIn, parseDay, startIn, type Day } from "../domain/days.js";
import type { MiddleRate } from "../domain/middle-rates.js";
import { soleAccount } from "../domain/own-accounts.js";
import type { PositionBook } from "../domain/position-fold.js";
import {
  dayEnds,
  fits,
  isAtRates,
  revalue,
  unpriced,
  unrevaluedDays,
  type DayEndPosition,
  type Revaluation,
  type RevaluationPosting,
} from "../domain/revaluation.js";
import type { PositionCaller, PositionDeps } from "./positions.js";
import { resultTransfer } from "./positions.js";

export type Revaluations = ReturnType<typeof createRevaluations>;

/** How a day is revalued, and whether it is asked for or only missing. */
interface Revaluing extends PositionCaller {
  /** A user, or "ledger". */
  readonly revaluedBy: string;
  /** Whether rates that changed since make another round. */
  readonly isAsked: boolean;
}

/**
 * Revalues what is left of positions at the end of days. A round is stored first with what it
 * posts, under keys of day, position and round, so whoever was killed is gone on with alike.
 */
export function createRevaluations(deps: PositionDeps) {
  const { store, positions, middleRates, businessClock, clock } = deps;

  async function endsFrom({ tenantId }: PositionCaller, books: readonly PositionBook[], first: Day, last: Day) {
    return dayEnds(books, await positions.forTenant(tenantId).movesAfter(first), first, last);
  }

  const closedThrough = async (tenantId: string) => (await store.forTenant(tenantId).findHead())?.closedThrough;

  /** What held at the end of a day, of the currencies that are left then. */
  async function ratesAt({ tenantId }: PositionCaller, day: Day, ends: readonly DayEndPosition[]) {
    const rates: MiddleRate[] = [];
    for (const [base, left] of Map.groupBy(ends, (end) => end.base)) {
      const currencies = left.map(({ currency }) => currency);
      rates.push(...(await middleRates.forTenant(tenantId).atDayEnd(day, base, currencies)));
    }
    return rates;
  }

  return {
    /** Whether a day's revaluation is of just what was left, as far as that is known now. */
    async isCurrent(call: PositionCaller, books: readonly PositionBook[], done: Revaluation): Promise<boolean> {
      const ends = await endsFrom(call, books, done.day, done.day);
      return unrevaluedDays(ends, [done], books).length === 0;
    },

    /**
     * Revalues a day of books that are counted to their end, unless it is done. Refuses
     * PERIOD_CLOSED, and RATE_NOT_AVAILABLE naming each currency.
     */
    async revalueDay(call: Revaluing, books: readonly PositionBook[], day: Day): Promise<Revaluation> {
      const { tenantId, interactionId, revaluedBy, isAsked } = call;
      const tenant = positions.forTenant(tenantId);
      for (;;) {
        const before = await tenant.findRevaluation(day);
        if (before !== undefined && before.toPost.length > 0) {
          await post(deps, call, before.toPost);
          crashPoint("ledger.revaluation.posted");
          await tenant.putRevaluation(before, { ...before, toPost: [] });
          continue;
        }
        const ends = (await endsFrom(call, books, day, day)).get(day) ?? [];
        const rates = await ratesAt(call, day, ends);
        const isDone = before !== undefined && fits(before, ends) && (!isAsked || isAtRates(before, rates));
        if (isDone) return before;
        const closed = await closedThrough(tenantId);
        if (closed !== undefined && day <= closed) {
          throw new Refusal("PERIOD_CLOSED", `${dayText(day)} is closed, the first open day is ${dayText(closed + 1)}`);
        }
        refuseUnpriced(day, ends, rates, books);
        const { timeZone } = await businessClock.forTenant(tenantId, interactionId);
        const [effectiveAtMs, backAtMs] = [noonIn(timeZone, day), startIn(timeZone, day + 1)];
        const by = { day, revaluedBy, revaluedAt: clock.now(), effectiveAtMs, backAtMs };
        await tenant.putRevaluation(before, revalue(before, ends, rates, by));
        crashPoint("ledger.revaluation.stored");
      }
    },
  };
}

/** Throws for days that no calendar has. */
export function dayOfDate(date: Temporal.PlainDate): Day {
  return parseDay(date.toString())!;
}

function refuseUnpriced(
  day: Day,
  ends: readonly DayEndPosition[],
  rates: readonly MiddleRate[],
  books: readonly PositionBook[],
): void {
  const waiting = books.flatMap((book) => (book.waiting === undefined || book.waiting.day > day ? [] : [book.waiting]));
  const missing = new Set([...unpriced(ends, rates), ...waiting.flatMap(({ currencies }) => currencies)]);
  if (missing.size === 0) return;
  const errors = [...missing].map((currency) => ({ path: `rates.${currency}`, message: "no middle rate is known" }));
  const message = `no middle rate of ${[...missing].join(", ")} is known for ${dayText(day)}`;
  // A rate may come, and the same key goes through then.
  throw new Refusal("RATE_NOT_AVAILABLE", message, { errors, retryAfterS: 60 });
}

/** Each position's result on the day and back on the next, together or not at all. */
async function post(
  { store, ownPosting, clock }: PositionDeps,
  { tenantId, interactionId, revaluedBy: createdBy }: Revaluing,
  toPost: readonly RevaluationPosting[],
): Promise<void> {
  const needed = toPost.flatMap(({ code, base }) => [code, "fx_result"].map((one) => ({ code: one, base })));
  await store.forTenant(tenantId).ensureAccounts(needed.map(({ code, base }) => soleAccount(code, base, clock.now())));
  const groups = toPost.map(({ key, effectiveAtMs, backAtMs, rate, ...result }) => {
    const metadata = rate === "" ? [] : [["rate:0", rate] as const];
    const what = { kind: "fx_revaluation", refusesLate: true, metadata } as const;
    const on = { ...what, key, effectiveAtMs, description: `Revaluation of ${result.currency}` };
    const description = `Revaluation of ${result.currency}, taken back`;
    const back = { ...what, key: `${key}:back`, effectiveAtMs: backAtMs, description };
    const transfers = [resultTransfer(result, on), resultTransfer({ ...result, minor: -result.minor }, back)];
    return { transfers, createdBy, interactionId };
  });
  for (const { refused } of await ownPosting.post(tenantId, groups)) {
    if (refused === undefined) continue;
    if (refused.code === "PERIOD_CLOSED") throw new Refusal("PERIOD_CLOSED", refused.message ?? "");
    throw new Refusal("STATE_CONFLICT", `not posted: ${refused.code} ${refused.message}`);
  }
}
