import type { GroupResult } from "../../../proto/gen/ledger/v1/ledger.js";
import type { Transfer } from "../../../services/ledger/domain/model.js";
import type { Answer, Closings } from "../../property/ledger-book-state.js";
import { createBook, type Book } from "../../property/ledger-book.js";
import type { BookAccounts } from "./accounts.js";
import { createClosed, isClosed } from "./check-closings.js";
import type { History, Reading, Sent } from "./history.js";
import type { Placed } from "./placed.js";

/**
 * An answer that some order of what was in flight must give: after the
 * transfers from `after` up to `until`.
 */
export interface Waiting {
  readonly after: bigint;
  readonly until: bigint;
  readonly what: string;
  /** At a place between two times, where one of these is closed. */
  holds(book: Book, timesMs: readonly number[], closed: readonly Closings[]): boolean;
}

/** What was there before a history, and what its journal holds. */
export interface Journal {
  readonly accounts: BookAccounts;
  readonly before: readonly Placed[];
  readonly closedBefore: Closings;
  readonly placed: readonly Placed[];
}

/**
 * Plays the journal, from what was there before the history, on the book and holds against it every
 * answer of the history: a posting is what the book posts at that place, a refusal, a read and a
 * closing are what it says at some place between what was acknowledged before they began and what
 * began after they ended. The faults, in words.
 */
export function checkHistory({ accounts, before, closedBefore, placed }: Journal, history: History): string[] {
  const { sent, readings } = history;
  const book = createBook(accounts, utcDays);
  for (const one of before) decideAt(book, one);
  for (const id of closedBefore.closed.keys()) book.closeAccount(id, accounts.get(id)!.service);
  book.closePeriod(closedBefore.closedThrough);
  const rows = [...before, ...placed].flatMap(({ transfers }) => transfers);
  const order = createOrder(placed, sent);
  const closed = createClosed(history, order, rows, { closed: book.closed(), closedThrough: book.closedThrough() });
  const faults = [...closed.faults];
  const open = [
    ...closed.waiting,
    ...refusalsOf(sent, order, faults),
    ...readings.flatMap((one) => readOf(one, { accounts, order, rows, faults })),
  ];
  let waiting = open.toSorted((a, b) => (a.after < b.after ? -1 : 1));

  /** At a place of the journal, between two times. */
  function observe(seq: bigint, timesMs: readonly number[]): void {
    const closings = closed.at(seq);
    waiting = waiting.filter((one) => {
      if (one.after > seq) return true;
      if (one.until < seq) return void faults.push(`${one.what}: no order of what was in flight says so`);
      return !one.holds(book, timesMs, closings);
    });
  }

  const timeOf = (at: number) => placed[at]?.transfers[0]!.timeMs;
  observe(book.seq(), [0, ...(placed.length > 0 ? [timeOf(0)!] : [])]);
  for (const [at, { group, transfers }] of placed.entries()) {
    const { answer } = decideAt(book, { group, transfers });
    const sentGroup = sent.get(group.transfers[0]!.key);
    if (!sameAnswer(answer, transfers)) faults.push(`${text(transfers)}: by the book ${text(answer)}`);
    for (const told of sentGroup?.answers ?? []) {
      if (!tells(told, answer)) faults.push(`answered ${text(told)}: by the book ${text(answer)}`);
    }
    if (sentGroup !== undefined && transfers[0]!.seq <= order.acknowledgedBefore(sentGroup.begun)) {
      faults.push(`${transfers[0]!.key} stands before what was acknowledged when it was sent`);
    }
    observe(transfers.at(-1)!.seq, [transfers[0]!.timeMs, timeOf(at + 1) ?? Infinity]);
  }
  for (const { what } of waiting) faults.push(`${what}: no order of what was in flight says so`);
  return faults;
}

const utcDays = {
  dayOf: (timeMs: number) => Math.floor(timeMs / 86_400_000),
  businessMs: (timeMs: number) => timeMs,
};

/** Late news shows through when days were closed at its place. */
function decideAt(book: Book, { group, transfers }: Placed) {
  const late = transfers.find(({ belongsTo }) => belongsTo !== undefined);
  if (late !== undefined) book.closePeriod(late.day - 1);
  return book.decide(group, transfers[0]!.timeMs);
}

export type Order = ReturnType<typeof createOrder>;

/** Which sequences were acknowledged before, and begun after, a moment of the callers' order. */
function createOrder(placed: readonly Placed[], sent: ReadonlyMap<string, Sent>) {
  const posted = placed.flatMap(({ group, transfers }) => {
    const sentGroup = sent.get(group.transfers[0]!.key);
    return sentGroup === undefined ? [] : [{ ...sentGroup, first: transfers[0]!.seq, last: transfers.at(-1)!.seq }];
  });
  const acknowledged = posted.filter(({ ended }) => ended !== undefined).toSorted((a, b) => a.ended! - b.ended!);
  const begun = posted.toSorted((a, b) => b.begun - a.begun);
  return {
    keys: new Set(placed.flatMap(({ transfers }) => transfers.map(({ key }) => key))),
    acknowledgedBefore(moment: number): bigint {
      let last = 0n;
      for (const one of acknowledged) {
        if (one.ended! >= moment) break;
        if (one.last > last) last = one.last;
      }
      return last;
    },
    /** The last sequence that may have been there at a moment. */
    lastUntil(moment: number): bigint {
      let first = 1n << 62n;
      for (const one of begun) {
        if (one.begun <= moment) break;
        if (one.first < first) first = one.first;
      }
      return first - 1n;
    },
  };
}

function refusalsOf(sent: ReadonlyMap<string, Sent>, order: Order, faults: string[]): Waiting[] {
  return [...sent.values()].flatMap(({ group, answers, begun, ended, endedAtMs }) => {
    const [first, ...others] = answers;
    const refused = first?.refused;
    const inJournal = group.transfers.some(({ key }) => order.keys.has(key));
    // Another group may hold the key that this one is refused for.
    if (refused === undefined || ended === undefined) {
      if (first?.posted !== undefined && !inJournal) faults.push(`lost: ${text(first)}`);
      return [];
    }
    if (inJournal && refused.code !== "KEY_REUSED") faults.push(`refused and posted: ${text(group)}`);
    for (const other of others) {
      if (text(withoutReplay(other)) !== text(withoutReplay(first!)))
        faults.push(`answered ${text(first)}, then ${text(other)}`);
    }
    const holds: Waiting["holds"] = (book, timesMs, closed) =>
      timesMs.some((timeMs) =>
        closed.some((one) => tells(first!, book.tried(group, Math.min(timeMs, endedAtMs), one))),
      );
    const what = `refused ${text(refused)} for ${text(group.transfers)}`;
    return [{ after: order.acknowledgedBefore(begun), until: order.lastUntil(ended), what, holds }];
  });
}

interface ReadOptions {
  readonly accounts: BookAccounts;
  readonly order: Order;
  readonly rows: readonly Transfer[];
  readonly faults: string[];
}

/** What a read must fit; a list by pages is no moment, and is checked row by row at once. */
function readOf(one: Reading, { accounts, order, rows, faults }: ReadOptions): Waiting[] {
  const after = order.acknowledgedBefore(one.begun);
  const until = order.lastUntil(one.ended);
  const window = { after, until, what: `read ${text(one)}` };
  switch (one.kind) {
    case "accounts":
      return [
        {
          ...window,
          holds: ({ figures }, _, closed) =>
            one.accounts.every((account) => fits(account, figures())) &&
            closed.some((some) =>
              one.accounts.every(({ accountId, flags }) => some.closed.has(accountId) === isClosed(flags)),
            ),
        },
      ];
    case "balance":
      return [{ ...window, holds: (book) => fitsBalance(book, one.accountId, one.balance, one.sequence) }];
    case "trial balance":
      return [{ ...window, holds: (book) => text([...one.lines].sort()) === text(linesOf(book, accounts)) }];
    case "list":
      // Nothing is added to the accounts of a run.
      return [];
    case "statement":
    case "export": {
      const isOf = ({ mode, debitAccountId: debit, creditAccountId: credit }: Transfer) =>
        one.kind === "export" || (movesMoney(mode) && [debit, credit].includes(one.accountId));
      const expected = rows.filter((row) => row.seq <= until && isOf(row)).map(({ seq }) => seq);
      const owed = expected.filter((seq) => seq <= after).length;
      const at = one.sequences.findIndex((seq, n) => expected[n] !== seq);
      if (at >= 0) faults.push(`${nameOf(one)}: row ${at} is ${one.sequences[at]}, and not ${expected[at]}`);
      else if (one.sequences.length < owed) faults.push(`${nameOf(one)}: ${one.sequences.length} rows of ${owed}`);
      return [];
    }
  }
}

const nameOf = ({ kind, begun, ended }: Reading) => `${kind} that began at ${begun} and ended at ${ended}`;
const movesMoney = (mode: string) => mode === "POSTED" || mode === "POST_PENDING";

type Figures = ReturnType<Book["figures"]>;
interface ReadAccount {
  readonly accountId: string;
  readonly debitsPostedMinor: bigint;
  readonly creditsPostedMinor: bigint;
  readonly debitsPendingMinor: bigint;
  readonly creditsPendingMinor: bigint;
}

function fits(account: ReadAccount, figures: Figures): boolean {
  const own = figures.get(account.accountId)!;
  return (
    own.debits === account.debitsPostedMinor &&
    own.credits === account.creditsPostedMinor &&
    own.heldDebits === account.debitsPendingMinor &&
    own.heldCredits === account.creditsPendingMinor
  );
}

function fitsBalance(book: Book, accountId: string, balance: bigint, sequence: bigint): boolean {
  const { debits, credits, lastSeq } = book.figures().get(accountId)!;
  return lastSeq === sequence && credits - debits === balance;
}

/** By code and currency. */
function linesOf(book: Book, accounts: BookAccounts): [string, readonly [bigint, bigint]][] {
  const lines = new Map<string, [bigint, bigint]>();
  for (const [id, { debits, credits }] of book.figures()) {
    const { code, currency } = accounts.get(id)!;
    const [before, then] = lines.get(`${code}/${currency}`) ?? [0n, 0n];
    lines.set(`${code}/${currency}`, [before + debits, then + credits]);
  }
  return [...lines].sort();
}

function sameAnswer(answer: Answer, transfers: readonly Transfer[]): boolean {
  if (!("transfers" in answer) || answer.transfers.length !== transfers.length) return false;
  return answer.transfers.every((one, n) => {
    const stored = transfers[n]!;
    return (
      one.seq === stored.seq &&
      one.key === stored.key &&
      one.debit === stored.debitAccountId &&
      one.credit === stored.creditAccountId &&
      one.amount === stored.amountMinor &&
      one.debitBalance === stored.debitBalanceMinor &&
      one.creditBalance === stored.creditBalanceMinor &&
      one.day === stored.day &&
      one.belongsTo === stored.belongsTo
    );
  });
}

/** Whether an answer that came over the wire is the book's. */
export function tells({ posted, refused }: GroupResult, answer: Answer): boolean {
  if (posted === undefined) {
    if ("transfers" in answer || refused === undefined) return false;
    const { code, transferIndex, availableMinor, askedMinor } = refused;
    return (
      code === answer.code &&
      transferIndex === answer.index &&
      availableMinor === answer.available &&
      askedMinor === answer.requested
    );
  }
  if (!("transfers" in answer) || answer.transfers.length !== posted.transfers.length) return false;
  return answer.transfers.every((one, n) => {
    const answered = posted.transfers[n]!;
    return (
      one.seq === answered.sequence &&
      one.key === answered.key &&
      one.amount === answered.amountMinor &&
      one.debitBalance === answered.debitBalanceMinor &&
      one.creditBalance === answered.creditBalanceMinor
    );
  });
}

function withoutReplay({ posted, refused }: GroupResult): object {
  return { posted: posted && { ...posted, replayed: false }, refused: refused && { ...refused, replayed: false } };
}

/** A value in one line, to be read. */
export function text(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "bigint" ? String(inner) : inner instanceof Map ? [...inner] : inner,
  );
}
