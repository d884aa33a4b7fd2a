import type { ApprovalEffect } from "../../platform/approvals/approval-effects.js";
import type { Money } from "../../kernel/money.js";
import type { NewTransfer } from "./model.js";

interface Line {
  readonly accountId: string;
  readonly side: "DEBIT" | "CREDIT";
  readonly amount: Money;
}

/** What lines do, as whoever approves them is shown it: one sum for each side of an account. */
export function accountEffects(lines: readonly Line[]): ApprovalEffect[] {
  const groups = Map.groupBy(lines, ({ accountId, side }) => `${side} ${accountId}`);
  return [...groups.values()].map((group) => {
    const { accountId, side, amount } = group[0]!;
    const minor = group.reduce((sum, line) => sum + line.amount.minor, 0n);
    return {
      kind: side === "DEBIT" ? ("ACCOUNT_DEBITED" as const) : ("ACCOUNT_CREDITED" as const),
      subject: `account:${accountId}`,
      amount: { minor, currency: amount.currency },
    };
  });
}

/** Both sides of each transfer that says its amount. */
export const linesOf = (transfers: readonly NewTransfer[]): Line[] =>
  transfers.flatMap(({ debitAccountId, creditAccountId, amount }) =>
    amount === undefined
      ? []
      : [
          { accountId: debitAccountId, side: "DEBIT" as const, amount },
          { accountId: creditAccountId, side: "CREDIT" as const, amount },
        ],
  );
