import { dueOf, type Line, type Part } from "./line.js";

/**
 * Allocates a repayment: the oldest instalment first, each in the order of parts. Gives what is
 * left over, minor units.
 */
export function allocate(lines: readonly Line[], amountMinor: bigint, order: readonly Part[]): bigint {
  let left = amountMinor;
  for (const line of lines) {
    for (const part of order) {
      const due = dueOf(line, part);
      const paid = due < left ? due : left;
      if (paid <= 0n) continue;
      line.paid[part] += paid;
      left -= paid;
    }
    if (left === 0n) break;
  }
  return left;
}
