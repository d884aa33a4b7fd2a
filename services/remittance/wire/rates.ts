import type { PutRateRequest, Rate as WireRate } from "../../../proto/gen/remittance/v1/remittance.js";
import { assertCurrency } from "../../kernel/codes/currencies.js";
import { formatDecimal, parseDecimal } from "../../kernel/decimal.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import { invalidInput } from "../../kernel/refusal.js";
import { maxRateDigits, type NewRate, type Rate } from "../domain/rate.js";
import { trimmedFromWire } from "../../kernel/text/wire-text.js";

// Clocks of those who put rates are not ours.
const mayLagMs = 60_000;

/**
 * Refuses INVALID_INPUT, also for a rate that would hold from before now: prices of the past are
 * told.
 */
export function rateFromWire(request: PutRateRequest, now: Date): NewRate {
  const rate = parseDecimal(request.rate, "rate");
  if (rate.digits === 0n) throw invalidInput("rate", "must be greater than zero");
  if (rate.digits.toString().replace(/0+$/, "").length > maxRateDigits) {
    throw invalidInput("rate", `must have at most ${maxRateDigits} significant digits`);
  }
  const { validFrom = now, validUntil } = request;
  if (validFrom.getTime() < now.getTime() - mayLagMs) throw invalidInput("validFrom", "must not be in the past");
  if (validUntil !== undefined && validUntil <= validFrom) throw invalidInput("validUntil", "must be after validFrom");
  return {
    validFrom,
    ...(validUntil !== undefined && { validUntil }),
    sendCurrency: assertCurrency(request.sendCurrency, "sendCurrency"),
    receivingCurrency: assertCurrency(request.receivingCurrency, "receivingCurrency"),
    rate: formatDecimal(rate),
    source: trimmedFromWire(request.source, "source", 100, true),
  };
}

export function rateToWire({ validUntil, ...rate }: Rate): WirePartial<WireRate> {
  return { ...rate, ...(validUntil !== undefined && { validUntil }) };
}
