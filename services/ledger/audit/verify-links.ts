import { dayText, type Day } from "../domain/days.js";
import type { StoredReversal, VolumePage } from "../domain/journal.js";
import type { Transfer } from "../domain/model.js";
import { isReversal } from "../domain/steps.js";

interface Sum {
  readonly name: string;
  readonly stored: { transfers: bigint; amountMinor: bigint };
  readonly made: { transfers: bigint; amountMinor: bigint };
}

export interface VolumeState {
  readonly pages: readonly Pick<VolumePage, "until" | "sumsSeq">[];
  readonly sums: Map<string, Sum>;
}

/** Stored volumes, and nothing yet that transfers make. */
export function volumesOf(pages: readonly VolumePage[]): VolumeState {
  const sums = new Map<string, Sum>();
  for (const { day, kind, currency, transfers, amountMinor } of pages.flatMap(({ volumes }) => volumes)) {
    const { stored } = sumIn(sums, day, kind, currency);
    stored.transfers += transfers;
    stored.amountMinor += amountMinor;
  }
  return { pages: pages.map(({ until, sumsSeq }) => ({ until, sumsSeq })), sums };
}

function sumIn(sums: Map<string, Sum>, day: Day, kind: string, currency: string): Sum {
  const id = `${day}/${kind}/${currency}`;
  const known = sums.get(id);
  if (known !== undefined) return known;
  const nothing = () => ({ transfers: 0n, amountMinor: 0n });
  const sum = { name: `${dayText(day)} ${kind} ${currency}`, stored: nothing(), made: nothing() };
  sums.set(id, sum);
  return sum;
}

/**
 * Volumes made from the transfers alone, held against the stored ones. Memory is that of the
 * volumes.
 */
export function createVolumeBook({ pages, sums }: VolumeState) {
  return {
    enter({ mode, seq, day, kind, currency, amountMinor }: Transfer): void {
      if (mode !== "POSTED" && mode !== "POST_PENDING") return;
      const page = pages.find(({ until }) => until === undefined || day <= until);
      if (page === undefined || seq > page.sumsSeq) return;
      const { made } = sumIn(sums, day, kind, currency);
      made.transfers += 1n;
      made.amountMinor += amountMinor;
    },

    /** What is wrong, once every transfer that the pages hold is entered. */
    faults: (): string[] =>
      [...sums.values()]
        .filter(({ stored, made }) => stored.transfers !== made.transfers || stored.amountMinor !== made.amountMinor)
        .map(
          ({ name, stored, made }) =>
            `volumes of ${name} are ${volumeText(stored)}, its transfers say ${volumeText(made)}`,
        ),
  };
}

function volumeText({ transfers, amountMinor }: Sum["stored"]): string {
  return `${amountMinor} in ${transfers}`;
}

export interface ReversalState {
  /** Stored, by the key of what was reversed. */
  readonly links: ReadonlyMap<string, string>;
  readonly made: Map<string, string>;
  /** Where the head stood before they were read. */
  readonly beforeSeq: bigint;
}

/** Stored links of reversals, and nothing yet that transfers make. */
export function reversalsOf(stored: readonly StoredReversal[], beforeSeq: bigint): ReversalState {
  return { links: new Map(stored.map(({ key, reversedBy }) => [key, reversedBy])), made: new Map(), beforeSeq };
}

/**
 * Links of reversals made from the transfers alone, held against the stored ones. Memory is that of
 * the reversals.
 */
export function createReversalBook({ links, made, beforeSeq }: ReversalState) {
  return {
    /** What is wrong with a transfer as a reversal, if anything. */
    enter(transfer: Transfer): string | undefined {
      if (!isReversal(transfer)) return undefined;
      const { key, refersTo, seq } = transfer;
      const earlier = made.get(refersTo);
      if (earlier !== undefined) return `it reverses ${refersTo}, which ${earlier} has reversed`;
      made.set(refersTo, key);
      const link = links.get(refersTo);
      if (link === key || (link === undefined && seq > beforeSeq)) return undefined;
      return link === undefined ? `nothing links ${refersTo} to it` : `${refersTo} is linked to ${link} instead`;
    },

    /** Links of what nothing has reversed, by key. */
    strays: (): string[] => [...links.keys()].filter((key) => !made.has(key)),
  };
}
