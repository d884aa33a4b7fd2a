import { matchedMovements, type OpenEntry } from "../../platform/books/movements.js";
import { formatMoney, type Money } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import { isOfServiceAlone } from "./chart.js";
import type { Account, NewTransfer } from "./model.js";

export type JournalSide = "DEBIT" | "CREDIT";

export interface JournalLine {
  readonly accountId: string;
  readonly side: JournalSide;
  readonly amount: Money;
  readonly text: string;
}

export interface JournalAttachment {
  readonly fileName: string;
  readonly mediaType: string;
  readonly sizeBytes: number;
  /** Hexadecimal digits. */
  readonly sha256: string;
}

export type ManualJournalKind = "STANDARD" | "OPENING" | "REVERSAL";
export type ManualJournalStatus = "PROPOSED" | "APPROVED" | "POSTED" | "REFUSED";
/** What is neither posted nor refused. */
export const openJournalStatuses = ["PROPOSED", "APPROVED"] as const satisfies ManualJournalStatus[];

/** A journal that a person writes, from its proposal to its transfers. */
export interface ManualJournal {
  readonly journalId: string;
  readonly kind: ManualJournalKind;
  readonly status: ManualJournalStatus;
  readonly lines: readonly JournalLine[];
  readonly reason: string;
  /** "2026-11-30": the day that it counts for. */
  readonly valueDate: string;
  /** When that day began, in the organisation's time zone. */
  readonly effectiveAt: Date;
  readonly approvalId?: string;
  /** Why it was refused. */
  readonly failure?: string;
  /** The journal that this one takes back. */
  readonly reverses?: string;
  /** The journal that takes this one back, or is to. */
  readonly reversedBy?: string;
  readonly attachment?: JournalAttachment;
  readonly askedBy: string;
  readonly askedAt: Date;
  readonly decidedBy?: string;
  readonly postedAt?: Date;
  readonly interactionId: string;
}

export const maxJournalLines = 200;
export const maxAttachmentBytes = 128 * 1024;

/**
 * Debits and credits of each currency are the same. Refuses UNBALANCED with the currency and both
 * sums.
 */
export function checkBalanced(lines: readonly Pick<JournalLine, "side" | "amount">[]): void {
  for (const [currency, some] of Map.groupBy(lines, ({ amount }) => amount.currency)) {
    const [debits, credits] = [sumOf(some, "DEBIT"), sumOf(some, "CREDIT")];
    if (debits === credits) continue;
    const text = (minor: bigint) => formatMoney({ minor, currency });
    throw new Refusal("UNBALANCED", `debits of ${text(debits)} and credits of ${text(credits)} ${currency} differ`, {
      figures: { currency, debits: text(debits), credits: text(credits) },
    });
  }
}

/** What whoever approves it decides about: the debits in the currency of the first line. */
export function amountOf(lines: readonly JournalLine[]): Money {
  const { currency } = lines[0]!.amount;
  const own = lines.filter(({ amount }) => amount.currency === currency);
  return { minor: sumOf(own, "DEBIT"), currency };
}

function sumOf(lines: readonly Pick<JournalLine, "side" | "amount">[], which: JournalSide): bigint {
  return lines.reduce((sum, { side, amount }) => (side === which ? sum + amount.minor : sum), 0n);
}

/**
 * The accounts take what the lines say. Refuses ACCOUNT_NOT_FOUND, ACCOUNT_NOT_FOR_JOURNALS,
 * ACCOUNT_CLOSED, CURRENCY_MISMATCH and SAME_ACCOUNT, each with the line.
 */
export function checkAccounts(lines: readonly JournalLine[], accounts: ReadonlyMap<string, Account>): void {
  const sides = new Map<string, JournalSide>();
  for (const [index, { accountId, side, amount }] of lines.entries()) {
    const refuse = (code: ConstructorParameters<typeof Refusal>[0], message: string) =>
      new Refusal(code, message, { errors: [{ path: `lines[${index}].accountId`, message }] });
    const info = accounts.get(accountId)?.info;
    if (info === undefined) throw refuse("ACCOUNT_NOT_FOUND", `no account ${accountId}`);
    if (isOfServiceAlone(info.code)) {
      const whose = "is of customers or agents: journals move the organisation's own";
      throw refuse("ACCOUNT_NOT_FOR_JOURNALS", `${accountId} ${whose}`);
    }
    if (info.flags.includes("CLOSED")) throw refuse("ACCOUNT_CLOSED", `account ${accountId} is closed`);
    if (info.currency !== amount.currency) {
      throw refuse("CURRENCY_MISMATCH", `account ${accountId} holds ${info.currency}`);
    }
    if ((sides.get(accountId) ?? side) !== side) {
      throw refuse("SAME_ACCOUNT", `account ${accountId} is debited and credited in one journal`);
    }
    sides.set(accountId, side);
  }
}

/** The lines of a journal that takes another one back. */
export function reversedLines(lines: readonly JournalLine[]): JournalLine[] {
  return lines.map((line) => ({ ...line, side: line.side === "DEBIT" ? "CREDIT" : "DEBIT" }));
}

/** Keys of its transfers, which decide once. */
export function transferKeysOf({ journalId, lines }: Pick<ManualJournal, "journalId" | "lines">): string[] {
  return movementsOf(lines).map((_movement, index) => keyOf(journalId, index));
}

const keyOf = (journalId: string, index: number): string => `manual:${journalId}:${index}`;

/** One linked group: debits and credits of a currency matched in the order of the lines. */
export function transfersOf(journal: ManualJournal): NewTransfer[] {
  const { journalId, kind, reverses, reason, effectiveAt, lines } = journal;
  return movementsOf(lines).map(({ debitAccountId, creditAccountId, amount, text }, index): NewTransfer => ({
    key: keyOf(journalId, index),
    mode: "POSTED",
    // A reversal's movements are those of the journal, turned round, in its order.
    ...(reverses === undefined
      ? { debitAccountId, creditAccountId, amount, refersTo: "" }
      : { debitAccountId: "", creditAccountId: "", refersTo: keyOf(reverses, index) }),
    kind: kinds[kind],
    effectiveAtMs: effectiveAt.getTime(),
    refusesLate: true,
    description: (text || reason).slice(0, 300),
    metadata: [["journal", journalId] as const],
  }));
}

const kinds: Readonly<Record<ManualJournalKind, string>> = {
  STANDARD: "manual_journal",
  OPENING: "opening_balance",
  REVERSAL: "manual_journal_reversal",
};

function movementsOf(lines: readonly JournalLine[]) {
  const textOf = new Map(lines.map(({ accountId, text }) => [accountId, text]));
  return [...Map.groupBy(lines, ({ amount }) => amount.currency)].flatMap(([currency, own]) => {
    const entries = (which: JournalSide): OpenEntry[] =>
      own.flatMap(({ accountId, side, amount: { minor } }) => (side === which ? [{ accountId, minor }] : []));
    return matchedMovements(entries("DEBIT"), entries("CREDIT")).map(({ amountMinor: minor, ...accounts }) => ({
      ...accounts,
      amount: { minor, currency },
      text: textOf.get(accounts.debitAccountId) || textOf.get(accounts.creditAccountId) || "",
    }));
  });
}
