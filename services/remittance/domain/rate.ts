export interface CurrencyPair {
  sendCurrency: string;
  receivingCurrency: string;
}

/**
 * A rate as it was put. Of those of a pair whose time it is, the one that began last holds, and of
 * those the newest.
 */
export interface Rate extends CurrencyPair {
  rateId: string;
  /** 1, 2, 3… per pair. */
  sequence: number;
  /** Decimal text. */
  rate: string;
  source: string;
  validFrom: Date;
  /** Exclusive; absent where it has no end. */
  validUntil?: Date;
  /** Once it has ended nothing older holds again: its source alone knew the price. */
  replacesAll?: boolean;
  createdAt: Date;
  createdBy: string;
}

/** A rate before it has its place among those of its pair. */
export type NewRate = Omit<Rate, "rateId" | "sequence" | "createdAt" | "createdBy">;

/** A rate that is put, and from when it was said to hold: now where it was not. */
export interface RateLine {
  rate: NewRate;
  statedFrom: Date | undefined;
}

/**
 * The rate that holds at a time, of those of a pair that have begun by then: none where the last
 * that began has ended and replaced all before it.
 */
export function rateAt(rates: readonly Rate[], at: Date): Rate | undefined {
  const isOpen = ({ validUntil, replacesAll }: Rate) => validUntil === undefined || validUntil > at || replacesAll;
  const begun = rates.filter((one) => one.validFrom <= at && isOpen(one));
  const last = begun.toSorted((a, b) => b.validFrom.getTime() - a.validFrom.getTime() || b.sequence - a.sequence)[0];
  return last?.validUntil !== undefined && last.validUntil <= at ? undefined : last;
}

/** Significant digits that a rate may have. */
export const maxRateDigits = 12;

/** Whether the last rate of a pair is what is put now: a file may be loaded twice. */
export function isSameRate(
  last: Rate,
  { rate, source, validUntil }: Pick<Rate, "rate" | "source" | "validUntil">,
  validFrom: Date | undefined,
): boolean {
  if (last.rate !== rate || last.source !== source) return false;
  if (last.validUntil?.getTime() !== validUntil?.getTime()) return false;
  return validFrom === undefined ? last.validFrom <= last.createdAt : last.validFrom.getTime() === validFrom.getTime();
}
