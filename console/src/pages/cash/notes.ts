import { sum, times } from "../../lib/exact";

const split = (text: string): readonly string[] => text.split(" ");

/**
 * Notes and coins, the largest first. Of another currency the amount alone is typed; the service
 * refuses what is not in circulation.
 */
const known: Readonly<Record<string, readonly string[]>> = {
  AED: split("1000.00 500.00 200.00 100.00 50.00 20.00 10.00 5.00 1.00 0.50 0.25"),
  CAD: split("100.00 50.00 20.00 10.00 5.00 2.00 1.00 0.25 0.10 0.05"),
  EUR: split("500.00 200.00 100.00 50.00 20.00 10.00 5.00 2.00 1.00 0.50 0.20 0.10 0.05 0.02 0.01"),
  GBP: split("50.00 20.00 10.00 5.00 2.00 1.00 0.50 0.20 0.10 0.05 0.02 0.01"),
  GHS: split("200.00 100.00 50.00 20.00 10.00 5.00 2.00 1.00 0.50 0.20 0.10"),
  INR: split("500.00 200.00 100.00 50.00 20.00 10.00 5.00 2.00 1.00 0.50"),
  KES: split("1000.00 500.00 200.00 100.00 50.00 40.00 20.00 10.00 5.00 1.00"),
  NGN: split("1000.00 500.00 200.00 100.00 50.00 20.00 10.00 5.00 2.00 1.00 0.50"),
  USD: split("100.00 50.00 20.00 10.00 5.00 2.00 1.00 0.50 0.25 0.10 0.05 0.01"),
};

export const notesOf = (currency: string): readonly string[] => known[currency] ?? [];

export interface Pieces {
  value: string;
  count: number;
}

/** What was typed beside each value; undefined where one is no count. */
export function piecesOf(values: readonly string[], counts: readonly string[]): readonly Pieces[] | undefined {
  const typed = values.map((value, index) => ({ value, text: (counts[index] ?? "").trim() }));
  const filled = typed.filter(({ text }) => text !== "");
  if (filled.some(({ text }) => !/^\d{1,7}$/.test(text))) return undefined;
  return filled.map(({ value, text }) => ({ value, count: Number(text) }));
}

export const worthOf = (pieces: readonly Pieces[]): string =>
  pieces.reduce((all, { value, count }) => sum(all, times(value, count)), "0.00");
