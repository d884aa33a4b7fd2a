/**
 * How long until something is tried again: `firstMs`, doubled with each attempt up to `mostMs`,
 * less up to a quarter by chance so that what failed together comes back apart.
 */
export function doublingPause({
  firstMs,
  mostMs,
  doublings = 8,
}: {
  firstMs: number;
  mostMs: number;
  /** The most that count: far more attempts must not leave the range of numbers. */
  doublings?: number;
}): (attempts: number) => number {
  return (attempts) => Math.min(mostMs, firstMs * 2 ** Math.min(attempts, doublings)) * (1 - Math.random() / 4);
}

/** The longest default pause between two tries of a row, in ms. */
export const longestPauseMs = 30_000;

/**
 * 1 s, 2 s, 4 s … up to 30 s, less up to a quarter. No longer: a row whose neighbour is
 * back is done within half a minute.
 */
export const defaultBackoff = doublingPause({ firstMs: 500, mostMs: longestPauseMs });
