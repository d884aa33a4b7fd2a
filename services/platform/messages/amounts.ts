import { isCurrency, minorDigits } from "../../kernel/codes/currencies.js";
import type { JsonNumber } from "../../kernel/json.js";
import { kinds, type Kind } from "./kinds.js";

/** What a preview puts in the placeholders' places, in the language of the words around them. */
export function examplesOf(kind: Kind, language: string): Record<string, string> {
  const written = Object.entries(kinds[kind].placeholders).map(([name, example]): [string, string] => {
    if (typeof example === "string") return [name, example];
    return [
      name,
      "day" in example ? dayText(example.day, language) : amountText(example.amount, example.currency, language),
    ];
  });
  return Object.fromEntries(written);
}

/** Such as 1 December 2026. */
export function dayText(date: string, language: string): string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" });
  return format.format(new Date(`${date}T00:00:00Z`));
}

/** Such as 1,234.50 USD: exact, since no double is between. */
export function amountText(amount: string | JsonNumber | undefined, currency: string, language: string): string {
  if (amount === undefined) return "";
  const text = typeof amount === "string" ? amount : amount.text;
  return `${numberText(text, language, isCurrency(currency) ? minorDigits(currency) : 0)} ${currency}`;
}

/** Decimal text as a language writes it, with all its decimals and at least so many. */
export function numberText(text: string, language: string, leastDecimals = 0): string {
  const digits = Math.max(text.split(".")[1]?.length ?? 0, leastDecimals);
  const format = new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return format.format(text as Intl.StringNumericLiteral);
}
