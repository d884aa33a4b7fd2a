import { chartCodes, isDebitNormal } from "./chart.js";
import { dayText, parseDay, type Day } from "./days.js";
import { maxTransfersPerCall, type AccountInfo, type NewTransfer } from "./model.js";
import { soleAccountId } from "./own-accounts.js";

/** Codes whose balances are of a year, and are moved to what its owners keep at its end. */
export const resultCodes: readonly string[] = chartCodes()
  .filter(({ type }) => type === "INCOME" || type === "EXPENSE")
  .map(({ code }) => code);

/** What an account of income or expense has come to by a day: debits less credits, minor units. */
export interface ResultBalance {
  readonly account: Pick<AccountInfo, "accountId" | "currency" | "type">;
  readonly minor: bigint;
}

/** The last days of the years that end from one day to another. */
export function yearEnds(from: Day, to: Day): Day[] {
  const [first, last] = [from, to].map((day) => Number(dayText(day).slice(0, 4))) as [number, number];
  const years = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  return years
    .map((year) => parseDay(`${String(year).padStart(4, "0")}-12-31`)!)
    .filter((day) => day >= from && day <= to);
}

/**
 * The groups that empty accounts of income and expense on a year's last day, each of one commit at
 * most. Keys are the year's and the round's: what came in after a round is moved by the next one.
 */
export function yearEndGroups(
  balances: readonly ResultBalance[],
  { year, round, effectiveAtMs }: { year: string; round: number; effectiveAtMs: number },
): NewTransfer[][] {
  const sorted = balances.toSorted((a, b) => (a.account.accountId < b.account.accountId ? -1 : 1));
  const transfers = sorted.map(({ account, minor }, index): NewTransfer => {
    const kept = soleAccountId("retained_earnings", account.currency);
    const [debitAccountId, creditAccountId] = minor > 0n ? [kept, account.accountId] : [account.accountId, kept];
    return {
      key: `yearend:${year}:${round}:${index}`,
      mode: "POSTED",
      debitAccountId,
      creditAccountId,
      amount: { minor: minor > 0n ? minor : -minor, currency: account.currency },
      kind: "year_end",
      refersTo: "",
      effectiveAtMs,
      refusesLate: true,
      description: `${isDebitNormal(account.type) ? "Expense" : "Income"} of ${year}`,
      metadata: [],
    };
  });
  const groups: NewTransfer[][] = [];
  for (let at = 0; at < transfers.length; at += maxTransfersPerCall) {
    groups.push(transfers.slice(at, at + maxTransfersPerCall));
  }
  return groups;
}
