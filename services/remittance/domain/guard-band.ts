import { parseDecimal, type Decimal } from "../../kernel/decimal.js";
import type { CurrencyPair, NewRate, Rate } from "./rate.js";

/** A rate that waits for a person, or whose decision still counts. */
export interface HeldRate extends CurrencyPair {
  heldId: string;
  installationId: string;
  source: string;
  rate: string;
  validFrom: Date;
  /** Reckoned from when the source said it last. */
  validUntil: Date;
  /** What held then; absent where the pair had no rate at all. */
  beforeRate?: string;
  guardPercent: number;
  status: "WAITING" | "APPROVED" | "REJECTED" | "CLOSED";
  /** One of a pair is open: what waits, and what was decided until the rate is back in the band. */
  isOpen: boolean;
  heldAt: Date;
  /** Absent until identity has the question. */
  approvalId?: string;
  decidedBy?: string;
  closedAt?: Date;
}

/** A rate as a source says it, with its end where that was said and not reckoned. */
export interface ReadRate {
  rate: NewRate & { validUntil: Date };
  isUntilStated: boolean;
}

export interface GuardBand {
  /** The rate that holds when this one is to begin, or the last of the pair. */
  current: Rate | undefined;
  held: HeldRate | undefined;
  guardPercent: number;
  /** The first reading of a source as four eyes enabled it: its test has shown the rates. */
  isFirstReading: boolean;
  /** Sources that go before this one while their rates hold. */
  olderSources: ReadonlySet<string>;
}

/**
 * What becomes of a rate that was read: it is PUT, UNCHANGED, to be HELD for a person, WAITS since
 * one was asked about it, or is left to an OLDER source.
 */
export type Placing = "PUT" | "UNCHANGED" | "HELD" | "WAITS" | "OLDER";

export function placingOf(
  { rate, isUntilStated }: ReadRate,
  { current, held, guardPercent, isFirstReading, olderSources }: GuardBand,
): Placing {
  const holds = current !== undefined && isOpenAt(current, rate.validFrom);
  if (holds && olderSources.has(current.source)) return "OLDER";
  if (holds && current.rate === rate.rate && current.source === rate.source && !isToRenew(current, rate, isUntilStated))
    return "UNCHANGED";
  const isTrusted = current === undefined ? isFirstReading : isWithin(guardPercent, current.rate, rate.rate);
  if (isTrusted) return "PUT";
  const isRequested = held?.source === rate.source && isWithin(guardPercent, held.rate, rate.rate);
  if (!isRequested) return "HELD";
  if (held.status !== "APPROVED") return "WAITS";
  // What was approved was the step from the rate that was shown.
  return current?.rate === held.beforeRate ? "PUT" : "HELD";
}

/** Whether two rates differ by at most so many percent of the first. */
export function isWithin(percent: number, before: string, after: string): boolean {
  const [a, b] = alike(parseDecimal(before), parseDecimal(after));
  const difference = a > b ? a - b : b - a;
  return difference * 100n <= a * BigInt(percent);
}

/** Such as "+6.67 %", toward zero. */
export function jumpText(before: string, after: string): string {
  const [a, b] = alike(parseDecimal(before), parseDecimal(after));
  const hundredths = ((b > a ? b - a : a - b) * 10_000n) / a;
  const text = hundredths.toString().padStart(3, "0");
  return `${b < a ? "-" : "+"}${text.slice(0, -2)}.${text.slice(-2)} %`;
}

export function nameOfPair({ sendCurrency, receivingCurrency }: CurrencyPair): string {
  return `${sendCurrency}-${receivingCurrency}`;
}

function isOpenAt({ validUntil }: Rate, at: Date): boolean {
  return validUntil === undefined || validUntil > at;
}

/** Half of its time is over, or the source says that it ends sooner. */
function isToRenew(current: Rate, { validFrom, validUntil }: ReadRate["rate"], isUntilStated: boolean): boolean {
  const ends = current.validUntil?.getTime();
  if (ends === undefined) return true;
  if (validUntil.getTime() < ends) return isUntilStated;
  const [whole, left] = [ends - current.validFrom.getTime(), ends - validFrom.getTime()];
  return validUntil.getTime() > ends && left * 2 <= whole;
}

/** Digits of both at the same scale. */
function alike(a: Decimal, b: Decimal): [bigint, bigint] {
  const scale = Math.max(a.scale, b.scale);
  return [a.digits * 10n ** BigInt(scale - a.scale), b.digits * 10n ** BigInt(scale - b.scale)];
}
