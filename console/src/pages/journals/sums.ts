import { difference, sum } from "../../lib/exact";

export interface SidedLine {
  side: string;
  amount: string;
  currency: string;
}

export interface Sides {
  currency: string;
  debits: string;
  credits: string;
  /** Debits less credits. */
  difference: string;
  isEven: boolean;
}

/** Both sides of each currency, in the order in which lines have them. */
export function sidesOf(lines: readonly SidedLine[]): readonly Sides[] {
  const found = new Map<string, { debits: string; credits: string }>();
  for (const { side, amount, currency } of lines) {
    const before = found.get(currency) ?? { debits: "0", credits: "0" };
    const member = side === "DEBIT" ? "debits" : "credits";
    found.set(currency, { ...before, [member]: sum(before[member], amount) });
  }
  return [...found].map(([currency, { debits, credits }]) => {
    const off = difference(debits, credits);
    return { currency, debits, credits, difference: off, isEven: /^-?0(\.0*)?$/.test(off) };
  });
}
