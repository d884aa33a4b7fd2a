import { divideRounded } from "../../kernel/decimal.js";
import { epochDayOf } from "./dates.js";
import { sumOfPart, type Line } from "./line.js";

/**
 * Interest of a period up to the start of a day: all of it from the period's end on, before that
 * the part of its real days that have passed, rounded half to even; the last day brings the rest.
 */
export function earnedAt(period: { from: string; to: string; earnedMinor: bigint }, today: string): bigint {
  if (today >= period.to) return period.earnedMinor;
  if (today <= period.from) return 0n;
  const from = epochDayOf(period.from);
  const [passed, all] = [epochDayOf(today) - from, epochDayOf(period.to) - from];
  return divideRounded(period.earnedMinor * BigInt(passed), BigInt(all), "half-even");
}

/**
 * Makes interest that is charged equal to a total, the oldest instalments first; gives back what
 * had been paid of what is not charged any more.
 */
export function chargeInterest(lines: readonly Line[], totalMinor: bigint): bigint {
  let left = totalMinor;
  let returned = 0n;
  for (const line of lines) {
    const retained = line.charged.INTEREST < left ? line.charged.INTEREST : left;
    line.charged.INTEREST = retained;
    left -= retained;
    if (line.paid.INTEREST > retained) {
      returned += line.paid.INTEREST - retained;
      line.paid.INTEREST = retained;
    }
  }
  const last = lines.at(-1);
  if (last !== undefined) last.charged.INTEREST += left;
  if (sumOfPart(lines, "charged", "INTEREST") !== totalMinor) throw new Error("interest is not what was earned");
  return returned;
}
