import { movePosition, noPosition, type Position } from "./average-cost.js";
import { noonIn, type Day } from "./days.js";
import { rateText, worthMinor, type MiddleRate } from "./middle-rates.js";
import type { Transfer } from "./model.js";

export interface BookPosition extends Position {
  readonly currency: string;
  /** Won since the books began, or below zero lost. */
  readonly realisedMinor: bigint;
}

/** A result that is to be posted, minor units of base, once by its key. */
export interface RealisedResult {
  readonly key: string;
  readonly minor: bigint;
  /** Within the day that the movement which it comes of counts for. */
  readonly effectiveAtMs: number;
  /** Middle rates that the movement was priced by, as texts. */
  readonly rates?: readonly string[];
}

/** An exchange of foreign currencies, and the middle rates that priced it in base. */
export interface PricedExchange {
  readonly seq: bigint;
  readonly day: Day;
  readonly rates: readonly MiddleRate[];
}

/** Positions of the accounts of one code. */
export interface PositionBook {
  readonly code: string;
  readonly base: string;
  /** All transfers up to here are counted. */
  readonly throughSeq: bigint;
  readonly positions: readonly BookPosition[];
  /** Counted, and perhaps not posted yet. */
  readonly toPost: readonly RealisedResult[];
  /** The last ones. */
  readonly priced: readonly PricedExchange[];
  /** The exchange that nobody has priced: nothing behind it is counted. */
  readonly waiting?: { readonly seq: bigint; readonly currencies: readonly string[]; readonly day: Day };
}

/** By how much what is left of a currency changed on a day, and what that cost. */
export interface PositionMove extends Position {
  readonly currency: string;
  readonly day: Day;
}

export interface FoldFrame {
  /** Of the last transfer. */
  readonly throughSeq: bigint;
  readonly timeZone: string;
  /** The middle rate of a currency in base on a day; undefined where none is known. */
  readonly rateOn: (currency: string, day: Day) => MiddleRate | undefined;
}

const maxPriced = 20;
/** Keys of what the ledger posts of positions itself: they are no movements. */
export const ownKeyPrefix = "fx:";

export const newBook = (code: string, base: string): PositionBook => ({
  code,
  base,
  throughSeq: 0n,
  positions: [],
  toPost: [],
  priced: [],
});

/**
 * Counts linked groups of a journal in their order, of which each transfer touches accounts of the
 * code and each group is whole. What it realised is in `toPost`, what it moved in `moves`.
 */
export function foldPositions(
  book: PositionBook,
  transfers: readonly Transfer[],
  { throughSeq, timeZone, rateOn }: FoldFrame,
): { readonly book: PositionBook; readonly moves: readonly PositionMove[] } {
  const { waiting: _before, ...rest } = book;
  const moves = new Map<string, PositionMove>();
  let folded: PositionBook = rest;
  for (const group of groupsOf(transfers)) {
    const { legs, rates, missing, seq, day } = legsOf(group, book, rateOn);
    if (missing.length > 0) {
      return { book: { ...folded, waiting: { seq, currencies: missing, day } }, moves: [...moves.values()] };
    }
    if (rates.length > 0) folded = { ...folded, priced: [...folded.priced, { seq, day, rates }].slice(-maxPriced) };
    const at = { seq, effectiveAtMs: noonIn(timeZone, day), rates: rates.map(rateText) };
    for (const leg of legs) {
      const before = folded.positions.find(({ currency }) => currency === leg.currency);
      folded = moveIn(folded, leg, at);
      const after = folded.positions.find(({ currency }) => currency === leg.currency)!;
      addMove(moves, { ...difference(after, before ?? noPosition), currency: leg.currency, day });
    }
  }
  return { book: { ...folded, throughSeq }, moves: [...moves.values()] };
}

/** Currencies that a middle rate has to price, by the days of their exchanges. */
export function currenciesToPrice(book: PositionBook, transfers: readonly Transfer[]): Map<Day, Set<string>> {
  const wanted = new Map<Day, Set<string>>();
  for (const group of groupsOf(transfers)) {
    const { foreign, day } = movedBy(group, book);
    if (foreign.length < 2) continue;
    wanted.set(day, new Set([...(wanted.get(day) ?? []), ...foreign.map(({ currency }) => currency)]));
  }
  return wanted;
}

interface Leg {
  readonly currency: string;
  readonly quantityMinor: bigint;
  readonly receivedMinor: bigint;
}

const groupsOf = (transfers: readonly Transfer[]) => Map.groupBy(transfers, ({ link }) => link.key).values();

/**
 * What a group moved, each currency at the base that was received for it. Of several foreign ones
 * all but one are worth what their middle rate says, and the group's own price is left for that
 * one: what goes out, or what has no rate.
 */
function legsOf(group: readonly Transfer[], book: PositionBook, rateOn: FoldFrame["rateOn"]) {
  const { foreign, receivedMinor, seq, day } = movedBy(group, book);
  const at = { seq, day, rates: [] as MiddleRate[], missing: [] as string[] };
  if (foreign.length < 2) {
    const { currency, quantityMinor } = foreign[0] ?? { currency: book.base, quantityMinor: 0n };
    const isMoved = quantityMinor !== 0n || receivedMinor !== 0n;
    return { ...at, legs: isMoved ? [{ currency, quantityMinor, receivedMinor }] : [] };
  }
  const priced = foreign.map((moved) => ({ ...moved, rate: rateOn(moved.currency, day) }));
  const unknown = priced.filter(({ rate }) => rate === undefined);
  if (unknown.length > 1) return { ...at, legs: [], missing: unknown.map(({ currency }) => currency) };
  const last = unknown[0] ?? priced.find(({ quantityMinor }) => quantityMinor < 0n) ?? priced[0]!;
  const legs: Leg[] = [];
  const rates: MiddleRate[] = [];
  let leftMinor = receivedMinor;
  for (const { currency, quantityMinor, rate } of priced) {
    if (currency === last.currency || rate === undefined) continue;
    const worth = worthMinor({ minor: quantityMinor, currency }, book.base, rate);
    legs.push({ currency, quantityMinor, receivedMinor: -worth });
    rates.push(rate);
    leftMinor += worth;
  }
  legs.push({ currency: last.currency, quantityMinor: last.quantityMinor, receivedMinor: leftMinor });
  return { ...at, legs, rates };
}

function moveIn(
  book: PositionBook,
  moved: Leg,
  { seq, effectiveAtMs, rates }: { seq: bigint; effectiveAtMs: number; rates: readonly string[] },
): PositionBook {
  const { currency } = moved;
  const found = book.positions.find((one) => one.currency === currency);
  const { realisedMinor, ...position } = movePosition(found ?? noPosition, moved);
  const { quantityMinor, costMinor } = position;
  const after = { currency, quantityMinor, costMinor, realisedMinor: (found?.realisedMinor ?? 0n) + realisedMinor };
  const result = {
    key: `${ownKeyPrefix}${book.code}:${currency}:${seq}`,
    minor: realisedMinor,
    effectiveAtMs,
    ...(rates.length > 0 && { rates }),
  };
  return {
    ...book,
    throughSeq: seq,
    positions: [...book.positions.filter((one) => one !== found), after],
    toPost: realisedMinor === 0n ? book.toPost : [...book.toPost, result],
  };
}

function difference(after: Position, before: Position): Position {
  return {
    quantityMinor: after.quantityMinor - before.quantityMinor,
    costMinor: after.costMinor - before.costMinor,
  };
}

function addMove(moves: Map<string, PositionMove>, move: PositionMove): void {
  if (move.quantityMinor === 0n && move.costMinor === 0n) return;
  const name = `${move.day} ${move.currency}`;
  const known = moves.get(name) ?? noPosition;
  const quantityMinor = known.quantityMinor + move.quantityMinor;
  moves.set(name, { ...move, quantityMinor, costMinor: known.costMinor + move.costMinor });
}

/** Credits less debits of a code's accounts by currency: what came in. Its own results are none. */
function movedBy(group: readonly Transfer[], { code, base }: PositionBook) {
  const moved = new Map<string, bigint>();
  const last = group.at(-1)!;
  for (const { debitAccountId, creditAccountId, currency, amountMinor, service, key } of group) {
    if (service === "ledger" && key.startsWith(ownKeyPrefix)) continue;
    const accountId = `${code}:${currency}`;
    const sign = (creditAccountId === accountId ? 1n : 0n) - (debitAccountId === accountId ? 1n : 0n);
    moved.set(currency, (moved.get(currency) ?? 0n) + sign * amountMinor);
  }
  const foreign = [...moved]
    .filter(([currency, minor]) => currency !== base && minor !== 0n)
    .map(([currency, quantityMinor]) => ({ currency, quantityMinor }));
  return { foreign, receivedMinor: moved.get(base) ?? 0n, seq: last.seq, day: last.day };
}
