import { randomBytes } from "node:crypto";
import type { ClientSession } from "mongoose";
import type { Clock } from "../../kernel/time/clock.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import { Refusal } from "../../kernel/refusal.js";
import { isPositionCode } from "../domain/chart.js";
import { countDays, type Calendar } from "../domain/days.js";
import { maxGroupBytes, maxTransfersPerCall, type Account, type Decision, type Head } from "../domain/model.js";
import { KeysDecided, type JournalStore } from "../store/journal.js";
import { recorded } from "./commit-record.js";
import type { CommitPlanner } from "./commit-plan.js";
import { ledgerMetrics } from "../metrics.js";
import { hasLeft, type Item } from "./item.js";
import { JournalLost } from "./lost.js";
import type { Queue } from "./queue.js";

export interface CommitStageOptions {
  readonly store: Pick<JournalStore, "commit" | "assertHead">;
  readonly session: ClientSession;
  readonly head: Head;
  readonly clock: Clock;
  readonly calendar: () => Calendar;
  readonly planner: CommitPlanner;
  readonly queue: Queue;
  /** Has the keys of items looked up, and the items brought back. */
  readonly lookUpAgain: (items: readonly Item[]) => void;
  /** A key that was taken for new was not. */
  readonly onKeysDecided: () => void;
  /** A group is in the journal. */
  readonly onCommitted: (committed: Committed) => void;
  /** The store is not what this process thinks it is. */
  readonly onLost: (reason: unknown) => void;
}

/** What a commit has done, as far as others wait for it. */
export interface Committed {
  /** Whether accounts that exchanges stand on are among what it moved. */
  readonly movesPositions: boolean;
}

const maxAttempts = 5;
const isOfPosition = ({ after }: { readonly after: Account }): boolean => isPositionCode(after.info.code);

/**
 * Plans and writes ready items, one commit after the other: what is ready while one runs goes with
 * the next.
 */
export function createCommitStage(options: CommitStageOptions) {
  const { store, session, clock, calendar, planner, queue, lookUpAgain, onKeysDecided, onCommitted, onLost } = options;
  let ready: Item[] = [];
  let { head } = options;
  let isCommitting = false;

  async function run(): Promise<void> {
    isCommitting = true;
    while (ready.length > 0) {
      const batch = takeBatch();
      if (batch.length > 0) await commitBatch(batch);
    }
    isCommitting = false;
  }

  /**
   * From the front, up to the bounds of one commit; those whose callers have all left are dropped
   * before planning.
   */
  function takeBatch(): Item[] {
    const batch: Item[] = [];
    let transfers = 0;
    let bytes = 0;
    let taken = 0;
    for (const item of ready) {
      transfers += item.group.transfers.length;
      bytes += item.bytes;
      if (batch.length > 0 && (transfers > maxTransfersPerCall || bytes > maxGroupBytes)) break;
      taken++;
      if (item.waiters.every(hasLeft)) {
        const message = "the deadline passed before the transfer was planned";
        queue.settle(item, { error: new Refusal("DEADLINE_EXCEEDED", message) });
      } else batch.push(item);
    }
    ready = ready.slice(taken);
    return batch;
  }

  async function commitBatch(batch: readonly Item[]): Promise<void> {
    const timeMs = Math.max(clock.now().getTime(), head.timeMs + 1);
    let unsettled = batch;
    try {
      const days = countDays(calendar(), head.closedThrough, timeMs);
      const plan = recorded(planner.plan(batch, head, timeMs, days));
      // It leaves no trace, so nothing else would tell that the period was opened again meanwhile.
      if (plan.undecided.some(([, decision]) => isRefusedAsLate(decision))) await store.assertHead(head);
      const failed = plan.unplanned.map(([item, error]) => [item, { error }] as const);
      const untraced = [...plan.undecided, ...failed];
      const unsure = settleUntraced(untraced);
      const isSettled = new Set(untraced.map(([item]) => item)).difference(unsure);
      if (isSettled.size > 0) unsettled = batch.filter((item) => !isSettled.has(item));
      if (plan.decided.length > 0) {
        crashPoint("ledger.group.planned");
        await store.commit({ ...plan.writes, head, next: plan.next, groupId: newGroupId() }, session);
        crashPoint("ledger.group.committed");
        head = plan.next;
        if (plan.writes.transfers.length > 0) onCommitted({ movesPositions: plan.writes.accounts.some(isOfPosition) });
        ledgerMetrics.groupTransfers.observe(plan.writes.transfers.length);
        planner.keep(plan);
        for (const [item, decision] of plan.decided) queue.settle(item, decision);
        planner.evict();
      }
      lookUpAgain([...unsure]);
    } catch (error) {
      recover(unsettled, error);
    }
  }

  /**
   * What leaves no trace under its keys is told only when nothing else was decided under them;
   * gives those not looked up.
   */
  function settleUntraced(untraced: readonly (readonly [Item, Decision | { error: unknown }])[]): Set<Item> {
    const unsure = new Set<Item>();
    for (const [item, outcome] of untraced) {
      if (item.isLookedUp) queue.settle(item, outcome);
      else unsure.add(item);
    }
    return unsure;
  }

  function recover(unsettled: readonly Item[], error: unknown): void {
    if (error instanceof KeysDecided && unsettled.every((item) => ++item.attempts < maxAttempts)) {
      // Something was decided about a key that was taken for new: look them up, and go on without
      // it.
      onKeysDecided();
      lookUpAgain(unsettled);
    } else if (error instanceof Refusal) {
      for (const item of unsettled) queue.settle(item, { error });
    } else {
      onLost(error);
      for (const item of unsettled) queue.settle(item, { error: new JournalLost() });
    }
  }

  return {
    add(items: readonly Item[]): void {
      for (const item of items) ready.push(item);
      if (!isCommitting && ready.length > 0) void run();
    },
    /** Sends away all that is not being committed. */
    abandon(): void {
      const waiting = ready;
      ready = [];
      for (const item of waiting) queue.settle(item, { error: new JournalLost() });
    },
    /** Where the journal ends, of what is certain. */
    head: (): Head => head,
  };
}

function isRefusedAsLate(decision: Decision): boolean {
  return decision.kind === "refused" && decision.refusal.code === "PERIOD_CLOSED";
}

function newGroupId(): string {
  return randomBytes(12).toString("base64url");
}
