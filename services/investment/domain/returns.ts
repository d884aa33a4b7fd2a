import { Decimal } from "decimal.js";
import { daysBetween } from "../../kernel/time/day-count.js";
import { xirr, type CashFlow } from "./xirr.js";

/** What happened to a holding's money on a day, minor units. */
export interface ReturnEvent {
  readonly date: Temporal.PlainDate;
  /**
   * BUY gives money, SELL gets it back with its gain, INCOME gets interest or a dividend. REINVEST
   * is income that is given again at once.
   */
  readonly kind: "BUY" | "SELL" | "INCOME" | "REINVEST";
  /** Bought or sold. */
  readonly units: bigint;
  /** Before costs: what was paid for the units, or what they or the income brought. */
  readonly grossMinor: bigint;
  /** Penalties and taxes that were kept of it. */
  readonly costMinor: bigint;
}

export interface Returns {
  /** Cost of what is held now, by average price. */
  readonly investedMinor: bigint;
  /** Gains, realised and not, before penalties and taxes; and after them. */
  readonly grossGainMinor: bigint;
  readonly netGainMinor: bigint;
  /** What was invested on an average day on which something was. */
  readonly timeWeightedInvestment: Decimal;
  /** Gains over the time-weighted investment; fractions. */
  readonly grossReturn: Decimal;
  readonly netReturn: Decimal;
  /** Days on which something was invested. */
  readonly daysInvested: number;
  /** Money-weighted, a year; undefined where there is none. */
  readonly xirr?: Decimal;
}

const D = Decimal.clone({ precision: 40 });

/**
 * Returns of a holding that is worth `valueMinor` at `date`. Sales take cost out at the average
 * price, so that gains stay right after partial sales; percentages are over the time-weighted
 * investment (return on average investment). Events are in order.
 */
export function returnsOf(events: readonly ReturnEvent[], valueMinor: bigint, date: Temporal.PlainDate): Returns {
  let units = 0n;
  let invested = new D(0);
  let gross = 0n;
  let cost = 0n;
  let weighted = new D(0);
  let days = 0;
  let last: Temporal.PlainDate | undefined;
  const flows: CashFlow[] = [];
  const passTo = (day: Temporal.PlainDate) => {
    const passed = last === undefined || units === 0n ? 0 : daysBetween(last, day);
    weighted = weighted.plus(invested.times(passed));
    days += passed;
    last = day;
  };
  for (const { date: day, kind, units: moved, grossMinor, costMinor } of events) {
    passTo(day);
    cost += costMinor;
    const amount = new D(grossMinor.toString());
    switch (kind) {
      case "BUY":
        units += moved;
        invested = invested.plus(amount);
        gross -= grossMinor;
        flows.push({ date: day, minor: -grossMinor - costMinor });
        break;
      case "SELL":
        invested = units === 0n ? invested : invested.times((units - moved).toString()).div(units.toString());
        units -= moved;
        gross += grossMinor;
        flows.push({ date: day, minor: grossMinor - costMinor });
        break;
      case "INCOME":
        gross += grossMinor;
        flows.push({ date: day, minor: grossMinor - costMinor });
        break;
      case "REINVEST":
        // Gained and invested again: it shows in what the holding is worth.
        invested = invested.plus(amount);
        gross += costMinor;
        break;
    }
  }
  passTo(date);
  if (valueMinor > 0n) flows.push({ date, minor: valueMinor });
  const grossGainMinor = gross + valueMinor;
  const netGainMinor = grossGainMinor - cost;
  const average = days === 0 ? invested : weighted.div(days);
  const over = (minor: bigint) => (average.isZero() ? new D(0) : new D(minor.toString()).div(average));
  const rate = xirr(flows);
  return {
    investedMinor: BigInt(invested.toFixed(0)),
    grossGainMinor,
    netGainMinor,
    timeWeightedInvestment: average,
    grossReturn: over(grossGainMinor),
    netReturn: over(netGainMinor),
    daysInvested: days,
    ...(rate !== undefined && { xirr: rate }),
  };
}
