import type { LinkedGroup, NewTransfer } from "../../services/ledger/domain/model.js";
import { balanceOf, createBookReads } from "./ledger-book-reads.js";
import {
  copyOf,
  draftOf,
  emptyFigures,
  Refused,
  type Answer,
  type BookAccount,
  type BookFigures,
  type BookRefusal,
  type BookTransfer,
  type Closings,
  type Draft,
  type State,
} from "./ledger-book-state.js";

// What the ledger promises, once more and as plainly as possible: no cache, no commits, no
// database, no code of the ledger's.

const maxInt64 = 9_223_372_036_854_775_807n;

const untraced = new Set(["PERIOD_CLOSED", "AMOUNT_NOT_POSITIVE", "SAME_ACCOUNT", "NOT_ACCOUNT_OWNER", "KEY_REUSED"]);

export type Book = ReturnType<typeof createBook>;

/**
 * A ledger that decides one linked group after the other; `dayOf` says on which business day a time
 * lies, `businessMs` what the business clock shows at a real time.
 */
export function createBook(
  accounts: ReadonlyMap<string, BookAccount>,
  { dayOf, businessMs }: { dayOf: (timeMs: number) => number; businessMs: (timeMs: number) => number },
) {
  let state: State = {
    seq: 0n,
    figures: new Map([...accounts.keys()].map((id) => [id, emptyFigures()])),
    holds: new Map(),
    transfers: new Map(),
    reversed: new Map(),
    decided: new Map(),
    closed: new Map([...accounts].flatMap(([id, { isClosed }]) => (isClosed === true ? [[id, true] as const] : []))),
    closedThrough: -Infinity,
  };

  /** `isNew`: something was decided, which takes a commit. */
  function decide(group: LinkedGroup, timeMs: number, isTried = false): { answer: Answer; isNew: boolean } {
    const { decided } = state;
    const content = contentOf(group);
    const malformed = formFault(group);
    if (malformed !== undefined) return { answer: malformed, isNew: false };
    const index = group.transfers.findIndex(({ key }) => decided.has(key));
    if (index >= 0) {
      const earlier = decided.get(group.transfers[index]!.key)!;
      const other = { code: "KEY_REUSED", index, available: 0n, requested: 0n };
      return { answer: earlier.content === content ? earlier.answer : other, isNew: false };
    }
    const answer = work(group, timeMs, isTried);
    const isNew = "transfers" in answer || !(untraced.has(answer.code) || group.service === "ledger");
    if (isNew && !isTried) for (const { key } of group.transfers) decided.set(key, { content, answer });
    return { answer, isNew };
  }

  function work(group: LinkedGroup, timeMs: number, isTried: boolean): Answer {
    const stranger = group.transfers.findIndex((requested) => isStranger(requested, group.service));
    if (stranger >= 0) return { code: "NOT_ACCOUNT_OWNER", index: stranger, available: 0n, requested: 0n };
    const draft = draftOf(state);
    const done: BookTransfer[] = [];
    for (const [index, requested] of group.transfers.entries()) {
      try {
        done.push(book(draft, requested, timeMs));
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        return { code: error.code, index, available: error.available, requested: error.requested };
      }
    }
    if (!isTried) draft.keep(draft.seq);
    return { transfers: done };
  }

  function isStranger(requested: NewTransfer, service: string): boolean {
    if (requested.mode === "EXPIRE_PENDING") return false;
    const named = state.transfers.get(requested.refersTo);
    const debit =
      requested.refersTo === ""
        ? requested.debitAccountId
        : isReversal(requested)
          ? named?.credit
          : holdOf(named)?.debit;
    const owner = debit === undefined ? undefined : accounts.get(debit)?.service;
    return owner !== undefined && owner !== service;
  }

  function holdOf(named: BookTransfer | undefined): BookTransfer | undefined {
    return named?.mode === "PENDING" ? named : undefined;
  }

  function book(draft: Draft, requested: NewTransfer, timeMs: number): BookTransfer {
    const { debit, credit, amount, currency, released, dueAtMs } = find(draft, requested, timeMs);
    const [from, to] = [{ ...draft.figures.get(debit)! }, { ...draft.figures.get(credit)! }];
    const isMoved = requested.mode === "POSTED" || requested.mode === "POST_PENDING";
    const own = dayOf(requested.effectiveAtMs ?? businessMs(timeMs));
    const isLate = own <= state.closedThrough;
    if (isLate && requested.refusesLate === true) throw new Refused("PERIOD_CLOSED");
    if (released === undefined) assertRoom(debit, credit, from, to, amount, requested.mode === "PENDING");
    draft.seq += 1n;
    if (isMoved) [from.debits, to.credits] = [from.debits + amount, to.credits + amount];
    const held = (requested.mode === "PENDING" ? amount : 0n) - (released ?? 0n);
    [from.heldDebits, to.heldCredits] = [from.heldDebits + held, to.heldCredits + held];
    [from.lastSeq, to.lastSeq] = [draft.seq, draft.seq];
    draft.figures.set(debit, from);
    draft.figures.set(credit, to);
    const transfer = {
      seq: draft.seq,
      key: requested.key,
      mode: requested.mode,
      debit,
      credit,
      amount,
      currency,
      refersTo: requested.refersTo,
      dueAtMs,
      debitBalance: balanceOf(accounts.get(debit)!, from),
      creditBalance: balanceOf(accounts.get(credit)!, to),
      day: isLate ? state.closedThrough + 1 : own,
      belongsTo: isLate ? own : undefined,
    };
    const row = { ...transfer, timeMs, kind: requested.kind };
    draft.transfers.set(requested.key, row);
    if (requested.mode === "PENDING") draft.holds.set(requested.key, { transfer: row, state: "open" });
    if (released !== undefined) {
      const end = requested.mode === "EXPIRE_PENDING" ? "expired" : "resolved";
      draft.holds.set(requested.refersTo, { ...draft.holds.get(requested.refersTo)!, state: end });
    }
    if (isReversal(requested)) draft.reversed.set(requested.refersTo, true);
    return transfer;
  }

  function find(draft: Draft, requested: NewTransfer, timeMs: number): Found {
    if (isReversal(requested)) return findReversed(draft, requested);
    return requested.refersTo === "" ? findAccounts(draft, requested, timeMs) : findHold(draft, requested, timeMs);
  }

  function assertOpen(...ids: string[]): void {
    if (ids.some((id) => state.closed.has(id))) throw new Refused("ACCOUNT_CLOSED");
  }

  function findAccounts(draft: Draft, requested: NewTransfer, timeMs: number): Found {
    const { debitAccountId: debit, creditAccountId: credit } = requested;
    const { minor, currency } = requested.amount!;
    for (const id of [debit, credit]) if (!accounts.has(id)) throw new Refused("ACCOUNT_NOT_FOUND");
    for (const id of [debit, credit]) {
      assertOpen(id);
      if (accounts.get(id)!.currency !== currency) throw new Refused("CURRENCY_MISMATCH");
    }
    let amount = minor;
    if (requested.isUpTo === true) {
      const limits = [minor, toSpend(draft.figures.get(debit)!)];
      if (accounts.get(credit)!.bound === "credits") limits.push(toReceive(draft.figures.get(credit)!));
      amount = limits.reduce((a, b) => (a < b ? a : b));
      if (amount <= 0n) throw new Refused("INSUFFICIENT_FUNDS", amount, minor);
    }
    const dueAtMs = requested.timeoutMs === undefined ? undefined : timeMs + requested.timeoutMs;
    return { debit, credit, amount, currency, dueAtMs };
  }

  function findHold(draft: Draft, requested: NewTransfer, timeMs: number): Found {
    const hold = draft.holds.get(requested.refersTo);
    if (hold === undefined) throw new Refused("PENDING_NOT_FOUND");
    const { debit, credit, amount, currency, dueAtMs } = hold.transfer;
    const isDue = dueAtMs !== undefined && dueAtMs <= timeMs;
    const expires = requested.mode === "EXPIRE_PENDING";
    if (hold.state === "expired" || (hold.state === "open" && isDue && !expires)) throw new Refused("PENDING_EXPIRED");
    if (hold.state === "resolved") throw new Refused("PENDING_ALREADY_RESOLVED");
    if (expires && !isDue) throw new Refused("STATE_CONFLICT");
    const found = { debit, credit, amount, currency, released: amount };
    if (requested.mode === "POST_PENDING") assertOpen(debit, credit);
    if (requested.mode !== "POST_PENDING" || requested.amount === undefined) return found;
    if (requested.amount.currency !== currency) throw new Refused("CURRENCY_MISMATCH");
    if (requested.amount.minor > amount) throw new Refused("PENDING_AMOUNT_EXCEEDED", amount, requested.amount.minor);
    return { ...found, amount: requested.amount.minor };
  }

  function findReversed(draft: Draft, requested: NewTransfer): Found {
    const named = draft.transfers.get(requested.refersTo);
    if (named === undefined) throw new Refused("TRANSFER_NOT_FOUND");
    if (named.mode !== "POSTED" && named.mode !== "POST_PENDING") throw new Refused("TRANSFER_NOT_REVERSIBLE");
    if (isReversal(named)) throw new Refused("TRANSFER_NOT_REVERSIBLE");
    if (draft.reversed.has(requested.refersTo)) throw new Refused("TRANSFER_ALREADY_REVERSED");
    assertOpen(named.credit, named.debit);
    return { debit: named.credit, credit: named.debit, amount: named.amount, currency: named.currency };
  }

  function assertRoom(
    debit: string,
    credit: string,
    from: BookFigures,
    to: BookFigures,
    amount: bigint,
    isHeld: boolean,
  ): void {
    if (accounts.get(debit)!.bound === "debits" && amount > toSpend(from)) {
      throw new Refused("INSUFFICIENT_FUNDS", toSpend(from), amount);
    }
    if (accounts.get(credit)!.bound === "credits" && amount > toReceive(to)) {
      throw new Refused("INSUFFICIENT_FUNDS", toReceive(to), amount);
    }
    const [below, above] = [maxInt64 + toSpend(from), maxInt64 + toReceive(to)];
    const rooms = [below, above, ...(isHeld ? [maxInt64 - from.heldDebits, maxInt64 - to.heldCredits] : [])];
    const room = rooms.reduce((least, one) => (one < least ? one : least));
    if (amount > room) throw new Refused("AMOUNT_TOO_LARGE", room, amount);
  }

  /** The code that closing an account is refused with, if it is; nothing changes. */
  function triedClosing(id: string, service: string): string | undefined {
    const account = accounts.get(id);
    if (account === undefined) return "ACCOUNT_NOT_FOUND";
    if (state.closed.has(id)) return undefined;
    if (account.service !== service) return "NOT_ACCOUNT_OWNER";
    const { debits, credits, heldDebits, heldCredits } = state.figures.get(id)!;
    return debits !== credits || heldDebits !== 0n || heldCredits !== 0n ? "ACCOUNT_NOT_EMPTY" : undefined;
  }

  const reads = createBookReads(accounts, () => state);

  return {
    decide: (group: LinkedGroup, timeMs: number) => decide(group, timeMs),
    /** What would be answered now, or with other closings; nothing changes. */
    tried(group: LinkedGroup, timeMs: number, closings: Closings = state): Answer {
      const before = state;
      state = { ...before, closed: closings.closed, closedThrough: closings.closedThrough };
      const { answer } = decide(group, timeMs, true);
      state = before;
      return answer;
    },
    figures: () => state.figures,
    seq: () => state.seq,
    holds: () => state.holds,
    reversed: () => state.reversed,
    ...reads,

    triedClosing,
    /** Closes an account for its service; the code it is refused with, if it is. */
    closeAccount(id: string, service: string): string | undefined {
      const refused = triedClosing(id, service);
      if (refused === undefined) state.closed.set(id, true);
      return refused;
    },
    closed: () => state.closed,

    /** Closes the days up to one; gives through when they are closed then. */
    closePeriod(day: number): number {
      state.closedThrough = Math.max(state.closedThrough, day);
      return state.closedThrough;
    },
    closedThrough: () => state.closedThrough,
    /** Opens the days from one on again. */
    reopenPeriod: (from: number): void => void (state.closedThrough = Math.min(state.closedThrough, from - 1)),

    /** All that is in the book, and a book put back to that. */
    backup: (): State => copyOf(state),
    restore: (backup: State): void => void (state = copyOf(backup)),
  };
}

interface Found {
  readonly debit: string;
  readonly credit: string;
  readonly amount: bigint;
  readonly currency: string;
  /** What the hold it ends had reserved. */
  readonly released?: bigint;
  readonly dueAtMs?: number | undefined;
}

function formFault({ transfers }: LinkedGroup): BookRefusal | undefined {
  const keys = new Set<string>();
  for (const [index, { key, amount, debitAccountId, creditAccountId }] of transfers.entries()) {
    if (amount !== undefined && amount.minor <= 0n) {
      return { code: "AMOUNT_NOT_POSITIVE", index, available: 0n, requested: amount.minor };
    }
    if (debitAccountId !== "" && debitAccountId === creditAccountId) {
      return { code: "SAME_ACCOUNT", index, available: 0n, requested: 0n };
    }
    if (keys.has(key)) return { code: "KEY_REUSED", index, available: 0n, requested: 0n };
    keys.add(key);
  }
  return undefined;
}

function isReversal({ mode, refersTo }: { mode: string; refersTo: string }): boolean {
  return mode === "POSTED" && refersTo !== "";
}

const toSpend = ({ credits, debits, heldDebits }: BookFigures) => credits - debits - heldDebits;
const toReceive = ({ debits, credits, heldCredits }: BookFigures) => debits - credits - heldCredits;

function contentOf({ transfers, service }: LinkedGroup): string {
  return JSON.stringify([service, transfers], (_, value: unknown) => (typeof value === "bigint" ? `${value}n` : value));
}
