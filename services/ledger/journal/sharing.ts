import type { Logger } from "../../kernel/process/log.js";
import { leastLoaded, planMoves } from "../domain/sharing.js";
import { ledgerMetrics } from "../metrics.js";
import type { ReplicaStore, ToldPeer } from "../store/replicas.js";
import type { Ownership } from "./ownership.js";

export interface SharingOptions {
  readonly ownership: Ownership;
  readonly replicas: ReplicaStore;
  readonly everyMs: number;
  readonly log: Logger;
}

// One uneven look may be chance.
const unevenLooksBeforeMoves = 3;
// The first figures of a replica after it was handed a journal are of a time in which it had less.
const tellsBeforeMoves = 2;

/**
 * Tells the other replicas now and then what this one has to do, and hands journals to those that
 * have less.
 */
export function startSharing({ ownership, replicas, everyMs, log }: SharingOptions): { stop(): Promise<void> } {
  let unevenLooks = 0;
  let load = 0;
  let told = 0;
  /** Replicas that were handed journals, with how often they must have told of themselves. */
  const settling = new Map<string, number>();
  let isStopped = false;
  let looking: Promise<void> | undefined;
  const timer = setInterval(lookUnlessBusy, everyMs);
  timer.unref();
  lookUnlessBusy();
  const unwatch = ledgerMetrics.watch(() => {
    const queued = ownership.queued();
    return { journals: queued.length, queued: queued.reduce((sum, some) => sum + some, 0), load };
  });

  function lookUnlessBusy(): void {
    looking ??= look()
      .catch((error: unknown) => log.warn({ err: error }, "the journals could not be shared with other replicas"))
      .finally(() => {
        looking = undefined;
      });
  }

  async function look(): Promise<void> {
    const journals = ownership.journals();
    const isReserved = journals.some(({ isPinned }) => isPinned);
    load = journals.reduce((sum, journal) => sum + journal.load, 0);
    await replicas.tell({ load, isReserved, told: ++told });
    const others = await replicas.others();
    ownership.leaveNewTo(isReserved ? leastLoaded(others)?.address : undefined);
    const moves = planMoves(journals, others);
    unevenLooks = moves.length === 0 || !isSettled(others) ? 0 : unevenLooks + 1;
    if (unevenLooks < unevenLooksBeforeMoves) return;
    unevenLooks = 0;
    for (const { tenantId, to } of moves) {
      if (isStopped) return;
      settling.set(to, toldBy(others, to)! + tellsBeforeMoves);
      if (await ownership.handOver(tenantId, to)) ledgerMetrics.handedOver.inc();
    }
  }

  /** Whether the figures of those that were handed journals show what that brought. */
  function isSettled(others: readonly ToldPeer[]): boolean {
    for (const [address, tells] of settling) {
      const toldSince = toldBy(others, address);
      // One that was restarted counts anew.
      if (toldSince === undefined || toldSince >= tells || toldSince < tells - tellsBeforeMoves)
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
      await looking;
      await replicas.leave();
    },
  };
}

function toldBy(others: readonly ToldPeer[], address: string): number | undefined {
  return others.find((other) => other.address === address)?.told;
}
