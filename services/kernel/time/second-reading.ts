import { setTimeout as sleep } from "node:timers/promises";

/**
 * Reads two books and what differs between them. They are read one after the other, so what
 * begins or ends meanwhile differs for a moment: where anything differs they are read a second
 * time, when what was under way is through, and that reading counts.
 */
export async function readAgainIfDifferent<T extends { readonly differences: readonly unknown[] }>(
  read: () => Promise<T>,
): Promise<T> {
  const first = await read();
  if (first.differences.length === 0) return first;
  await sleep(1_000);
  return read();
}
