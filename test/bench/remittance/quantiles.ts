/** Ms; by nearest rank. */
export function quantiles(tookMs: readonly number[]): { p50: number; p99: number } {
  const sorted = tookMs.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}

/** Two cells of a table. */
export function show({ p50, p99 }: { p50: number; p99: number }): string {
  return `${p50.toFixed(2)} | ${p99.toFixed(2)}`;
}
