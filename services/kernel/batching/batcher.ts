import { AsyncLocalStorage } from "node:async_hooks";

/** Lets more batches run while many items wait. */
export interface Surge {
  /** From so many waiting items on. */
  readonly minWaiting: number;
  readonly maxInFlight: number;
}

export interface BatcherOptions<Item> {
  /** In one batch: items, or what weightOf makes of them. */
  readonly maxBatchSize: number;
  /** What an item counts for in maxBatchSize; 1 when absent. */
  weightOf?(item: Item): number;
  /** Batches of one key at a time. */
  readonly maxInFlight: number;
  /**
   * No batch is smaller than this while more wait: waiting items are divided among the batches that
   * may run.
   */
  readonly minBatchSize: number;
  /**
   * How long a batch holds back the next one at most, ms; 250 when absent. A slow one does not keep
   * all others waiting.
   */
  readonly maxHoldMs?: number;
  /** As many batches of a key run while many items wait; maxInFlight when absent. */
  readonly surge?: Surge;
  /** Works on a batch and answers its items itself. */
  run(batchKey: string, items: Item[]): Promise<void>;
}

interface Queue<Item> {
  readonly waiting: Item[];
  inFlight: number;
  isScheduled: boolean;
}

/**
 * Batches items of one key (docs/batching.md): those that come while batches of the key are in
 * flight go with the next one. A lone item goes at once, with all that come in the same turn of the
 * event loop.
 */
export function createBatcher<Item>(options: BatcherOptions<Item>) {
  const { maxBatchSize, maxInFlight, minBatchSize, maxHoldMs = 250, surge, weightOf = () => 1, run } = options;
  const queues = new Map<string, Queue<Item>>();
  // A batch is nobody's request: it has no part in the trace of the first one.
  const outside = AsyncLocalStorage.snapshot();

  function queueOf(batchKey: string): Queue<Item> {
    const queue = queues.get(batchKey) ?? { waiting: [], inFlight: 0, isScheduled: false };
    queues.set(batchKey, queue);
    return queue;
  }

  function schedule(batchKey: string, queue: Queue<Item>): void {
    const isSurge = surge !== undefined && queue.waiting.length >= surge.minWaiting;
    if (queue.isScheduled || queue.inFlight >= (isSurge ? surge.maxInFlight : maxInFlight)) return;
    queue.isScheduled = true;
    outside(setImmediate, () => {
      queue.isScheduled = false;
      if (queue.waiting.length > 0) void runNext(batchKey, queue);
      else if (queue.inFlight === 0) queues.delete(batchKey);
    });
  }

  /** How many items from the front fit into one batch; one at least. */
  function countFitting(waiting: readonly Item[]): number {
    let weight = 0;
    const end = waiting.findIndex((item) => (weight += weightOf(item)) > maxBatchSize);
    return end < 0 ? waiting.length : Math.max(1, end);
  }

  async function runNext(batchKey: string, queue: Queue<Item>): Promise<void> {
    const { waiting } = queue;
    const share = Math.max(minBatchSize, Math.ceil(waiting.length / maxInFlight));
    const items = waiting.splice(0, Math.min(share, countFitting(waiting)));
    queue.inFlight += 1;
    let isHolding = true;
    const release = () => {
      if (!isHolding) return;
      isHolding = false;
      queue.inFlight -= 1;
      schedule(batchKey, queue);
    };
    const timer = setTimeout(release, maxHoldMs);
    if (waiting.length > 0) schedule(batchKey, queue);
    try {
      await run(batchKey, items);
    } finally {
      clearTimeout(timer);
      release();
    }
  }

  return {
    add(batchKey: string, item: Item): void {
      const queue = queueOf(batchKey);
      queue.waiting.push(item);
      schedule(batchKey, queue);
    },
  };
}
