import { compareMoney, formatMoney, subtractMoney, type Money } from "../../kernel/money.js";
import type { Hinted } from "./accepted-payout-polling.js";
import type { BankReport } from "./bank-files.js";
import type { PartnerPayout } from "./payout.js";

type ReportPart = Pick<BankReport, "kind" | "status" | "amount" | "reason" | "readAt" | "line">;

/** What is known of a payout after some of what the bank said. */
interface Known {
  end?: "PAID" | "REFUSED";
  /** Of REFUSED. */
  reason?: string;
  isExecuting?: true;
  returned?: { back: Money; reason: string };
  /** What the bank said last that ends nothing. */
  unclear?: string;
}

/**
 * What a payout has become by all that the bank said of it. The first end that it named stays:
 * whoever asked before was told so. What ends nothing, and what contradicts the end, is for a
 * person: also a refusal, once the bank says that it pays.
 */
export function payoutOfReports(amount: Money, reports: readonly ReportPart[]): PartnerPayout {
  const inOrder = reports.toSorted(
    (a, b) => a.readAt.getTime() - b.readAt.getTime() || rankOf(a) - rankOf(b) || a.line - b.line,
  );
  const known = inOrder.reduce<Known>((before, one) => after(before, one, amount), {});
  const { end, reason = "", returned, unclear } = known;
  if (end === "REFUSED" && unclear === undefined) return { status: "REFUSED", reason, amount };
  if (returned !== undefined) {
    const deducted = subtractMoney(amount, returned.back);
    return { status: "RETURNED", reason: returned.reason, amount, kept: deducted };
  }
  const status = end === "PAID" ? "PAID" : "ACCEPTED";
  return { status, reason: "", amount, ...(unclear !== undefined && { unclear }) };
}

/** What a word says against a refusal that came before it; undefined where nothing. */
export function againstRefusal({ kind, status }: Pick<BankReport, "kind" | "status">): string | undefined {
  if (kind === "DEBIT" || (kind === "STATUS" && status === "PAID")) return "paid it after it had refused it";
  return kind === "STATUS" && status === "EXECUTING" ? "began to pay it after it had refused it" : undefined;
}

/**
 * What the payouts that a file speaks of are asked about for: one hint of each, what
 * ends nothing before what does.
 */
export function hintsOf(reports: readonly Pick<BankReport, "kind" | "status" | "reference">[]): FileHint[] {
  const hints = new Map<string, FileHint>();
  for (const report of reports) {
    const { reference: transactionId } = report;
    const before = hints.get(transactionId);
    const hint = hintOf(report);
    const status = before === undefined || weightOf[hint] > weightOf[before.status] ? hint : before.status;
    const against = before?.against ?? againstRefusal(report);
    if (status === "ACCEPTED" && against === undefined) continue;
    hints.set(transactionId, { transactionId, status, ...(against !== undefined && { against }) });
  }
  return [...hints.values()];
}

/** What is heard of one payout. */
export interface FileHint {
  transactionId: string;
  status: Hinted;
  against?: string;
}

const weightOf: Record<Hinted, number> = { ACCEPTED: 0, PAID: 1, REFUSED: 2, RECALLED: 2, RETURNED: 2, UNCLEAR: 2 };

/**
 * A refusal may be of a second copy, and a debit of another amount, both after it
 * was paid: whoever asks then sees.
 */
function hintOf({ kind, status }: Pick<BankReport, "kind" | "status">): Hinted {
  if (kind === "RETURN") return "RETURNED";
  if (kind === "DEBIT") return "UNCLEAR";
  if (status === "REFUSED" || status === "DUPLICATE") return "UNCLEAR";
  return status === "PAID" ? "PAID" : "ACCEPTED";
}

/** When the bank said first that it paid; undefined where it has not. */
export function paidSince(reports: readonly Pick<BankReport, "kind" | "status" | "readAt">[]): Date | undefined {
  const times = reports
    .filter(({ kind, status }) => kind === "DEBIT" || (kind === "STATUS" && status === "PAID"))
    .map(({ readAt }) => readAt.getTime());
  return times.length === 0 ? undefined : new Date(Math.min(...times));
}

// Of what was read in one moment a refusal is the last of the words, which
// then ends nothing that was begun.
const ranks = ["ACCEPTED", "EXECUTING", "PAID", "REFUSED", "DUPLICATE", "DEBIT", "RETURN"];
const rankOf = ({ kind, status = "ACCEPTED" }: ReportPart) => ranks.indexOf(kind === "STATUS" ? status : kind);

function after(before: Known, one: ReportPart, amount: Money): Known {
  if (before.returned !== undefined) return before;
  if (before.end === "REFUSED") {
    const against = againstRefusal(one);
    return against === undefined ? before : { ...before, unclear: against };
  }
  const { unclear: _unclear, ...clear } = before;
  switch (one.kind) {
    case "STATUS":
      return afterStatus(before, one);
    case "DEBIT": {
      // An account in another currency says nothing of what arrives.
      const isForeign = one.amount !== undefined && one.amount.currency !== amount.currency;
      if (isForeign || isSame(one.amount, amount)) return { ...clear, end: "PAID" };
      return { ...before, unclear: `booked a debit of ${textOf(one.amount)}, and ${textOf(amount)} was asked for` };
    }
    case "RETURN": {
      const { amount: back, reason } = one;
      if (back !== undefined && isPartOf(back, amount)) return { ...clear, end: "PAID", returned: { back, reason } };
      return { ...before, unclear: `booked a return of ${textOf(back)} of ${textOf(amount)}` };
    }
  }
}

function afterStatus(before: Known, { status, reason }: ReportPart): Known {
  const { unclear: _unclear, ...clear } = before;
  switch (status) {
    case "PAID":
      return { ...clear, end: "PAID" };
    case "EXECUTING":
      return { ...clear, isExecuting: true };
    case "DUPLICATE":
      return { ...before, unclear: `refused a copy of it, ${reason}` };
    case "REFUSED":
      if (before.end === undefined && before.isExecuting === undefined) return { end: "REFUSED", reason };
      return {
        ...before,
        unclear: `refused it after it had ${before.end === "PAID" ? "paid" : "begun to pay"}, ${reason}`,
      };
    default:
      return before;
  }
}

const isSame = (one: Money | undefined, other: Money): boolean =>
  one !== undefined && one.currency === other.currency && compareMoney(one, other) === 0;

/** Of another currency, or more than was paid: nobody can say what the bank kept. */
const isPartOf = (back: Money, amount: Money): boolean =>
  back.currency === amount.currency && compareMoney(back, amount) <= 0;

const textOf = (amount: Money | undefined): string =>
  amount === undefined ? "an amount that it does not tell" : `${formatMoney(amount)} ${amount.currency}`;
