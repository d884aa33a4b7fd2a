/** What an instalment is made of. */
export const parts = ["PENALTY", "FEE", "INTEREST", "PRINCIPAL"] as const;
export type Part = (typeof parts)[number];

export type PartAmounts = Record<Part, bigint>;

export const noAmounts = (): PartAmounts => ({ PENALTY: 0n, FEE: 0n, INTEREST: 0n, PRINCIPAL: 0n });

/** An instalment as it stands: what was charged, what was paid of it. Changed in place while a loan is replayed. */
export interface Line {
  readonly number: number;
  readonly from: string;
  readonly to: string;
  readonly dueOn: string;
  /** Interest of its own period; what is due with it is in `charged`. */
  readonly earnedMinor: bigint;
  charged: PartAmounts;
  paid: PartAmounts;
  writtenOff: PartAmounts;
  isPenalised: boolean;
}

/** What is still due of a part. */
export function dueOf({ charged, paid, writtenOff }: Line, part: Part): bigint {
  return charged[part] - paid[part] - writtenOff[part];
}

/** What is still due of all parts. */
export function dueOfLine(line: Line): bigint {
  return parts.reduce((sum, part) => sum + dueOf(line, part), 0n);
}

export function dueOfAll(lines: readonly Line[]): bigint {
  return lines.reduce((sum, line) => sum + dueOfLine(line), 0n);
}

/** Pays oldest instalment first, each in the order of parts; gives what is left over. */
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

/** Sum of one figure over all instalments. */
export function sumOfPart(lines: readonly Line[], figure: "charged" | "paid" | "writtenOff", part: Part): bigint {
  return lines.reduce((sum, line) => sum + line[figure][part], 0n);
}
