import type { Decision, LinkedGroup } from "../domain/model.js";
import { maxTransfersPerCall } from "../domain/model.js";
import { isStoreAway, storeAway } from "../store/away.js";
import type { Item } from "./item.js";
import type { Known, Lookup } from "./lookup.js";
import { JournalLost } from "./lost.js";
import type { Queue } from "./queue.js";

export interface LookupStageOptions {
  readonly lookup: Lookup;
  readonly queue: Queue;
  /** How long keys are looked up beforehand after taking over, and after one came a second time. */
  readonly doubtMs: number;
  readonly isLost: () => boolean;
  /** Called with items that are ready to be planned, in their order. */
  readonly onReady: (items: readonly Item[]) => void;
}

const maxTransfersPerWave = 2 * maxTransfersPerCall;

/**
 * Looks up, wave by wave, what planning needs, while the commit before runs. A key is taken for
 * new: its insertion finds out if it is not. After that, and right after taking over, keys are
 * looked up too for `doubtMs`.
 */
export function createLookupStage({ lookup, queue, doubtMs, isLost, onReady }: LookupStageOptions) {
  let arrived: Item[] = [];
  let isRunning = false;
  let doubtUntilMs = performance.now() + doubtMs;

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    while (arrived.length > 0) {
      const wave = takeWave();
      const isDoubtful = performance.now() < doubtUntilMs;
      for (const item of wave) item.isLookedUp ||= isDoubtful;
      const doubted = wave.filter(({ isLookedUp }) => isLookedUp);
      try {
        accept(wave, await lookup.find(wave.map(groupOf), doubted.map(groupOf)));
      } catch (error) {
        for (const item of wave) queue.settle(item, { error: isLost() ? new JournalLost() : undecided(error) });
      }
    }
    isRunning = false;
  }

  function takeWave(): Item[] {
    let transfers = 0;
    const end = arrived.findIndex(({ group }) => (transfers += group.transfers.length) > maxTransfersPerWave);
    return arrived.splice(0, end < 0 ? arrived.length : Math.max(1, end));
  }

  function accept(wave: readonly Item[], known: Known): void {
    const ready: Item[] = [];
    for (const item of wave) {
      const outcome = isLost() ? { error: new JournalLost() } : decisionOf(item, known);
      if (outcome === undefined) ready.push(item);
      else queue.settle(item, outcome);
    }
    onReady(ready);
  }

  return {
    /** Lets all that came in the same turn of the event loop share one look-up. */
    add(item: Item): void {
      arrived.push(item);
      if (!isRunning) setImmediate(() => void run());
    },

    /** Before all others, with their keys. */
    again(items: readonly Item[]): void {
      if (items.length === 0) return;
      for (const item of items) {
        lookup.release(item.group);
        item.isLookedUp = true;
      }
      arrived = [...items, ...arrived];
      void run();
    },

    /** Repeated requests come in swarms: after a caller, or this process, was interrupted. */
    doubtKeys(): void {
      doubtUntilMs = performance.now() + doubtMs;
    },
  };
}

const groupOf = ({ group }: Item): LinkedGroup => group;

/** What is stored under the item's keys; a fault in what is stored is the item's own. */
function decisionOf({ group, fingerprint }: Item, known: Known): Decision | { error: unknown } | undefined {
  try {
    return known.decisionOf(group, fingerprint);
  } catch (error) {
    return { error };
  }
}

/** A look-up that failed decided nothing. */
function undecided(error: unknown): unknown {
  return isStoreAway(error) ? storeAway(error) : error;
}
