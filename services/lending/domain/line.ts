import type { Instalment } from "./schedule.js";

/** What an instalment is made of. */
export const parts = ["PENALTY", "FEE", "INTEREST", "PRINCIPAL"] as const;
export type Part = (typeof parts)[number];

export type PartAmounts = Record<Part, bigint>;

export const noAmounts = (): PartAmounts => ({ PENALTY: 0n, FEE: 0n, INTEREST: 0n, PRINCIPAL: 0n });

/**
 * An instalment as it stands: what was charged, what was paid of it. Changed in place while a loan
 * is replayed.
 */
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

/** An instalment of a schedule, of which nothing is paid. */
export function lineOf(instalment: Instalment): Line {
  const { number, from, to, dueOn, principalMinor, interestMinor, feeMinor, earnedMinor } = instalment;
  return {
    number,
    from,
    to,
    dueOn,
    earnedMinor,
    charged: { PENALTY: 0n, FEE: feeMinor, INTEREST: interestMinor, PRINCIPAL: principalMinor },
    paid: noAmounts(),
    writtenOff: noAmounts(),
    isPenalised: false,
  };
}

/** Principal that is due on a day beside the schedule. */
export function extraLine(number: number, on: string, principalMinor: bigint): Line {
  const amounts = { principalMinor, interestMinor: 0n, earnedMinor: 0n, feeMinor: 0n, balanceMinor: 0n };
  return lineOf({ number, from: on, to: on, dueOn: on, ...amounts });
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

/** Sum of one figure over all instalments. */
export function sumOfPart(lines: readonly Line[], figure: "charged" | "paid" | "writtenOff", part: Part): bigint {
  return lines.reduce((sum, line) => sum + line[figure][part], 0n);
}
