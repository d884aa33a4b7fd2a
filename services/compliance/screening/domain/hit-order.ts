import { isOpen, type Hit, type Screening } from "./screening.js";

/** A hit with the screening that found it. */
export interface FoundHit {
  screening: Screening;
  hit: Hit;
}

/**
 * Hits in the order in which they want to be looked at: undecided ones, confirmed ones,
 * the others; the best match first.
 */
export function hitsInOrder(screenings: readonly Screening[]): FoundHit[] {
  return screenings
    .flatMap((screening) => screening.hits.map((hit) => ({ screening, hit })))
    .toSorted((a, b) => weightOf(a.hit) - weightOf(b.hit) || b.hit.score - a.hit.score);
}

function weightOf(hit: Hit): number {
  if (isOpen(hit)) return 0;
  return hit.state === "CONFIRMED" ? 1 : 2;
}

/**
 * The version of the list that the entry of a hit was read from; undefined
 * where the screening does not say.
 */
export function listOf({ lists }: Screening, { source }: Pick<Hit, "source">) {
  return lists.find((one) => one.source === source);
}
