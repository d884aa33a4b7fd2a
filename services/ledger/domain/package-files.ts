import { csvLine } from "../../kernel/formats/csv-lines.js";
import { formatMoney } from "../../kernel/money.js";
import { bookOfCode, openingAccount } from "./book-accounts.js";
import { accountOf, type ChartMapping, type Closing } from "./closing.js";
import { dayText, type Day } from "./days.js";
import type { Transfer } from "./model.js";
import type { AccountSums, BookedAccount, PackageSums } from "./package-sums.js";
import { movesMoney } from "./steps.js";

/** What the forms of a package's files know of it. */
export interface PackageFrame {
  readonly closing: Pick<Closing, "period" | "first" | "last" | "openedAfter">;
  readonly mapping: ChartMapping;
}

export type BookedTransfer = {
  readonly transfer: Transfer;
  readonly debit: BookedAccount;
  readonly credit: BookedAccount;
};

/**
 * How a file of a package is written: its beginning, an account that the period opens with, a
 * transfer, an account at the close, and pieces of its end; what it has none of is left out.
 */
export interface FileForm {
  readonly head?: (frame: PackageFrame) => string;
  readonly opening?: (account: AccountSums, frame: PackageFrame) => string;
  readonly transfer?: (booked: BookedTransfer, frame: PackageFrame) => string;
  /** Its transfers say nothing of their accounts but their ids. */
  readonly isOfTransfersAlone?: true;
  readonly account?: (account: AccountSums, frame: PackageFrame) => string;
  readonly tail?: (sums: PackageSums, frame: PackageFrame) => string[];
}

const linesPerPiece = 2_000;
// Before any day that a transfer may count for, and the first century that Beancount reads.
const openedOn = "1800-01-01";
const textOf = (minor: bigint, currency: string) => formatMoney({ minor, currency });

/** Every file but the manifest, in its order; docs/books.md says what each holds. */
export const packageFiles: Readonly<Record<string, FileForm>> = {
  "transfers.jsonl": { transfer: ({ transfer }) => transferLine(transfer), isOfTransfersAlone: true },
  "transfers.csv": {
    head: () => csvLine(transferColumns),
    transfer: transferRow,
  },
  "accounts.jsonl": { account: accountLine },
  "opening-balances.csv": {
    head: () => csvLine(["account", "code", "currency", "counts_for", "debits", "credits"]),
    opening: openingRows,
  },
  "trial-balance.csv": {
    head: () => csvLine(["own_account", "own_name", "code", "type", "currency", "accounts", "debits", "credits"]),
    tail: ({ trialBalance }) =>
      pieces(trialBalance, ({ own, ownName, code, type, currency, accounts, debits, credits }) =>
        csvLine([
          own,
          ownName,
          code,
          type,
          currency,
          `${accounts}`,
          textOf(debits, currency),
          textOf(credits, currency),
        ]),
      ),
  },
  "general-ledger.csv": {
    head: () => csvLine(["own_account", "own_name", "code", "currency", "day", "debits", "credits", "balance"]),
    tail: ({ generalLedger }) =>
      pieces(generalLedger, ({ own, ownName, code, currency, day, debits, credits, balance }) =>
        csvLine([own, ownName, code, currency, day, ...[debits, credits, balance].map((sum) => textOf(sum, currency))]),
      ),
  },
  "books.beancount": {
    head: ({ closing }) => `option "title" "${closing.period}"\n${openedOn} open ${openingAccount}\n`,
    opening: (sums, { closing }) =>
      eachDay(
        sums,
        closing,
        (day, text) => `${day} * "opening"\n  ${sums.account.book}  ${text}\n  ${openingAccount}\n`,
      ),
    transfer: ({ transfer, debit, credit }) => {
      if (!movesMoney(transfer)) return "";
      const { currency, amountMinor, kind, key, description } = transfer;
      const amount = textOf(amountMinor, currency);
      const said = description.replaceAll(/[\\"]/g, "\\$&").replaceAll(/[\s\p{Cc}]+/gu, " ");
      const legs = `  ${debit.book}  ${amount} ${currency}\n  ${credit.book}  -${amount} ${currency}\n`;
      return `${dayText(transfer.day)} * "${kind}" "${said}"\n  transfer: "${key}"\n${legs}`;
    },
    account: ({ account }) => `${openedOn} open ${account.book} ${account.currency}\n`,
    tail: (sums, { closing }) => [...openedCodes(sums), ...beancountBalances(sums, closing.last)],
  },
  "books.journal": {
    head: ({ closing }) => `; ${closing.period}\naccount ${openingAccount}\n`,
    opening: (sums, { closing }) =>
      eachDay(
        sums,
        closing,
        (day, text) => `${day} * opening\n    ${sums.account.book}  ${text}\n    ${openingAccount}\n`,
      ),
    transfer: ({ transfer, debit, credit }) => {
      if (!movesMoney(transfer)) return "";
      const { currency, amountMinor, kind, key, seq } = transfer;
      const amount = textOf(amountMinor, currency);
      const legs = `    ${debit.book}  ${amount} ${currency}\n    ${credit.book}  -${amount} ${currency}\n`;
      return `${dayText(transfer.day)} * (${seq}) ${kind}\n    ; transfer:${key}\n${legs}`;
    },
    account: ({ account }) => `account ${account.book}\n`,
    tail: (sums, { closing }) => [...hledgerDeclarations(sums), ...hledgerBalances(sums, closing.last)],
  },
};

/** All fields that the chain hashes, docs/decisions/0002, and the hash. */
function transferLine(transfer: Transfer): string {
  const { link, metadata, dueAtMs = null } = transfer;
  const line = {
    seq: Number(transfer.seq),
    time: transfer.timeMs,
    key: transfer.key,
    mode: transfer.mode,
    debit: transfer.debitAccountId,
    credit: transfer.creditAccountId,
    currency: transfer.currency,
    amount: String(transfer.amountMinor),
    debitBalance: String(transfer.debitBalanceMinor),
    creditBalance: String(transfer.creditBalanceMinor),
    kind: transfer.kind,
    refersTo: transfer.refersTo,
    due: dueAtMs,
    effective: transfer.effectiveAtMs,
    day: dayText(transfer.day),
    belongsTo: transfer.belongsTo === undefined ? null : dayText(transfer.belongsTo),
    description: transfer.description,
    interaction: transfer.interactionId,
    createdBy: transfer.createdBy,
    service: transfer.service,
    link: [link.key, link.index, link.size],
    metadata,
    hash: Buffer.from(transfer.hash).toString("hex"),
  };
  return `${JSON.stringify(line)}\n`;
}

const transferColumns = [
  "sequence",
  "day",
  "inserted_at",
  "mode",
  "transfer",
  "kind",
  "debit_account",
  "debit_own",
  "credit_account",
  "credit_own",
  "currency",
  "amount",
  "refers_to",
  "description",
];

function transferRow({ transfer, debit, credit }: BookedTransfer, { mapping }: PackageFrame): string {
  const { seq, timeMs, mode, key, kind, currency, amountMinor, refersTo, description } = transfer;
  return csvLine([
    String(seq),
    dayText(transfer.day),
    new Date(timeMs).toISOString(),
    mode,
    key,
    kind,
    debit.accountId,
    accountOf(mapping, debit.code)?.account ?? "",
    credit.accountId,
    accountOf(mapping, credit.code)?.account ?? "",
    currency,
    textOf(amountMinor, currency),
    refersTo,
    description,
  ]);
}

function accountLine({ account }: AccountSums, { mapping }: PackageFrame): string {
  const { accountId, code, type, currency, name, ownerId, service } = account;
  const own = accountOf(mapping, code);
  const line = { account: accountId, code, type, currency, name, owner: ownerId, service };
  return `${JSON.stringify({ ...line, own: own?.account, ownName: own?.name, book: account.book })}\n`;
}

function openingRows({ account, debits, credits, later }: AccountSums): string {
  const { accountId, code, currency } = account;
  const row = (day: string, sums: { debits: bigint; credits: bigint }) =>
    csvLine([accountId, code, currency, day, textOf(sums.debits, currency), textOf(sums.credits, currency)]);
  return row("", { debits, credits }) + [...later].map(([day, sums]) => row(dayText(day), sums)).join("");
}

/** What an account holds at the opening, and what of it counts for later days, each on its day. */
function eachDay(
  { account: { currency }, debits, credits, later }: AccountSums,
  { first, openedAfter = first - 1 }: PackageFrame["closing"],
  entry: (day: string, amount: string) => string,
): string {
  const all: [Day, bigint][] = [[openedAfter, debits - credits]];
  for (const [day, sums] of later) all.push([day, sums.debits - sums.credits]);
  const moved = all.filter(([, minor]) => minor !== 0n);
  return moved.map(([day, minor]) => entry(dayText(day), `${textOf(minor, currency)} ${currency}`)).join("");
}

function openedCodes({ trialBalance }: PackageSums): string[] {
  const names = new Set(trialBalance.map(bookOfCode));
  return pieces([...names], (name) => `${openedOn} open ${name}\n`);
}

/** Exact, to the minor unit: without it Beancount lets a half of one pass. */
function beancountBalances({ trialBalance, currencies }: PackageSums, last: Day): string[] {
  const day = dayText(last + 1);
  const lines = pieces(trialBalance, ({ debits, credits, currency, ...line }) => {
    return `${day} balance ${bookOfCode(line)}  ${textOf(debits - credits, currency)} ~ 0 ${currency}\n`;
  });
  return [...lines, ...pieces(currencies, (each) => `${day} balance ${openingAccount}  0 ~ 0 ${each}\n`)];
}

function hledgerDeclarations({ trialBalance, currencies }: PackageSums): string[] {
  const names = new Set(trialBalance.map(bookOfCode));
  const accounts = pieces([...names], (name) => `account ${name}\n`);
  // A format says where the decimals begin, also of currencies that have none.
  return [...accounts, ...pieces(currencies, (each) => `commodity ${shownFormat(each)}\n`)];
}

function shownFormat(currency: string): string {
  const zero = textOf(0n, currency);
  return `1000.${zero.split(".")[1] ?? ""} ${currency}`;
}

function hledgerBalances({ trialBalance }: PackageSums, last: Day): string[] {
  const lines = pieces(trialBalance, ({ debits, credits, currency, ...line }) => {
    const balance = `${textOf(debits - credits, currency)} ${currency}`;
    return `    ${bookOfCode(line)}  0 ${currency} =* ${balance}\n`;
  });
  return lines.map((piece) => `${dayText(last)} * trial balance\n${piece}`);
}

/** Lines, joined so many at a time: an answer holds a piece. */
function pieces<T>(rows: readonly T[], line: (row: T) => string): string[] {
  const lines = rows.map(line);
  const joined: string[] = [];
  for (let at = 0; at < lines.length; at += linesPerPiece) joined.push(lines.slice(at, at + linesPerPiece).join(""));
  return joined;
}
