import { amountOf, textOrNull } from "../../lib/typed";
import { typedAmount } from "../../lib/money";
import type { api } from "../../lib/api";
import type { SidedLine } from "./sums";

export type Request = Parameters<typeof api.books.writeJournal>[0];
type RequestLine = Request["lines"][number];

export interface LineValues {
  accountId: string;
  currency: string;
  debit: string;
  credit: string;
  text: string;
}

export interface JournalValues {
  kind: string;
  reason: string;
  valueDate: string;
  lines: LineValues[];
}

export const newLine = (currency: string): LineValues => ({ accountId: "", currency, debit: "", credit: "", text: "" });

/** Lines with an amount on one side, as far as they are typed. */
export function sidedOf(lines: readonly LineValues[]): readonly SidedLine[] {
  return lines.flatMap(({ currency, debit, credit }): SidedLine[] => {
    const [debited, credited] = [typedAmount(debit), typedAmount(credit)];
    return [
      ...(debited === undefined ? [] : [{ side: "DEBIT" as const, amount: debited, currency }]),
      ...(credited === undefined ? [] : [{ side: "CREDIT" as const, amount: credited, currency }]),
    ];
  });
}

export function requestOf({ kind, reason, valueDate, lines }: JournalValues): Omit<Request, "attachment"> {
  return {
    kind: kind as NonNullable<Request["kind"]>,
    reason: reason.trim(),
    valueDate: valueDate || null,
    lines: lines.map(({ accountId, currency, debit, credit, text }) => ({
      accountId: accountId.trim(),
      side: debit.trim() === "" ? "CREDIT" : "DEBIT",
      amount: amountOf(debit.trim() === "" ? credit : debit),
      currency: currency as RequestLine["currency"],
      text: textOrNull(text),
    })),
  };
}

/** What the API calls a line's amount stands on the side that it was typed on. */
export function pathsOf(
  lines: readonly LineValues[],
): Readonly<Record<string, `lines.${number}.${"debit" | "credit"}`>> {
  return Object.fromEntries(
    lines.map(({ debit }, index) => [
      `body.lines.${index}.amount`,
      `lines.${index}.${debit.trim() === "" ? "credit" : "debit"}` as const,
    ]),
  );
}
