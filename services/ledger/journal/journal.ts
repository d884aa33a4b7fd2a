import { randomBytes } from "node:crypto";
import type { ClientSession } from "mongoose";
import type { Clock } from "../../shared/clocks/clock.js";
import { crashPoint } from "../../shared/crash-point.js";
import type { Logger } from "../../shared/log.js";
import { Refusal } from "../../shared/refusal.js";
import { fingerprintOf } from "../domain/canonical.js";
import { createCommitPlanner } from "./commit-plan.js";
import type { CacheBudget } from "./cache.js";
import { createLookup, type Known } from "./lookup.js";
import type { Account, Decision, Head, LinkedGroup, Pending } from "../domain/model.js";
import { hasLeft, sameBytes, sizeOf, untried, type Item, type PostOptions } from "./item.js";
import { maxGroupBytes, maxTransfersPerCall } from "../domain/model.js";
import { refuseByForm } from "../domain/planning.js";
import { isStoreAway, storeAway } from "../store/away.js";
import { KeysDecided, type JournalStore } from "../store/journal.js";

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
  readonly limits: JournalLimits;
  readonly log: Logger;
  /** How long keys are looked up beforehand after taking over, and after one came a second time. */
  readonly doubtMs?: number | undefined;
  /** Called once, when this journal may not be used any more. */
  readonly onLost: (reason: unknown) => void;
}

/** This process does not own the journal any more and nothing of the request was written: ask the owner, with the same keys. */
export class JournalLost extends Error {
  override readonly name = "JournalLost";
}

export type Journal = ReturnType<typeof createJournal>;

const maxAttempts = 5;
// Repeated requests come in swarms: after a caller, or this process, was interrupted.
const usualDoubtMs = 5_000;
const maxTransfersPerLookup = 2 * maxTransfersPerCall;

/**
 * The one writer of a tenant's ledger. Requests gather while a commit runs and are then committed together; a lone one
 * is committed at once. Accounts that the cache lacks are looked up during the commit before. A key is taken for new:
 * its insertion finds out if it is not. Then, and right after taking over, keys are looked up too for a while.
 */
export function createJournal(options: JournalOptions) {
  const { store, session, head: start, clock, limits, log, doubtMs = usualDoubtMs, onLost } = options;
  const accounts = limits.cache.open<Account>();
  const pendings = limits.cache.open<Pending>();
  const lookup = createLookup({ store, accounts, pendings });
  const planner = createCommitPlanner({ accounts, pendings, reversibles: lookup.reversibles });
  const open = new Map<string, Item>();
  let arrived: Item[] = [];
  let ready: Item[] = [];
  let head = start;
  let queuedTransfers = 0;
  let isLookingUp = false;
  let isCommitting = false;
  let lost: { reason: unknown } | undefined;
  let isClosed = false;
  const idleWaiters: (() => void)[] = [];
  let doubtUntilMs = performance.now() + doubtMs;

  /** Decides a linked group once. Throws Refusal OVERLOADED, DEADLINE_EXCEEDED, UNAVAILABLE (undecided), JournalLost. */
  async function post(group: LinkedGroup, options: PostOptions = {}): Promise<Decision> {
    const malformed = refuseByForm(group);
    if (malformed !== undefined) return { kind: "refused", refusal: malformed, replayed: false };
    const fingerprint = fingerprintOf(group);
    for (;;) {
      if (lost !== undefined || isClosed) throw new JournalLost();
      const rival = group.transfers.map(({ key }) => open.get(key)).find((item) => item !== undefined);
      if (rival === undefined) return enqueue(group, fingerprint, options);
      if (sameBytes(rival.fingerprint, fingerprint)) {
        const decision = await wait(rival, options);
        return { ...decision, replayed: true };
      }
      // Another request holds the key: once it is decided, the look-up tells what became of it.
      await rival.settled;
    }
  }

  /** Refuses OVERLOADED when the queue has no room for so many more. */
  function assertRoom(transfers: number): void {
    if (queuedTransfers + transfers <= limits.maxQueuedTransfers) return;
    throw new Refusal("OVERLOADED", "the journal's queue is full, try again", { retryAfterS: 1 });
  }

  function enqueue(group: LinkedGroup, fingerprint: Uint8Array, options: PostOptions): Promise<Decision> {
    assertRoom(group.transfers.length);
    const { promise: settled, resolve: leave } = Promise.withResolvers<void>();
    const item: Item = { group, fingerprint, bytes: sizeOf(group), waiters: [], settled, leave, ...untried };
    for (const { key } of group.transfers) open.set(key, item);
    queuedTransfers += group.transfers.length;
    arrived.push(item);
    const decision = wait(item, options);
    // Lets all that came in the same turn of the event loop share one look-up.
    if (!isLookingUp) setImmediate(() => void lookUpArrived());
    return decision;
  }

  function wait(item: Item, options: PostOptions): Promise<Decision> {
    return new Promise((resolve, reject) => item.waiters.push({ ...options, resolve, reject }));
  }

  function settle(item: Item, outcome: Decision | { error: unknown }): void {
    for (const { key } of item.group.transfers) open.delete(key);
    queuedTransfers -= item.group.transfers.length;
    lookup.release(item.group);
    for (const waiter of item.waiters) {
      if ("error" in outcome) waiter.reject(outcome.error);
      else waiter.resolve(outcome);
    }
    item.leave();
    if (open.size === 0) for (const tell of idleWaiters.splice(0)) tell();
  }

  async function lookUpArrived(): Promise<void> {
    if (isLookingUp) return;
    isLookingUp = true;
    while (arrived.length > 0) {
      const wave = takeWave();
      const isDoubtful = performance.now() < doubtUntilMs;
      for (const item of wave) item.isLookedUp ||= isDoubtful;
      const doubted = wave.filter(({ isLookedUp }) => isLookedUp);
      try {
        accept(wave, await lookup.find(wave.map(groupOf), doubted.map(groupOf)));
      } catch (error) {
        for (const item of wave) settle(item, { error: lost === undefined ? undecided(error) : new JournalLost() });
      }
    }
    isLookingUp = false;
  }

  function takeWave(): Item[] {
    let transfers = 0;
    const end = arrived.findIndex(({ group }) => (transfers += group.transfers.length) > maxTransfersPerLookup);
    return arrived.splice(0, end < 0 ? arrived.length : Math.max(1, end));
  }

  function accept(wave: readonly Item[], known: Known): void {
    for (const item of wave) {
      const outcome = lost === undefined ? decisionOf(item, known) : { error: new JournalLost() };
      if (outcome === undefined) ready.push(item);
      else settle(item, outcome);
    }
    if (!isCommitting && ready.length > 0) void commitReady();
  }

  async function commitReady(): Promise<void> {
    isCommitting = true;
    while (ready.length > 0) {
      const batch = takeBatch();
      if (batch.length > 0) await commitBatch(batch);
    }
    isCommitting = false;
  }

  /** From the front, up to the bounds of one commit; those whose callers have all left are dropped before planning. */
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
        settle(item, {
          error: new Refusal("DEADLINE_EXCEEDED", "the deadline passed before the transfer was planned"),
        });
      } else batch.push(item);
    }
    ready = ready.slice(taken);
    return batch;
  }

  async function commitBatch(batch: readonly Item[]): Promise<void> {
    const timeMs = Math.max(clock.now().getTime(), head.timeMs + 1);
    let unsettled = batch;
    try {
      const plan = planner.plan(batch, head, timeMs);
      const unsure = settleUndecided(plan.undecided);
      const isSettled = new Set(plan.undecided.map(([item]) => item)).difference(unsure);
      if (isSettled.size > 0) unsettled = batch.filter((item) => !isSettled.has(item));
      if (plan.decided.length > 0) {
        crashPoint("ledger.group.planned");
        await store.commit({ ...plan.writes, head, next: plan.next, groupId: newGroupId() }, session);
        crashPoint("ledger.group.committed");
        head = plan.next;
        planner.keep(plan);
        for (const [item, decision] of plan.decided) settle(item, decision);
        accounts.evict();
        pendings.evict();
      }
      lookUpAgain([...unsure]);
    } catch (error) {
      recover(unsettled, error);
    }
  }

  /** What leaves no trace under its keys is told only when nothing else was decided under them; gives those not looked up. */
  function settleUndecided(undecided: readonly (readonly [Item, Decision])[]): Set<Item> {
    const unsure = new Set<Item>();
    for (const [item, decision] of undecided) {
      if (item.isLookedUp) settle(item, decision);
      else unsure.add(item);
    }
    return unsure;
  }

  function lookUpAgain(items: readonly Item[]): void {
    if (items.length === 0) return;
    for (const item of items) {
      lookup.release(item.group);
      item.isLookedUp = true;
    }
    arrived = [...items, ...arrived];
    void lookUpArrived();
  }

  function recover(unsettled: readonly Item[], error: unknown): void {
    if (error instanceof KeysDecided && unsettled.every((item) => ++item.attempts < maxAttempts)) {
      // Something was decided about a key that was taken for new: look them up, and go on without it.
      doubtUntilMs = performance.now() + doubtMs;
      lookUpAgain(unsettled);
    } else if (error instanceof Refusal) {
      for (const item of unsettled) settle(item, { error });
    } else {
      lose(error);
      for (const item of unsettled) settle(item, { error: new JournalLost() });
    }
  }

  /** The store is not what this process thinks it is: forget everything, the owner's next load starts afresh. */
  function lose(reason: unknown): void {
    if (lost !== undefined) return;
    lost = { reason };
    const waiting = ready;
    ready = [];
    for (const item of waiting) settle(item, { error: new JournalLost() });
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
    assertRoom,
    lose,
    /** Takes nothing more and resolves when all that was taken is decided. */
    async close(): Promise<void> {
      isClosed = true;
      if (open.size > 0) {
        // Giving up and losing may both wait for it.
        await new Promise<void>((resolve) => idleWaiters.push(resolve));
      }
      forget();
    },
    isIdle: () => open.size === 0,
    /** Where the journal ends, of what is certain. */
    head: (): Head => head,
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

function newGroupId(): string {
  return randomBytes(12).toString("base64url");
}
