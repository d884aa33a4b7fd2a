import { Refusal } from "../../kernel/refusal.js";
import type { Decision, LinkedGroup } from "../domain/model.js";
import { sizeOf, untried, type Item, type PostOptions } from "./item.js";
import { createLoadMeter } from "./load-meter.js";

export interface QueueOptions {
  /** Transfers waiting or under way, beyond which callers are sent away. */
  readonly maxTransfers: number;
  /** Called for each item that leaves, before its callers hear. */
  readonly onSettled: (item: Item) => void;
}

export type Queue = ReturnType<typeof createQueue>;

/** Items that are waiting or under way, by the keys they hold: no two of them share one. */
export function createQueue({ maxTransfers, onSettled }: QueueOptions) {
  const byKey = new Map<string, Item>();
  const idleWaiters: (() => void)[] = [];
  const load = createLoadMeter();

  /** Refuses OVERLOADED when the queue has no room for so many more. */
  function assertRoom(more: number): void {
    if (load.now + more <= maxTransfers) return;
    throw new Refusal("OVERLOADED", "the journal's queue is full, try again", { retryAfterS: 1 });
  }

  return {
    assertRoom,
    load,

    /** The item that holds a key of the group. */
    rivalOf: (group: LinkedGroup): Item | undefined =>
      group.transfers.map(({ key }) => byKey.get(key)).find((item) => item !== undefined),

    /** Takes a group whose keys nobody holds. Refuses OVERLOADED. */
    add(group: LinkedGroup, fingerprint: Uint8Array): Item {
      assertRoom(group.transfers.length);
      const { promise: settled, resolve: leave } = Promise.withResolvers<void>();
      const item: Item = { group, fingerprint, bytes: sizeOf(group), waiters: [], settled, leave, ...untried };
      for (const { key } of group.transfers) byKey.set(key, item);
      load.change(group.transfers.length);
      return item;
    },

    wait: (item: Item, options: PostOptions): Promise<Decision> =>
      new Promise((resolve, reject) => item.waiters.push({ ...options, resolve, reject })),

    /** Tells an item's callers what became of it and frees its keys. */
    settle(item: Item, outcome: Decision | { error: unknown }): void {
      for (const { key } of item.group.transfers) byKey.delete(key);
      load.change(-item.group.transfers.length);
      onSettled(item);
      for (const waiter of item.waiters) {
        if ("error" in outcome) waiter.reject(outcome.error);
        else waiter.resolve(outcome);
      }
      item.leave();
      if (byKey.size === 0) for (const resolve of idleWaiters.splice(0)) resolve();
    },

    isIdle: () => byKey.size === 0,
    /** Resolves when nothing is waiting or under way; several may wait for it. */
    async idle(): Promise<void> {
      if (byKey.size > 0) await new Promise<void>((resolve) => idleWaiters.push(resolve));
    },
  };
}
