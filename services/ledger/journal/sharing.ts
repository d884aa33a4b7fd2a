import type { Logger } from "../../kernel/process/log.js";
import { leastLoaded, planMoves } from "../domain/sharing.js";
import { ledgerMetrics } from "../metrics.js";
import type { ReplicaStore, PublishedPeer } from "../store/replicas.js";
import type { Ownership } from "./ownership.js";

export interface SharingOptions {
  readonly ownership: Ownership;
  readonly replicas: ReplicaStore;
  readonly everyMs: number;
  readonly log: Logger;
}

// One uneven look may be chance.
const unevenPollsBeforeMoves = 3;
// The first figures of a replica after it was handed a journal are of a time in which it had less.
const tellsBeforeMoves = 2;

/**
 * Tells the other replicas now and then what this one has to do, and hands journals to those that
 * have less.
 */
export function startSharing({ ownership, replicas, everyMs, log }: SharingOptions): { stop(): Promise<void> } {
  let unevenPolls = 0;
  let load = 0;
  let published = 0;
  /** Replicas that were handed journals, with how often they must have told of themselves. */
  const settling = new Map<string, number>();
  let isStopped = false;
  let polling: Promise<void> | undefined;
  const timer = setInterval(pollUnlessBusy, everyMs);
  timer.unref();
  pollUnlessBusy();
  const unwatch = ledgerMetrics.watch(() => {
    const queued = ownership.queued();
    return { journals: queued.length, queued: queued.reduce((sum, some) => sum + some, 0), load };
  });

  function pollUnlessBusy(): void {
    polling ??= poll()
      .catch((error: unknown) => log.warn({ err: error }, "the journals could not be shared with other replicas"))
      .finally(() => {
        polling = undefined;
      });
  }

  async function poll(): Promise<void> {
    const journals = ownership.journals();
    const isReserved = journals.some(({ isPinned }) => isPinned);
    load = journals.reduce((sum, journal) => sum + journal.load, 0);
    await replicas.tell({ load, isReserved, told: ++published });
    const others = await replicas.others();
    ownership.leaveNewTo(isReserved ? leastLoaded(others)?.address : undefined);
    const moves = planMoves(journals, others);
    unevenPolls = moves.length === 0 || !isSettled(others) ? 0 : unevenPolls + 1;
    if (unevenPolls < unevenPollsBeforeMoves) return;
    unevenPolls = 0;
    for (const { tenantId, to } of moves) {
      if (isStopped) return;
      settling.set(to, publishedBy(others, to)! + tellsBeforeMoves);
      if (await ownership.handOver(tenantId, to)) ledgerMetrics.handedOver.inc();
    }
  }

  /** Whether the figures of those that were handed journals show what that brought. */
  function isSettled(others: readonly PublishedPeer[]): boolean {
    for (const [address, tells] of settling) {
      const publishedSince = publishedBy(others, address);
      // One that was restarted counts anew.
      if (publishedSince === undefined || publishedSince >= tells || publishedSince < tells - tellsBeforeMoves)
        settling.delete(address);
    }
    return settling.size === 0;
  }

  return {
    /** Takes this replica out of those that are handed journals. */
    async stop(): Promise<void> {
      isStopped = true;
      clearInterval(timer);
      unwatch();
      await polling;
      await replicas.leave();
    },
  };
}

function publishedBy(others: readonly PublishedPeer[], address: string): number | undefined {
  return others.find((other) => other.address === address)?.told;
}
