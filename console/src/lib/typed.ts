import { decimal, type Decimal } from "@manilla/client";
import { typedAmount } from "./money";

/**
 * What a form's field says, as the API takes it: an amount exactly; null where nothing is typed.
 */
export function amountOrNull(text: string): Decimal | null {
  const exact = typedAmount(text);
  return exact === undefined ? null : decimal(exact);
}

/**
 * As `amountOrNull` where the form requires the field; what is no amount goes as
 * it is, and is refused by name.
 */
export const amountOf = (text: string): Decimal => amountOrNull(text) ?? (text as Decimal);

export const isWhole = (text: string): boolean => /^(0|[1-9]\d{0,14})$/.test(text.trim());

export const wholeOrNull = (text: string): number | null => (isWhole(text) ? Number(text) : null);

export const wholeOf = (text: string): number => wholeOrNull(text) ?? Number.NaN;

export const textOrNull = (text: string): string | null => text.trim() || null;
