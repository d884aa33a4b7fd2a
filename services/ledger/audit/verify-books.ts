import { mayDebit } from "../domain/accounts.js";
import { isDebitNormal } from "../domain/chart.js";
import type { Day } from "../domain/days.js";
import type { AccountDays } from "../domain/journal.js";
import type { AccountInfo, Figures, Transfer } from "../domain/model.js";
import { isReversal } from "../domain/steps.js";

/** An account as it is stored at one moment. */
export interface AuditedAccount extends AccountDays {
  /** Transfers up to here are in its days. */
  readonly sumsSeq: bigint;
}

type MutableFigures = { -readonly [Name in keyof Figures]: Figures[Name] };

export interface Book {
  readonly info: Pick<AccountInfo, "code" | "type" | "flags" | "currency" | "service">;
  readonly stored: Figures;
  /** What its transfers make. */
  readonly figures: MutableFigures;
  readonly daysUntil: bigint;
  /**
   * Stored days less those of its transfers, weighted by day, modulo 2^128: zero when all of them
   * are right.
   */
  daysDebits: bigint;
  daysCredits: bigint;
  isClosed: boolean;
}

const noFigures: Figures = {
  debitsPostedMinor: 0n,
  creditsPostedMinor: 0n,
  debitsPendingMinor: 0n,
  creditsPendingMinor: 0n,
  lastSeq: 0n,
};

/** Empty books of accounts, by id. */
export function booksOf(accounts: readonly AuditedAccount[]): Map<string, Book> {
  return new Map(accounts.map((audited) => [audited.account.info.accountId, bookOf(audited)]));
}

/**
 * Books of a range of accounts, made from the transfers alone and held against what is stored. An
 * account is compared as of the last transfer that its stored figures hold, so that others may go
 * on posting meanwhile. Memory is that of the range.
 */
export function createBooks(books: Map<string, Book>) {
  return {
    has: (accountId: string) => books.has(accountId),

    /**
     * Books one side of a transfer; what is wrong with the balance after it, if anything. Of
     * accounts of the range alone.
     */
    enter(transfer: Transfer, side: "debit" | "credit", pendingMinor: bigint): string | undefined {
      const book = books.get(side === "debit" ? transfer.debitAccountId : transfer.creditAccountId);
      if (book === undefined) return undefined;
      const { mode, amountMinor, currency, seq } = transfer;
      // Sums are zero per currency only where no transfer has two of them.
      if (book.info.currency !== currency) return `the ${side} account is in ${book.info.currency}`;
      if (side === "debit" && isStranger(transfer, book)) return `the debit account is that of ${book.info.service}`;
      const posted = mode === "POSTED" || mode === "POST_PENDING" ? amountMinor : 0n;
      const isStored = seq <= book.stored.lastSeq;
      if (isStored && seq <= book.daysUntil && posted !== 0n) {
        const weighted = posted * weightOf(transfer.day);
        if (side === "debit") book.daysDebits = BigInt.asUintN(128, book.daysDebits - weighted);
        else book.daysCredits = BigInt.asUintN(128, book.daysCredits - weighted);
      }
      const { figures } = book;
      if (side === "debit") {
        figures.debitsPostedMinor += posted;
        figures.debitsPendingMinor += pendingMinor;
      } else {
        figures.creditsPostedMinor += posted;
        figures.creditsPendingMinor += pendingMinor;
      }
      figures.lastSeq = seq;
      const stated = side === "debit" ? transfer.debitBalanceMinor : transfer.creditBalanceMinor;
      if (balanceOf(book) !== stated) return `the ${side} balance is not what its entries sum to`;
      return undefined;
    },

    /** True at the last transfer that the stored figures of an account hold. */
    isDue: (accountId: string, seq: bigint): boolean => books.get(accountId)?.stored.lastSeq === seq,

    /** What is wrong with an account, asked when all that its stored figures hold is booked. */
    close(accountId: string): string | undefined {
      const book = books.get(accountId);
      if (book === undefined) return undefined;
      book.isClosed = true;
      return faultOf(book);
    },

    /** Accounts whose stored figures end at a transfer that is not theirs. */
    unclosed: (): string[] => [...books].filter(([, { isClosed }]) => !isClosed).map(([accountId]) => accountId),
    /** Accounts that say that no transfer ever touched them. */
    untouched: (): string[] => [...books].filter(([, { stored }]) => stored.lastSeq === 0n).map(([id]) => id),
    /** The last transfer that the stored figures of an account hold. */
    lastStored: (accountId: string): bigint => books.get(accountId)?.stored.lastSeq ?? 0n,
  };
}

function bookOf({ account, days, sumsSeq }: AuditedAccount): Book {
  const { info, figures: stored } = account;
  const sum = (name: "debitsMinor" | "creditsMinor") =>
    BigInt.asUintN(
      128,
      days.reduce((all, day) => all + day[name] * weightOf(day.day), 0n),
    );
  return {
    info: { code: info.code, type: info.type, flags: info.flags, currency: info.currency, service: info.service },
    stored,
    figures: { ...noFigures },
    daysUntil: sumsSeq,
    daysDebits: sum("debitsMinor"),
    daysCredits: sum("creditsMinor"),
    isClosed: false,
  };
}

/**
 * An odd number per day, scattered over 64 bits (the finaliser of splitmix64, Steele et al. 2014).
 * A sum over days that is weighted by them tells one day from another without keeping any: odd, so
 * that no change of a single day goes unseen.
 */
function weightOf(day: Day): bigint {
  let known = weights.get(day);
  if (known === undefined) {
    let bits = BigInt.asUintN(64, BigInt(day) * 0x9e3779b97f4a7c15n);
    bits = BigInt.asUintN(64, (bits ^ (bits >> 30n)) * 0xbf58476d1ce4e5b9n);
    bits = BigInt.asUintN(64, (bits ^ (bits >> 27n)) * 0x94d049bb133111ebn);
    known = (bits ^ (bits >> 31n)) | 1n;
    weights.set(day, known);
  }
  return known;
}

/** Whether somebody took who may not; a group may reverse what it has posted itself. */
function isStranger(transfer: Transfer, { info }: Book): boolean {
  return transfer.mode !== "EXPIRE_PENDING" && !isReversal(transfer) && !mayDebit(info, transfer.service);
}

// A pure function's memory; there are as many days as the wire lets through.
const weights = new Map<Day, bigint>();

function balanceOf({ info, figures }: Book): bigint {
  const balance = figures.creditsPostedMinor - figures.debitsPostedMinor;
  return isDebitNormal(info.type) ? -balance : balance;
}

function faultOf({ info, stored, figures, daysDebits, daysCredits }: Book): string | undefined {
  for (const name of Object.keys(noFigures) as (keyof Figures)[]) {
    if (stored[name] !== figures[name]) return `${name} is ${stored[name]}, its transfers say ${figures[name]}`;
  }
  const { debitsPostedMinor, debitsPendingMinor, creditsPostedMinor, creditsPendingMinor } = figures;
  const { flags } = info;
  if (flags.includes("DEBITS_MUST_NOT_EXCEED_CREDITS") && debitsPostedMinor + debitsPendingMinor > creditsPostedMinor) {
    return "its debits exceed its credits";
  }
  if (
    flags.includes("CREDITS_MUST_NOT_EXCEED_DEBITS") &&
    creditsPostedMinor + creditsPendingMinor > debitsPostedMinor
  ) {
    return "its credits exceed its debits";
  }
  if (daysDebits !== 0n || daysCredits !== 0n) return "its sums per day are not what its transfers say";
  return undefined;
}
