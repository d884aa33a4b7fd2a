import type * as wire from "../../../proto/gen/ledger/v1/positions.js";
import { assertCurrency } from "../../kernel/codes/currencies.js";
import { parseDecimal } from "../../kernel/decimal.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import { invalidInput } from "../../kernel/refusal.js";
import { dayText } from "../domain/days.js";
import { averageRate, worthMinor, type MiddleRate } from "../domain/middle-rates.js";
import type { BookPosition, PositionBook } from "../domain/position-fold.js";
import type { Revaluation } from "../domain/revaluation.js";
import { dayFromWire } from "./values.js";

const maxRates = 1_000;
const maxSourceLength = 200;

/** Refuses INVALID_INPUT. */
export function middleRatesFromWire(rates: readonly wire.MiddleRate[]): MiddleRate[] {
  if (rates.length < 1 || rates.length > maxRates) throw invalidInput("rates", `must hold 1 to ${maxRates}`);
  return rates.map((rate, index) => rateFromWire(rate, `rates[${index}]`));
}

function rateFromWire({ source, at, sequence, isDayEnd, ...rate }: wire.MiddleRate, path: string): MiddleRate {
  const fromCurrency = assertCurrency(rate.fromCurrency, `${path}.from_currency`);
  const toCurrency = assertCurrency(rate.toCurrency, `${path}.to_currency`);
  if (fromCurrency === toCurrency) throw invalidInput(`${path}.to_currency`, `must differ from ${fromCurrency}`);
  if (parseDecimal(rate.rate, `${path}.rate`).digits === 0n) throw invalidInput(`${path}.rate`, "must be above zero");
  if (at === undefined) throw invalidInput(`${path}.at`, "is required");
  if (sequence < 0) throw invalidInput(`${path}.sequence`, "must not be below zero");
  const day = dayFromWire(rate.day, `${path}.day`);
  // It stands in the journal by name, which control characters may not.
  const named = source.replaceAll(/\p{Cc}/gu, " ").slice(0, maxSourceLength);
  return { fromCurrency, toCurrency, rate: rate.rate, source: named, at, sequence, isDayEnd, day };
}

export function rateToWire({ day, ...rate }: MiddleRate): WirePartial<wire.MiddleRate> {
  return { ...rate, day: dayText(day) };
}

export function positionToWire(
  { code, base }: PositionBook,
  position: BookPosition,
  middle: MiddleRate | undefined,
): WirePartial<wire.BookPosition> {
  const { currency, quantityMinor, costMinor, realisedMinor } = position;
  const average = averageRate(position, base, middle);
  const worth = middle && worthMinor({ minor: quantityMinor, currency }, base, middle);
  return {
    code,
    currency,
    baseCurrency: base,
    quantityMinor,
    costMinor,
    realisedMinor,
    ...(average !== undefined && { average }),
    ...(middle !== undefined && { middle: rateToWire(middle) }),
    ...(worth !== undefined && { worthMinor: worth, unrealisedMinor: worth - costMinor }),
  };
}

export function revaluationToWire(
  { day, rounds, positions, revaluedBy, revaluedAt }: Revaluation,
  isCurrent: boolean,
): WirePartial<wire.Revaluation> {
  return {
    day: dayText(day),
    rounds,
    revaluedBy,
    revaluedAt,
    isCurrent,
    positions: positions.map(({ base, middle, ...position }) => ({
      ...position,
      baseCurrency: base,
      ...(middle !== undefined && { middle: rateToWire(middle) }),
    })),
  };
}
