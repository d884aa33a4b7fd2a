import type { ClientSession } from "mongoose";
import type { Clock } from "../../kernel/time/clock.js";
import type { Logger } from "../../kernel/process/log.js";
import type { Calendar } from "../domain/days.js";
import { fingerprintOf } from "../domain/canonical.js";
import type { Account, Decision, Head, LinkedGroup, Pending } from "../domain/model.js";
import { refuseByForm } from "../domain/planning.js";
import type { JournalStore } from "../store/journal.js";
import type { CacheBudget } from "./cache.js";
import { createCommitPlanner } from "./commit-plan.js";
import { createCommitStage, type Committed } from "./commit-stage.js";
import { sameBytes, type PostOptions } from "./item.js";
import type { LoadMeter } from "./load-meter.js";
import { createLookup } from "./lookup.js";
import { createLookupStage } from "./lookup-stage.js";
import { JournalLost } from "./lost.js";
import { createQueue } from "./queue.js";

export interface JournalLimits {
  /** Transfers waiting or under way, beyond which callers are sent away. */
  readonly maxQueuedTransfers: number;
  /** Accounts and pending transfers in memory, of all journals of this process together. */
  readonly cache: CacheBudget;
}

export interface JournalOptions {
  readonly store: JournalStore;
  /** The owner's session: the lease names it, so that a successor can kill what it left open. */
  readonly session: ClientSession;
  readonly head: Head;
  readonly clock: Clock;
  /** How the tenant counts days now. */
  readonly calendar: Calendar;
  readonly limits: JournalLimits;
  readonly log: Logger;
  /** How long keys are looked up beforehand after taking over, and after one came a second time. */
  readonly doubtMs?: number | undefined;
  /** Called after each commit that moved or reserved money. */
  readonly onCommitted?: ((committed: Committed) => void) | undefined;
  /** Called once, when this journal may not be used any more. */
  readonly onLost: (reason: unknown) => void;
}

export type Journal = ReturnType<typeof createJournal>;

const usualDoubtMs = 5_000;

/**
 * The one writer of a tenant's ledger. Requests gather while a commit runs and are then committed
 * together; a lone one is committed at once. Each goes through the queue, the look-up of what
 * planning needs, and a commit.
 */
export function createJournal(options: JournalOptions) {
  const { store, session, head, clock, limits, log, doubtMs = usualDoubtMs, onLost } = options;
  const { onCommitted = () => undefined } = options;
  const accounts = limits.cache.open<Account>();
  const pendings = limits.cache.open<Pending>();
  const lookup = createLookup({ store, accounts, pendings });
  const planner = createCommitPlanner({ accounts, pendings, reversibles: lookup.reversibles });
  let { calendar } = options;
  let isLost = false;
  let isClosed = false;
  let isHandedOver = false;

  const queue = createQueue({
    maxTransfers: limits.maxQueuedTransfers,
    onSettled: ({ group }) => lookup.release(group),
  });
  const lookups = createLookupStage({
    lookup,
    queue,
    doubtMs,
    isLost: () => isLost || isHandedOver,
    onReady: (items) => commits.add(items),
  });
  const commits = createCommitStage({
    store,
    session,
    head,
    clock,
    calendar: () => calendar,
    planner,
    queue,
    lookUpAgain: lookups.again,
    onKeysDecided: lookups.doubtKeys,
    onCommitted,
    onLost: lose,
  });

  /**
   * Decides a linked group once. Throws Refusal OVERLOADED, DEADLINE_EXCEEDED, UNAVAILABLE
   * (undecided), JournalLost.
   */
  async function post(group: LinkedGroup, options: PostOptions = {}): Promise<Decision> {
    const malformed = refuseByForm(group);
    if (malformed !== undefined) return { kind: "refused", refusal: malformed, replayed: false };
    const fingerprint = fingerprintOf(group);
    for (;;) {
      if (isLost || isClosed) throw new JournalLost();
      const rival = queue.rivalOf(group);
      if (rival === undefined) {
        const item = queue.add(group, fingerprint);
        const decision = queue.wait(item, options);
        lookups.add(item);
        return decision;
      }
      if (sameBytes(rival.fingerprint, fingerprint)) {
        const decision = await queue.wait(rival, options);
        return { ...decision, replayed: true };
      }
      // Another request holds the key: once it is decided, the look-up tells what became of it.
      await rival.settled;
    }
  }

  /** Forgets everything: the owner's next load starts afresh. */
  function lose(reason: unknown): void {
    if (isLost) return;
    isLost = true;
    commits.abandon();
    forget();
    log.warn({ err: reason }, "this replica does not own the journal any more");
    onLost(reason);
  }

  function forget(): void {
    accounts.close();
    pendings.close();
  }

  return {
    post,
    assertRoom: queue.assertRoom,
    lose,
    /** Takes nothing more and resolves when all that was taken is decided. */
    async close(): Promise<void> {
      isClosed = true;
      await queue.idle();
      forget();
    },
    /**
     * Takes nothing more, ends the commit under way, and sends what waits behind it to the next
     * owner.
     */
    async handOver(): Promise<void> {
      isClosed = true;
      isHandedOver = true;
      commits.abandon();
      await queue.idle();
      forget();
    },
    isIdle: queue.isIdle,
    /** What is committed from now on counts by this one. */
    countDaysBy: (current: Calendar) => void (calendar = current),
    /** Transfers waiting or under way. */
    load: queue.load as Pick<LoadMeter, "now" | "take">,
    /** Where the journal ends, of what is certain. */
    head: commits.head,
  };
}
