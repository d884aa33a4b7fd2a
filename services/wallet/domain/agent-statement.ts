import { formatMoney } from "../../kernel/money.js";
import type { AgentLine } from "./agent-line.js";
import {
  addToBalances,
  addToCredited,
  addToDues,
  noDues,
  owesMinor,
  type AgentBalances,
  type AgentDues,
  type AgentSettlement,
  type AgentTotals,
  type ClosedSettlement,
} from "./agent-settlement.js";

type Header = Pick<AgentSettlement, "settlementId" | "number" | "agentId" | "currency" | "from" | "to">;

/**
 * A statement's text, which its sha256 is of: a JSON object a line, the settlement with what stood
 * before it, then its lines by time, then what they come to. Amounts are decimal text.
 */
export function statementHead({ settlementId, number, agentId, currency, from, to }: Header, opening: AgentBalances) {
  return lineOf({ settlementId, number, agentId, currency, from, to, opening: balancesText(opening, currency) });
}

export function statementLine(line: AgentLine): string {
  const { lineId, kind, account, amountMinor, currency, transactionId, transactionCode, businessDay, at } = line;
  const amount = formatMoney({ minor: amountMinor, currency });
  return lineOf({ lineId, kind, account, amount, transactionId, transactionCode, businessDay, at: at.toISOString() });
}

export function statementTail({ currency, statement }: { currency: string; statement: StatementSums }): string {
  const { closing, dues, lineCount } = statement;
  const text = (minor: bigint) => formatMoney({ minor, currency });
  return lineOf({
    closing: balancesText(closing, currency),
    collected: text(dues.collectedMinor),
    paidOut: text(dues.paidOutMinor),
    commission: text(dues.commissionMinor),
    owes: text(owesMinor(dues)),
    lines: lineCount,
  });
}

export type StatementSums = Pick<ClosedSettlement["statement"], "closing" | "credited" | "dues" | "lineCount">;

/** Adds up lines of a statement, one after the other, to what stood before them. */
export function createStatementSums(before: AgentTotals) {
  let { closing, credited } = before;
  let [dues, lineCount]: [AgentDues, number] = [noDues, 0];
  return {
    add(line: AgentLine): void {
      closing = addToBalances(closing, line);
      credited = addToCredited(credited, line);
      dues = addToDues(dues, line);
      lineCount += 1;
    },
    sums: (): StatementSums => ({ closing, credited, dues, lineCount }),
  };
}

function balancesText(balances: AgentBalances, currency: string) {
  const text = (minor: bigint) => formatMoney({ minor, currency });
  const { ACCOUNT, UNSETTLED, COMMISSION } = balances;
  return { account: text(ACCOUNT), unsettled: text(UNSETTLED), commission: text(COMMISSION) };
}

const lineOf = (content: object): string => `${JSON.stringify(content)}\n`;
