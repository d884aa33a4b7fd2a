/**
 * How long until something is tried again: `firstMs`, doubled with each attempt up to `mostMs`, less
 * up to a quarter by chance so that what failed together comes back apart.
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

/**
 * 1 s, 2 s, 4 s … up to 5 min, less up to a quarter so that rows which failed together come back
 * apart.
 */
export function defaultBackoff(attempts: number): number {
  return fromASecond(attempts - 1);
}

const fromASecond = doublingPause({ firstMs: 1_000, mostMs: 300_000, doublings: 10 });
