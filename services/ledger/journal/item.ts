import type { Decision, LinkedGroup } from "../domain/model.js";

export interface PostOptions {
  readonly deadline?: Date | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A linked group on its way: queued, looked up, planned, committed. */
export interface Item {
  readonly group: LinkedGroup;
  readonly fingerprint: Uint8Array;
  readonly bytes: number;
  readonly waiters: Waiter[];
  readonly settled: Promise<void>;
  readonly leave: () => void;
  attempts: number;
  /** Its keys were looked up, and nothing was decided about them. */
  isLookedUp: boolean;
}

/** One caller of an item. */
export interface Waiter extends PostOptions {
  readonly resolve: (decision: Decision) => void;
  readonly reject: (error: unknown) => void;
}

/** What every item begins with. */
export const untried = { attempts: 0, isLookedUp: false };

/** A caller who does not wait any more. */
export function hasLeft({ deadline, signal }: Waiter): boolean {
  return signal?.aborted === true || (deadline !== undefined && deadline.getTime() <= Date.now());
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

/** About what the stored documents of a group weigh, from above. */
export function sizeOf({ transfers, createdBy, interactionId }: LinkedGroup): number {
  let bytes = 0;
  for (const transfer of transfers) {
    const texts = 2 * (transfer.key.length + transfer.debitAccountId.length + transfer.creditAccountId.length);
    const metadata = transfer.metadata.reduce((sum, [key, value]) => sum + key.length + 3 * value.length + 30, 0);
    bytes += 700 + texts + transfer.kind.length + 3 * transfer.description.length + metadata;
    bytes += createdBy.length + interactionId.length;
  }
  return bytes;
}
