import type { TrialBalanceLine } from "../../../proto/gen/ledger/v1/ledger.js";
import { formatMoney } from "../../../services/kernel/money.js";

export interface TrialBalance {
  text: string;
  /** Currencies whose debits are not their credits. */
  unequal: string[];
}

/** A table of debits and credits per code and currency, with a total for each currency. */
export function trialBalanceOf(lines: readonly TrialBalanceLine[]): TrialBalance {
  const byCurrency = new Map([...Map.groupBy(lines, ({ currency }) => currency)].sort(([a], [b]) => (a < b ? -1 : 1)));
  const rows: string[][] = [["code", "currency", "accounts", "debits", "credits"]];
  const unequal: string[] = [];
  for (const [currency, ofCurrency] of byCurrency) {
    const amount = (minor: bigint) => formatMoney({ minor, currency });
    for (const { code, accounts, debitsMinor, creditsMinor } of ofCurrency) {
      rows.push([code, currency, String(accounts), amount(BigInt(debitsMinor)), amount(BigInt(creditsMinor))]);
    }
    const sum = (name: "debitsMinor" | "creditsMinor" | "accounts") =>
      ofCurrency.reduce((all, line) => all + BigInt(line[name]), 0n);
    rows.push(["total", currency, String(sum("accounts")), amount(sum("debitsMinor")), amount(sum("creditsMinor"))]);
    if (sum("debitsMinor") !== sum("creditsMinor")) unequal.push(currency);
  }
  return { text: table(rows), unequal };
}

function table(rows: readonly string[][]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const cells = (row: readonly string[]) =>
    row.map((cell, column) => (column < 2 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)));
  return rows.map((row) => cells(row).join("  ").trimEnd()).join("\n");
}
