import { divideMoney, formatDecimal, multiplyMoney, parseDecimal, type Decimal } from "../../kernel/decimal.js";
import { minorDigits } from "../../kernel/codes/currencies.js";
import type { Money } from "../../kernel/money.js";
import { quotientText } from "../../kernel/quotient.js";
import type { Position } from "./average-cost.js";
import type { Day } from "./days.js";

export interface CurrencyPair {
  readonly fromCurrency: string;
  readonly toCurrency: string;
}

/** One unit of a currency was worth `rate` of another on a business day. */
export interface MiddleRate extends CurrencyPair {
  readonly day: Day;
  /** Decimal text, above zero. */
  readonly rate: string;
  readonly source: string;
  /** Since when it holds. */
  readonly at: Date;
  /** Its place among those of the pair: of those that began at once the last one holds. */
  readonly sequence: number;
  /** Whether it held at the day's end. */
  readonly isDayEnd: boolean;
}

// Rates are told every day, so an older one has ended.
export const priceLooksBackDays = 2;
const maxDigits = 12;

/** Whether a rate of a pair and a day takes the place of another one: what held at its end does. */
export function takesPlaceOf(told: MiddleRate, kept: MiddleRate): boolean {
  if (told.isDayEnd !== kept.isDayEnd) return told.isDayEnd;
  const [toldMs, keptMs] = [told.at.getTime(), kept.at.getTime()];
  return toldMs === keptMs ? told.sequence > kept.sequence : toldMs > keptMs;
}

/** Of rates, the one that says what a currency is worth in base: its own direction goes first. */
export function rateInBase(rates: readonly MiddleRate[], currency: string, base: string): MiddleRate | undefined {
  const of = (fromCurrency: string, toCurrency: string) =>
    rates.find((rate) => rate.fromCurrency === fromCurrency && rate.toCurrency === toCurrency);
  return of(currency, base) ?? of(base, currency);
}

/** Minor units of base, half-even. Refuses AMOUNT_TOO_LARGE beyond int64. */
export function worthMinor(amount: Money, base: string, { fromCurrency, rate }: MiddleRate): bigint {
  const convert = fromCurrency === amount.currency ? multiplyMoney : divideMoney;
  return convert(amount, parseDecimal(rate), base, "half-even").minor;
}

/** What a unit cost on average, in the direction of a middle rate, else of one unit of currency. */
export function averageRate(
  { quantityMinor, costMinor, currency }: Position & { readonly currency: string },
  base: string,
  direction: CurrencyPair = { fromCurrency: currency, toCurrency: base },
): (CurrencyPair & { readonly rate: string }) | undefined {
  const [quantity, cost] = [majorOf(quantityMinor, currency), majorOf(costMinor, base)];
  if (quantity.digits === 0n || cost.digits === 0n) return undefined;
  const { fromCurrency, toCurrency } = direction;
  const rate =
    fromCurrency === currency ? quotientText(cost, quantity, maxDigits) : quotientText(quantity, cost, maxDigits);
  return { fromCurrency, toCurrency, rate };
}

function majorOf(minor: bigint, currency: string): Decimal {
  return { digits: minor < 0n ? -minor : minor, scale: minorDigits(currency) };
}

/** By name, as it stands at what was posted by it. */
export function rateText({ fromCurrency, toCurrency, rate, source, at }: MiddleRate): string {
  return `${fromCurrency}/${toCurrency} ${formatDecimal(parseDecimal(rate))} ${source} ${at.toISOString()}`;
}
