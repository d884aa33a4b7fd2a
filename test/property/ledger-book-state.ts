import type { NewTransfer } from "../../services/ledger/domain/model.js";

export interface BookAccount {
  readonly code: string;
  readonly service: string;
  readonly currency: string;
  /** Balances are debits less credits; otherwise credits less debits. */
  readonly isDebitNormal: boolean;
  readonly bound?: "debits" | "credits";
  readonly isClosed?: true;
}

export interface BookFigures {
  debits: bigint;
  credits: bigint;
  heldDebits: bigint;
  heldCredits: bigint;
  lastSeq: bigint;
}

export interface BookTransfer {
  readonly seq: bigint;
  readonly key: string;
  readonly mode: NewTransfer["mode"];
  readonly debit: string;
  readonly credit: string;
  readonly amount: bigint;
  readonly currency: string;
  readonly refersTo: string;
  readonly dueAtMs: number | undefined;
  readonly debitBalance: bigint;
  readonly creditBalance: bigint;
  /** Business day since 1970 that it counts for; its own, where that was closed already. */
  readonly day: number;
  readonly belongsTo: number | undefined;
}

/** A transfer as reads tell of it. */
export interface BookRow extends BookTransfer {
  readonly timeMs: number;
  readonly kind: string;
}

/** Of a code and currency in a trial balance. */
export interface BookLine {
  readonly code: string;
  readonly currency: string;
  readonly debits: bigint;
  readonly credits: bigint;
  readonly accounts: bigint;
}

export interface BookRefusal {
  readonly code: string;
  readonly index: number;
  readonly available: bigint;
  readonly requested: bigint;
}

export type Answer = { readonly transfers: readonly BookTransfer[] } | BookRefusal;

export interface Hold {
  readonly transfer: BookRow;
  readonly state: "open" | "resolved" | "expired";
}

export interface Decided {
  readonly content: string;
  readonly answer: Answer;
}

/** What is closed: accounts, and the days through one. */
export interface Closings {
  readonly closed: Map<string, true>;
  /** Business day since 1970. */
  closedThrough: number;
}

/** All that a book knows; a plain value, so that a copy of it is a backup. */
export interface State extends Closings {
  seq: bigint;
  readonly figures: Map<string, BookFigures>;
  readonly holds: Map<string, Hold>;
  readonly transfers: Map<string, BookRow>;
  readonly reversed: Map<string, true>;
  readonly decided: Map<string, Decided>;
}

/** What one group does to a state; thrown away where it is refused. */
export type Draft = ReturnType<typeof draftOf>;

export function draftOf(state: State) {
  const figures = overlay(state.figures);
  const holds = overlay(state.holds);
  const transfers = overlay(state.transfers);
  const reversed = overlay(state.reversed);
  return {
    seq: state.seq,
    figures,
    holds,
    transfers,
    reversed,
    keep(seq: bigint): void {
      state.seq = seq;
      for (const one of [figures, holds, transfers, reversed]) one.keep();
    },
  };
}

function overlay<T>(below: Map<string, T>) {
  const own = new Map<string, T>();
  return {
    get: (key: string): T | undefined => own.get(key) ?? below.get(key),
    has: (key: string): boolean => own.has(key) || below.has(key),
    set: (key: string, value: T): void => void own.set(key, value),
    keep: (): void => own.forEach((value, key) => below.set(key, value)),
  };
}

export class Refused extends Error {
  readonly code: string;
  readonly available: bigint;
  readonly requested: bigint;
  constructor(code: string, available = 0n, requested = 0n) {
    super(code);
    this.code = code;
    this.available = available;
    this.requested = requested;
  }
}

export function copyOf(state: State): State {
  return {
    seq: state.seq,
    figures: new Map(state.figures),
    holds: new Map(state.holds),
    transfers: new Map(state.transfers),
    reversed: new Map(state.reversed),
    decided: new Map(state.decided),
    closed: new Map(state.closed),
    closedThrough: state.closedThrough,
  };
}

export function emptyFigures(): BookFigures {
  return { debits: 0n, credits: 0n, heldDebits: 0n, heldCredits: 0n, lastSeq: 0n };
}
