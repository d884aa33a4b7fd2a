import { compareMoney, formatMoney, type Money } from "../shared/money.js";
import type { PartnerStatementLine } from "./connector/payout-connector.js";
import { payoutOf } from "./payout.js";
import type { Transaction } from "./transaction.js";

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
  /** Amounts that the ledger moved to the partner, and back; absent where there is no such transfer. */
  ledger: { settled?: Money; returned?: Money };
}

/** Every difference between the partner's statement, the transaction and the ledger, by kind. Agreement is an empty list. */
export function compareBooks({ reference, transaction, lines, ledger }: Books): Difference[] {
  const found: Difference[] = [];
  const status = transaction?.status ?? "";
  const paid = lines.filter(({ kind }) => kind === "PAYOUT");
  const returned = lines.filter(({ kind }) => kind === "RETURN");
  const differ = (kind: DifferenceKind, partner: string, platform: string) =>
    found.push({ kind, reference, status, partner, platform });
  if (transaction === undefined) {
    differ("UNKNOWN_REFERENCE", told(lines), "no such transaction");
    return found;
  }
  const { settledAt, outcome, kept, refundedAt } = payoutOf(transaction);
  const { receive } = transaction.price;
  if (paid.length > 1) differ("PAID_TWICE", told(paid), status);
  for (const { amount } of paid) {
    if (!isSame(amount, receive)) differ("AMOUNT_DIFFERS", shown(amount), shown(receive));
  }
  if (paid.length > 0 && settledAt === undefined) {
    const kind = refundedAt === undefined ? "PAID_AT_PARTNER_NOT_COMPLETED" : "REFUNDED_BUT_PAID";
    differ(kind, told(paid), status);
  }
  if (paid.length === 0 && settledAt !== undefined) differ("COMPLETED_NOT_AT_PARTNER", "no payout", status);
  compareReturns();
  compareLedger("settlement", settledAt === undefined ? undefined : receive, ledger.settled);
  compareLedger(
    "return",
    outcome === "RETURNED" && refundedAt !== undefined ? bookedReturn() : undefined,
    ledger.returned,
  );
  return found;

  function bookedReturn(): Money | undefined {
    const minor = receive.minor - (kept?.minor ?? 0n);
    return minor > 0n ? { ...receive, minor } : undefined;
  }

  function compareReturns(): void {
    const isBooked = outcome === "RETURNED";
    if (returned.length > 0 && !isBooked) differ("RETURN_NOT_BOOKED", told(returned), status);
    if (returned.length === 0 && isBooked) differ("RETURN_NOT_AT_PARTNER", "no return", status);
    const booked = bookedReturn() ?? { ...receive, minor: 0n };
    for (const { amount } of isBooked ? returned : []) {
      if (!isSame(amount, booked)) differ("AMOUNT_DIFFERS", shown(amount), shown(booked));
    }
  }

  function compareLedger(what: string, expected: Money | undefined, posted: Money | undefined): void {
    if (expected !== undefined && posted === undefined)
      differ("LEDGER_MISSING", told(lines), `no ${what} of ${shown(expected)}`);
    if (expected === undefined && posted !== undefined)
      differ("LEDGER_UNEXPECTED", told(lines), `${what} of ${shown(posted)}`);
    if (expected !== undefined && posted !== undefined && !isSame(expected, posted)) {
      differ("LEDGER_DIFFERS", shown(expected), `${what} of ${shown(posted)}`);
    }
  }
}

function isSame(a: Money, b: Money): boolean {
  return a.currency === b.currency && compareMoney(a, b) === 0;
}

function shown(amount: Money): string {
  return `${formatMoney(amount)} ${amount.currency}`;
}

function told(lines: readonly PartnerStatementLine[]): string {
  return lines.map(({ kind, amount }) => `${kind} ${shown(amount)}`).join(", ") || "nothing";
}
