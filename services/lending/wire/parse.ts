import { parseDecimal } from "../../kernel/decimal.js";
import { formatDecimal } from "../../kernel/decimal.js";
import { parseMoney } from "../../kernel/money.js";
import { asUtc } from "../../kernel/time/iso-time.js";
import { invalidInput } from "../../kernel/refusal.js";

/** One of some words. Refuses INVALID_INPUT. */
export function wordOf<T extends string>(text: string, words: readonly T[], path: string): T {
  const found = words.find((word) => word === text);
  if (found === undefined) throw invalidInput(path, `must be one of ${words.join(", ")}`);
  return found;
}

/** A whole number in a range. Refuses INVALID_INPUT. */
export function wholeOf(value: number, path: string, minimum: number, maximum: number): number {
  if (!Number.isInteger(value) || value < minimum || value > maximum) {
    throw invalidInput(path, `must be ${minimum} to ${maximum}`);
  }
  return value;
}

/** Minor units from decimal text; empty is zero where it may be left out. Refuses INVALID_INPUT. */
export function minorOf(text: string, currency: string, path: string, { optional = false } = {}): bigint {
  if (text === "" && optional) return 0n;
  if (text === "") throw invalidInput(path, "is required");
  return parseMoney(text, currency, path).minor;
}

/** A percentage as canonical decimal text, at most `most`; empty is "0". Refuses INVALID_INPUT. */
export function percentOf(text: string, path: string, most: number): string {
  if (text === "") return "0";
  const value = parseDecimal(text, path);
  if (value.scale > 6) throw invalidInput(path, "must have at most 6 decimals");
  if (value.digits > BigInt(most) * 10n ** BigInt(value.scale)) throw invalidInput(path, `must be at most ${most}`);
  return formatDecimal(value);
}

/** "2026-11-30". Refuses INVALID_INPUT. */
export function dateOf(text: string, path: string): string {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) throw invalidInput(path, "must be a date such as 2026-11-30");
  try {
    return Temporal.PlainDate.from(text, { overflow: "reject" }).toString();
  } catch {
    throw invalidInput(path, "must be a date of the calendar");
  }
}

/**
 * A date, or the day of an instant (UTC where it names no offset) in a time zone; empty means
 * `today`. Refuses INVALID_INPUT.
 */
export function dayOf(text: string, path: string, today: string, timeZone: string): string {
  if (text === "") return today;
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return dateOf(text, path);
  try {
    return Temporal.Instant.from(asUtc(text)).toZonedDateTimeISO(timeZone).toPlainDate().toString();
  } catch {
    throw invalidInput(path, "must be an ISO 8601 date or instant");
  }
}
