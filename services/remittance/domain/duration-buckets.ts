// Buckets of a log-linear histogram, as HdrHistogram has them (hdrhistogram.org): 16 of each power
// of two, below 16 s one a second. A bucket's highest value is at most 1/16 above any in it.
const bits = 4;
const linear = 2 ** bits;
// 68 years: what takes longer counts as that.
const longestS = 2 ** 31 - 1;

/** The bucket of a time in ms; what is below zero is zero. */
export function bucketOf(ms: number): number {
  const s = Math.min(longestS, Math.max(0, Math.floor(ms / 1_000)));
  if (s < linear) return s;
  const shift = 31 - Math.clz32(s) - bits;
  return (shift + 1) * linear + (s >>> shift) - linear;
}

/** The highest time of a bucket, in whole s. */
export function highestOf(bucket: number): number {
  if (bucket < linear) return bucket;
  const shift = Math.floor(bucket / linear) - 1;
  return ((bucket % linear) + linear + 1) * 2 ** shift - 1;
}

/**
 * The time that so many percent took at most, in s, by the nearest rank: never below the true one,
 * and at most 1/16 above it. Undefined of none.
 */
export function percentileOf(buckets: ReadonlyMap<number, bigint>, percent: bigint): number | undefined {
  const total = buckets.values().reduce((sum, count) => sum + count, 0n);
  if (total <= 0n) return undefined;
  const rank = (total * percent + 99n) / 100n;
  let seen = 0n;
  for (const [bucket, count] of [...buckets].toSorted(([a], [b]) => a - b)) {
    seen += count;
    if (seen >= rank) return highestOf(bucket);
  }
  return undefined;
}
