import { Refusal } from "../../kernel/refusal.js";
import { plainWeek } from "./calendar.js";
import { daysBetween } from "../../kernel/time/day-count.js";
import { scheduleOf, type ScheduleTerms } from "./schedule.js";

/**
 * Refuses terms under which an instalment after the grace would repay nothing of what is owed, as
 * where the interest of a long first period is more than the level payment: AMOUNT_OUT_OF_LIMITS
 * with the latest first due date that would do, else with the most instalments.
 */
export function checkRepaying(terms: ScheduleTerms): void {
  if (isRepaying(terms)) return;
  const { startsOn, firstDueOn, instalments } = terms;
  if (firstDueOn !== undefined) {
    const dueAfter = (days: number) => startsOn.add({ days });
    const requested = daysBetween(startsOn, firstDueOn);
    const days = maxThatDoes(requested, (each) => isRepaying({ ...terms, firstDueOn: dueAfter(each) }));
    if (days > 0) {
      const why = "with a longer first period its interest is more than an instalment";
      throw outside("firstDueOn", `must be ${dueAfter(days).toString()} or earlier: ${why}`);
    }
  }
  const { firstDueOn: _given, ...regular } = terms;
  const most = maxThatDoes(instalments, (each) => isRepaying(withInstalments(regular, each)));
  throw outside("instalments", `must be at most ${most}: of more, some would repay nothing`);
}

function isRepaying(terms: ScheduleTerms): boolean {
  // Which day is worked on changes no amount.
  const schedule = scheduleOf({ ...terms, businessDayRule: "NONE" }, plainWeek);
  const repaying = schedule.slice(terms.principalGrace);
  return repaying.every(({ principalMinor, balanceMinor }) => principalMinor > 0n || balanceMinor === 0n);
}

function withInstalments(terms: ScheduleTerms, instalments: number): ScheduleTerms {
  const grace = (periods: number): number => Math.min(periods, instalments - 1);
  return {
    ...terms,
    instalments,
    principalGrace: grace(terms.principalGrace),
    interestGrace: grace(terms.interestGrace),
  };
}

/** The most below `asked` that does, where less does too; 0 where not even 1 does. */
function maxThatDoes(requested: number, does: (count: number) => boolean): number {
  let [low, high] = [0, requested];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (does(middle)) low = middle;
    else high = middle;
  }
  return low;
}

function outside(path: string, message: string): Refusal {
  return new Refusal("AMOUNT_OUT_OF_LIMITS", `${path} ${message}`, { errors: [{ path, message }] });
}
