import type { Clock } from "../../kernel/time/clock.js";
import type { Logger } from "../../kernel/process/log.js";
import { doublingPause } from "../../kernel/outbox/index.js";
import type { LedgerStore } from "../store/index.js";
import type { TellingStore } from "../store/tellings.js";
import type { Client } from "../../kernel/grpc/client.js";
import type { EventsServiceDefinition } from "../../../proto/gen/events/v1/events.js";
import type { PublishedWallet } from "../wire/event-rows.js";
import { tell, tellLeft, publishedForMs } from "./telling-pages.js";

export interface TellingOptions {
  readonly store: Pick<LedgerStore, "forTenant">;
  readonly tellings: TellingStore;
  readonly events: Pick<Client<EventsServiceDefinition>, "publishEvents">;
  readonly clock: Clock;
  /** How often journals are looked for whose replica was killed before it told them. */
  readonly sweepMs: number;
  readonly log: Logger;
}

export type Telling = ReturnType<typeof startTelling>;

// Commits of so long are told together.
const gatherMs = 25;
const tenantsAtOnce = 8;
// Who has more to tell than that lets others go first.
const pagesInTurn = 10;
const pauseMs = doublingPause({ firstMs: 250, mostMs: 30_000 });
// What a replica that lives is telling right now is left to it.
const graceMs = 5_000;
const tenantsWithLeft = 100;

/**
 * Tells what came into customers' wallets and left them, out of the journal, which says so in its
 * order: nothing is written beside a posting. Every call goes on from what was told or before it,
 * and an entry's event has one id for ever, so replicas that tell at once put nothing out of order.
 */
export function startTelling(options: TellingOptions) {
  const { tellings, clock, sweepMs, log } = options;
  const remembered = new Map<string, PublishedWallet | undefined>();
  /** Since when each has something to tell, as far as this process knows. */
  const behind = new Map<string, number>();
  const failures = new Map<string, number>();
  const waiting = new Set<string>();
  const running = new Map<string, Promise<void>>();
  const timers = new Set<NodeJS.Timeout>();
  let isStopping = false;

  function wake(tenantId: string, sinceMs = clock.now().getTime()): void {
    if (!behind.has(tenantId)) behind.set(tenantId, sinceMs);
    // After a failure it is tried again by itself.
    if (waiting.has(tenantId) || (failures.has(tenantId) && !running.has(tenantId))) return;
    waiting.add(tenantId);
    later(pump, gatherMs);
  }

  function later(work: () => void, ms: number): void {
    if (isStopping) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, ms).unref();
    timers.add(timer);
  }

  function pump(): void {
    for (const tenantId of waiting) {
      if (running.size >= tenantsAtOnce) return;
      if (running.has(tenantId)) continue;
      waiting.delete(tenantId);
      running.set(tenantId, run(tenantId));
    }
  }

  async function run(tenantId: string): Promise<void> {
    const startedMs = clock.now().getTime();
    try {
      const isAll = await tell(options, tenantId, remembered, (pages) => isStopping || pages >= pagesInTurn);
      failures.delete(tenantId);
      if (!isAll) return toTheEnd(tenantId);
      // What came meanwhile is told next.
      if (waiting.has(tenantId)) behind.set(tenantId, startedMs);
      else behind.delete(tenantId);
    } catch (error) {
      waiting.delete(tenantId);
      const count = (failures.get(tenantId) ?? 0) + 1;
      failures.set(tenantId, count);
      log.warn({ err: error, tenantId }, "the events of wallets could not be told");
      later(() => again(tenantId), pauseMs(count));
    } finally {
      running.delete(tenantId);
      pump();
    }
  }

  /**
   * Those that wait come first; what is left at the end of this process,
   * another or the next one tells.
   */
  function toTheEnd(tenantId: string): void {
    waiting.delete(tenantId);
    if (!isStopping) waiting.add(tenantId);
  }

  function again(tenantId: string): void {
    waiting.add(tenantId);
    pump();
  }

  /** Finds those that a killed replica left, and those that were never told. */
  async function sweep(): Promise<void> {
    try {
      const nowMs = clock.now().getTime();
      const before = new Date(nowMs - graceMs);
      for await (const { tenantId, lastAt } of tellings.unpublished(before)) {
        // What is older is not told, so nobody waits for it.
        wake(tenantId, Math.max(lastAt.getTime(), nowMs - publishedForMs));
      }
      for (const tenantId of await tellings.withLeft(tenantsWithLeft)) {
        if (isStopping) return;
        await tellLeft(options, tenantId, remembered);
      }
    } catch (error) {
      log.warn({ err: error }, "journals that are not told could not be looked for");
    }
    later(() => void sweep(), sweepMs);
  }
  void sweep();

  return {
    wake,
    /** How long the tenant waits that waits longest, in seconds. */
    oldestS(): number {
      return Math.max(0, ...[...behind.values()].map((since) => (clock.now().getTime() - since) / 1_000));
    },
    /** Tells what this process has committed, as far as one try does. */
    async stop(): Promise<void> {
      isStopping = true;
      for (const timer of timers) clearTimeout(timer);
      pump();
      while (running.size > 0) await Promise.all(running.values());
    },
  };
}
