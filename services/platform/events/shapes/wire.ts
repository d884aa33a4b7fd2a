import { formatMoney, money, type Money } from "../../../kernel/money.js";
import { JsonNumber, moneyNumber } from "../../../kernel/json.js";

/** Money of a message, which a service always fills: its absence is a bug. */
export function moneyOf(wire: { amountMinor: bigint; currency: string } | undefined, field: string): Money {
  const { amountMinor, currency } = filled(wire, field);
  return money(amountMinor, currency);
}

/** Decimal text, for money fields of ours. */
export function moneyText(wire: { amountMinor: bigint; currency: string } | undefined, field: string): string {
  return formatMoney(moneyOf(wire, field));
}

/** A JSON number, for money fields that the contract types so. */
export function moneyAsNumber(minor: bigint, currency: string): JsonNumber {
  return moneyNumber(money(minor, currency));
}

/** ISO 8601 UTC of a time that a service always fills. */
export function timeText(time: Date | undefined, field: string): string {
  return filled(time, field).toISOString();
}

/** A part of a message that must be there. */
export function filled<T>(value: T | undefined, field: string): T {
  if (value === undefined) throw new Error(`a service left out ${field}`);
  return value;
}

/** Empty text of a message as an absent field. */
export function absentIfEmpty(text: string): string | undefined {
  return text === "" ? undefined : text;
}

/** DELIVERY_METHOD_WALLET → WALLET. */
export function enumName(value: string, prefix: string): string {
  if (!value.startsWith(prefix)) throw new Error(`${value} does not begin with ${prefix}`);
  return value.slice(prefix.length);
}
