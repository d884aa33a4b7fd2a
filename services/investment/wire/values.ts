import { assertInt64 } from "../../kernel/money.js";
import { invalidInput } from "../../kernel/refusal.js";

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A UUID, in lower case. Refuses INVALID_INPUT. */
export function uuidFromWire(text: string, path: string): string {
  const id = text.toLowerCase();
  if (!uuidForm.test(id)) throw invalidInput(path, id === "" ? "is required" : "must be a UUID");
  return id;
}

/** A number of units, 1 or more. Refuses INVALID_INPUT. */
export function unitsFromWire(units: bigint, path: string): bigint {
  if (units < 1n) throw invalidInput(path, "must be 1 or more");
  return assertInt64(units, path);
}

/** A day, YYYY-MM-DD. Refuses INVALID_INPUT. */
export function dateFromWire(text: string, path: string): Temporal.PlainDate {
  try {
    if (/^\d{4}-\d\d-\d\d$/.test(text)) return Temporal.PlainDate.from(text, { overflow: "reject" });
  } catch {
    // Such as 30 February.
  }
  throw invalidInput(path, "must be a date, YYYY-MM-DD");
}

/** Items of a page. Refuses INVALID_INPUT beyond 100. */
export function pageFromWire({ pageSize, cursor }: { pageSize: number; cursor: string }) {
  if (pageSize < 0 || pageSize > 100) throw invalidInput("pageSize", "must be 1 to 100");
  if (cursor.length > 200) throw invalidInput("cursor", "is not one");
  return { limit: pageSize === 0 ? 20 : pageSize, ...(cursor !== "" && { cursor }) };
}

/** One of the words that are known. Refuses INVALID_INPUT. */
export function oneOf<T extends string>(text: string, known: readonly T[], path: string): T {
  const found = known.find((name) => name === text);
  if (found === undefined) throw invalidInput(path, `must be one of ${known.join(", ")}`);
  return found;
}

/** A whole number from 0 to `maximum`. Refuses INVALID_INPUT. */
export function wholeWithin(value: number, path: string, maximum: number): number {
  if (!Number.isInteger(value) || value < 0 || value > maximum) throw invalidInput(path, `must be 0 to ${maximum}`);
  return value;
}

/** An amount on the wire, minor units. */
export const amountToWire = (amountMinor: bigint, currency: string) => ({ amountMinor, currency });
