/** A sum that may pass int64: high × 2^32 + low, both sums themselves. */
export interface WideSum {
  high: bigint;
  low: bigint;
}

const lowBits = 32n;

/**
 * Two int64 for a sum up to 2^95: MongoDB adds int64 beyond its range as doubles, or refuses to.
 */
export function wideOf(sum: bigint): WideSum {
  return { high: sum >> lowBits, low: BigInt.asUintN(32, sum) };
}

export function sumOf({ high, low }: WideSum): bigint {
  return (high << lowBits) + low;
}
