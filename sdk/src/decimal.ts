import { InputError } from "./errors.js";

declare const exact: unique symbol;

/** A decimal number as text, digit by digit, such as "20.00". */
export type Decimal = string & { readonly [exact]: "decimal" };

/**
 * What a request takes where an amount stands: decimal text, or a number that JavaScript holds
 * exactly. Text of a variable becomes a Decimal by `decimal(text)`.
 */
export type Amount = Decimal | `${number}` | number | bigint;

const grammar = /^-?(0|[1-9]\d*)(\.\d+)?$/;
// A double keeps every decimal of so many significant digits, and no longer every one of more.
const keptDigits = 15;

export function isDecimal(value: unknown): value is Decimal {
  return typeof value === "string" && grammar.test(value);
}

/** Reads an amount as decimal text. Throws an InputError for what is none, or is not exact. */
export function decimal(value: string | number | bigint): Decimal {
  const text = typeof value === "number" ? numberText(value, "the amount") : String(value);
  if (isDecimal(text)) return text;
  throw new InputError(`an amount is decimal text such as "20.00", without exponent, plus sign or leading zeros`);
}

/** A number as JSON, where it is surely the one that was meant. Throws an InputError otherwise. */
export function numberText(value: number, path: string): string {
  const text = String(value);
  const digits = text.replace(/^-?0*\.?0*|\./g, "");
  const isKept = grammar.test(text) && text.includes(".") && digits.length <= keptDigits;
  if (Number.isSafeInteger(value) || isKept) return text;
  throw new InputError(`${path} is a number that JavaScript does not hold exactly: write it as text, such as "20.00"`);
}
