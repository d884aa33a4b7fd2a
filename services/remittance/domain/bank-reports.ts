import { compareMoney, subtractMoney, type Money } from "../../shared/money.js";
import type { BankReport } from "./bank-files.js";
import type { PartnerPayout } from "./payout.js";

type Said = Pick<BankReport, "kind" | "status" | "amount" | "reason" | "readAt" | "line">;

/**
 * What a payout has become by all that the bank said of it. The first end that it named stays: whoever asked
 * before was told so. A contradiction shows in the statement.
 */
export function payoutOfReports(amount: Money, reports: readonly Said[]): PartnerPayout {
  const inOrder = reports.toSorted((a, b) => a.readAt.getTime() - b.readAt.getTime() || a.line - b.line);
  const end = inOrder.find(isEnd);
  if (end?.status === "REFUSED") return { status: "REFUSED", reason: end.reason, amount };
  // Before another amount than was asked for is booked, a person looks at it.
  const paid =
    inOrder.find((one) => one.kind === "DEBIT" && one.amount?.currency === amount.currency)?.amount ?? amount;
  const back = inOrder.find((one) => one.kind === "RETURN" && isPartOf(one.amount, amount));
  if (back?.amount !== undefined) {
    return { status: "RETURNED", reason: back.reason, amount: paid, kept: subtractMoney(amount, back.amount) };
  }
  return { status: end === undefined ? "ACCEPTED" : "PAID", reason: "", amount: paid };
}

/** When the bank said first that it paid; undefined where it has not. */
export function paidSince(reports: readonly Pick<BankReport, "kind" | "status" | "readAt">[]): Date | undefined {
  const times = reports.filter((one) => isEnd(one) && one.status !== "REFUSED").map(({ readAt }) => readAt.getTime());
  return times.length === 0 ? undefined : new Date(Math.min(...times));
}

function isEnd({ kind, status }: Pick<BankReport, "kind" | "status">): boolean {
  return kind === "DEBIT" || (kind === "STATUS" && status !== "ACCEPTED");
}

/** Of another currency, or more than was paid: nobody can say what the bank kept. */
function isPartOf(back: Money | undefined, amount: Money): boolean {
  return back !== undefined && back.currency === amount.currency && compareMoney(back, amount) <= 0;
}
