import { compareMoney, formatMoney, type Money } from "../../kernel/money.js";
import { payoutOf } from "./payout.js";
import type { Transaction } from "./transaction.js";

/** A line of the partner's statement. */
export interface PartnerStatementLine {
  reference: string;
  kind: "PAYOUT" | "RETURN";
  amount: Money;
  at: Date;
}

export type DifferenceKind =
  | "PAID_AT_PARTNER_NOT_COMPLETED"
  | "COMPLETED_NOT_AT_PARTNER"
  | "AMOUNT_DIFFERS"
  | "PAID_TWICE"
  | "REFUNDED_BUT_PAID"
  | "RETURN_NOT_BOOKED"
  | "RETURN_NOT_AT_PARTNER"
  | "UNKNOWN_REFERENCE"
  | "LEDGER_MISSING"
  | "LEDGER_DIFFERS"
  | "LEDGER_UNEXPECTED";

export interface Difference {
  kind: DifferenceKind;
  reference: string;
  /** Of our transaction; empty where there is none. */
  status: string;
  partner: string;
  platform: string;
}

/** What the three books have of one reference. */
export interface Books {
  reference: string;
  transaction?: Transaction;
  lines: readonly PartnerStatementLine[];
  /**
   * Amounts that the ledger moved to the partner, and back; absent where there is no such transfer.
   */
  ledger: { settled?: Money; returned?: Money };
}

/**
 * Every difference between the partner's statement, the transaction and the ledger, by kind.
 * Agreement is an empty list.
 */
export function compareBooks(books: Books): Difference[] {
  const { transaction, lines } = books;
  if (transaction !== undefined) return [...comparePayout(books), ...compareReturn(books)];
  return [differing(books)("UNKNOWN_REFERENCE", linesText(lines), "no such transaction")];
}

/** What was paid out. Lines of a return may be missing. */
export function comparePayout(books: Books): Difference[] {
  const { transaction, lines, ledger } = books;
  if (transaction === undefined) return compareBooks(books);
  const found: Difference[] = [];
  const differ = differing(books);
  const { status, price } = transaction;
  const { settledAt, refundedAt } = payoutOf(transaction);
  const paid = lines.filter(({ kind }) => kind === "PAYOUT");
  if (paid.length > 1) found.push(differ("PAID_TWICE", linesText(paid), status));
  for (const { amount } of paid) {
    if (!isSame(amount, price.receive)) found.push(differ("AMOUNT_DIFFERS", shown(amount), shown(price.receive)));
  }
  if (paid.length > 0 && settledAt === undefined) {
    const kind = refundedAt === undefined ? "PAID_AT_PARTNER_NOT_COMPLETED" : "REFUNDED_BUT_PAID";
    found.push(differ(kind, linesText(paid), status));
  }
  if (paid.length === 0 && settledAt !== undefined) {
    found.push(differ("COMPLETED_NOT_AT_PARTNER", "no payout", status));
  }
  const expected = settledAt === undefined ? undefined : price.receive;
  return [...found, ...compareLedger(books, "settlement", expected, ledger.settled)];
}

/** What came back. Lines of the payout may be missing. */
export function compareReturn(books: Books): Difference[] {
  const { transaction, lines, ledger } = books;
  if (transaction === undefined) return compareBooks(books);
  const found: Difference[] = [];
  const differ = differing(books);
  const { status, price } = transaction;
  const { outcome, kept, refundedAt } = payoutOf(transaction);
  const returned = lines.filter(({ kind }) => kind === "RETURN");
  const isBooked = outcome === "RETURNED";
  const booked = { ...price.receive, minor: price.receive.minor - (kept?.minor ?? 0n) };
  if (returned.length > 0 && !isBooked) found.push(differ("RETURN_NOT_BOOKED", linesText(returned), status));
  if (returned.length === 0 && isBooked) found.push(differ("RETURN_NOT_AT_PARTNER", "no return", status));
  for (const { amount } of isBooked ? returned : []) {
    if (!isSame(amount, booked)) found.push(differ("AMOUNT_DIFFERS", shown(amount), shown(booked)));
  }
  const expected = isBooked && refundedAt !== undefined && booked.minor > 0n ? booked : undefined;
  return [...found, ...compareLedger(books, "return", expected, ledger.returned)];
}

/** A payout that the partner names long after the one that was settled. */
export function paidAgain(books: Books): Difference {
  return differing(books)("PAID_TWICE", linesText(books.lines), books.transaction?.status ?? "");
}

function differing({ reference, transaction }: Books) {
  const status = transaction?.status ?? "";
  return (kind: DifferenceKind, partner: string, platform: string): Difference => ({
    kind,
    reference,
    status,
    partner,
    platform,
  });
}

function compareLedger(
  books: Books,
  what: string,
  expected: Money | undefined,
  posted: Money | undefined,
): Difference[] {
  const differ = differing(books);
  const { lines } = books;
  if (expected === undefined) {
    return posted === undefined ? [] : [differ("LEDGER_UNEXPECTED", linesText(lines), `${what} of ${shown(posted)}`)];
  }
  if (posted === undefined) return [differ("LEDGER_MISSING", linesText(lines), `no ${what} of ${shown(expected)}`)];
  if (isSame(expected, posted)) return [];
  return [differ("LEDGER_DIFFERS", shown(expected), `${what} of ${shown(posted)}`)];
}

function isSame(a: Money, b: Money): boolean {
  return a.currency === b.currency && compareMoney(a, b) === 0;
}

function shown(amount: Money): string {
  return `${formatMoney(amount)} ${amount.currency}`;
}

function linesText(lines: readonly PartnerStatementLine[]): string {
  return lines.map(({ kind, amount }) => `${kind} ${shown(amount)}`).join(", ") || "nothing";
}
