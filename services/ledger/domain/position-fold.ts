import { movePosition, noPosition, type Position } from "./average-cost.js";
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
  /** When the movement that it comes of was effective. */
  readonly effectiveAtMs: number;
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
  /** The exchange that nobody has priced: nothing behind it is counted. */
  readonly waiting?: { readonly seq: bigint; readonly currencies: readonly string[] };
}

export const newBook = (code: string, base: string): PositionBook => ({
  code,
  base,
  throughSeq: 0n,
  positions: [],
  toPost: [],
});

/**
 * Counts linked groups of a journal in their order, of which each transfer touches accounts of the
 * code and each group is whole. What it realised is in `toPost`.
 */
export function foldPositions(book: PositionBook, transfers: readonly Transfer[], throughSeq: bigint): PositionBook {
  const { waiting: _before, ...rest } = book;
  let folded: PositionBook = rest;
  for (const group of Map.groupBy(transfers, ({ link }) => link.key).values()) {
    const { moved, seq, effectiveAtMs } = movedBy(group, book.code);
    const receivedMinor = moved.get(book.base) ?? 0n;
    const foreign = [...moved].filter(([currency, minor]) => currency !== book.base && minor !== 0n);
    if (foreign.length > 1) return { ...folded, waiting: { seq, currencies: foreign.map(([currency]) => currency) } };
    const [currency, quantityMinor] = foreign[0] ?? [book.base, 0n];
    const isMoved = quantityMinor !== 0n || receivedMinor !== 0n;
    if (isMoved) folded = moveIn(folded, { currency, quantityMinor, receivedMinor }, { seq, effectiveAtMs });
  }
  return { ...folded, throughSeq };
}

interface Moved {
  readonly currency: string;
  readonly quantityMinor: bigint;
  readonly receivedMinor: bigint;
}

function moveIn(book: PositionBook, moved: Moved, at: { seq: bigint; effectiveAtMs: number }): PositionBook {
  const { currency } = moved;
  const found = book.positions.find((one) => one.currency === currency);
  const { realisedMinor, ...position } = movePosition(found ?? noPosition, moved);
  const { quantityMinor, costMinor } = position;
  const after = { currency, quantityMinor, costMinor, realisedMinor: (found?.realisedMinor ?? 0n) + realisedMinor };
  const result = {
    key: `fx:${book.code}:${currency}:${at.seq}`,
    minor: realisedMinor,
    effectiveAtMs: at.effectiveAtMs,
  };
  return {
    ...book,
    throughSeq: at.seq,
    positions: [...book.positions.filter((one) => one !== found), after],
    toPost: realisedMinor === 0n ? book.toPost : [...book.toPost, result],
  };
}

/** Credits less debits of a code's accounts by currency: what came in. Its own results are none. */
function movedBy(group: readonly Transfer[], code: string) {
  const moved = new Map<string, bigint>();
  const last = group.at(-1)!;
  for (const { debitAccountId, creditAccountId, currency, amountMinor, service, key } of group) {
    if (service === "ledger" && key.startsWith("fx:")) continue;
    const accountId = `${code}:${currency}`;
    const sign = (creditAccountId === accountId ? 1n : 0n) - (debitAccountId === accountId ? 1n : 0n);
    moved.set(currency, (moved.get(currency) ?? 0n) + sign * amountMinor);
  }
  return { moved, seq: last.seq, effectiveAtMs: last.effectiveAtMs };
}
