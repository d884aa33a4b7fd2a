import { setTimeout as sleep } from "node:timers/promises";
import { errorText } from "../text/error-text.js";
import { keepPace } from "../polling/pace.js";
import { Refusal } from "../refusal.js";
import { processMetrics } from "../telemetry/metrics.js";
import { isOfKinds, type Kinds } from "./kinds.js";
import { waitingMs, type LeasedRow } from "./leases.js";
import type { Outbox } from "./outbox.js";
import { diedAtEach, isToPark, type Patience } from "./patience.js";
import { defaultBackoff } from "./pause.js";
import { rowOf, type RelayContext, type RowHandler } from "./row.js";
import { createWaitingRows, type WaitingRows } from "./waiting-rows.js";

export interface RelayOptions extends Patience {
  outbox: Outbox;
  /** One per kind; a row of another kind is parked. */
  handlers: Record<string, RowHandler>;
  /** Rows of others are left to the relay beside it, see `startRelays`; all when absent. */
  kinds?: Kinds;
  /** Rows of different aggregates that run at the same time. */
  concurrency?: number;
  /**
   * Looks so often, in ms, also while nothing happens; when absent as
   * `fastPollMs` and `slowPollMs` say.
   */
  pollMs?: number | undefined;
  /**
   * While more is due than one look sees, how long slots gather before the next one, in ms; 0 when
   * absent. For many short rows: a look costs as much for one of them as for all.
   */
  gatherMs?: number;
  /** A try that takes longer is told to stop and its row is taken again, in ms. */
  maxRunMs?: number;
  /** Wait before the next try, in ms, after this many tries. */
  backoff?: (attempts: number) => number;
}

export interface Relay {
  /** Takes no more rows and waits for those that run; then gives them up to the next lease. */
  stop(graceMs?: number): Promise<void>;
}

interface Running extends LeasedRow {
  startedAt: number;
  /** Until when the lease is surely ours, by this process's clock. */
  heldUntil: number;
  abort: AbortController;
  ended: Promise<unknown>;
}

const runNowMs = 5_000;
const laterMs = 1_000;
/** How often a relay looks while something happens, in ms. */
export const fastPollMs = 500;
/** How long a try may take where the relay is told nothing else, in ms. */
export const longestRunMs = 60_000;

/** Runs an outbox's rows until it is stopped. Any number of relays may share one outbox. */
export function startRelay(options: RelayOptions): Relay {
  const { outbox, kinds, concurrency = 8, pollMs, gatherMs = 0, maxRunMs = longestRunMs } = options;
  assertAllDone(options);
  const { leases, log } = outbox;
  const running = new Map<string, Running>();
  const waiting = createWaitingRows();
  const stopping = new AbortController();
  let looking = Promise.resolve();
  let isLooking = false;
  let pollAgain = false;
  let isBlind = false;
  let isBehind = false;

  /**
   * Looks for due rows until none is left or all slots are taken; calls while it looks make it look
   * once more.
   */
  function poll(): void {
    pollAgain = true;
    if (!isLooking) looking = pollUntilFull();
  }

  async function pollUntilFull(): Promise<void> {
    isLooking = true;
    try {
      while (pollAgain && !stopping.signal.aborted && !outbox.isPaused() && running.size < concurrency) {
        pollAgain = false;
        if (isBehind && gatherMs > 0) await sleep(gatherMs);
        const limit = concurrency - running.size;
        const { taken, window, nextInMs } = await leases.takeDue({ limit, kinds, aheadMs: pace.aheadMs(), waiting });
        taken.forEach(start);
        if (taken.length > 0) outbox.pollFast();
        if (nextInMs !== undefined) pace.within(nextInMs);
        // Who else called a partner frees its places too.
        if (waiting.areThere()) pace.within(laterMs);
        isBehind = window === "full";
        if (isBehind) pollAgain = true;
        isBlind = false;
      }
    } catch (error) {
      if (!isBlind) log.warn({ err: error }, "cannot look for due rows");
      isBlind = true;
      pace.pollFast();
    } finally {
      isLooking = false;
    }
  }

  function start(leased: LeasedRow): Promise<unknown> {
    const abort = new AbortController();
    const startedAt = performance.now();
    const heldUntil = startedAt + outbox.leaseMs;
    const entry: Running = { ...leased, abort, ended: Promise.resolve(), startedAt, heldUntil };
    running.set(leased.row._id, entry);
    const { waitedFor } = leased;
    if (waitedFor !== undefined) waiting.took(waitedFor);
    entry.ended = runChain(leased, abort).finally(() => {
      if (waitedFor !== undefined) waiting.ended(waitedFor);
      leave(entry);
    });
    return entry.ended;
  }

  /** Frees the slot; a row that was taken again in the meantime keeps its own. */
  function leave(entry: Running): void {
    if (running.get(entry.row._id) !== entry) return;
    const isFull = running.size >= concurrency;
    running.delete(entry.row._id);
    // A partner may have room for one that waits.
    if (isFull || pollAgain || waiting.withRoom().length > 0) poll();
  }

  /** One row, then at once the rows behind it: they need no new look. */
  async function runChain(leased: LeasedRow, abort: AbortController): Promise<void> {
    try {
      const done = await runRow(options, waiting, leased, abort.signal);
      if (!done || !leased.more || stopping.signal.aborted || outbox.isPaused()) return;
      const next = await leases.takeNext(leased.row.tenantId, leased.row.aggregate, true, kinds);
      if (next) void start(next);
    } catch (error) {
      // MongoDB is away: the lease runs out and the row is taken again.
      log.warn({ err: error, row: leased.row._id }, "cannot record what became of a row");
    }
  }

  /**
   * Renews leases. A try without one, or that hangs, is told to stop: its row is another's from now
   * on.
   */
  async function renew(): Promise<void> {
    const entries = [...running.values()];
    // Should this process be killed, others look soon after its leases have ended.
    if (entries.length > 0) outbox.pollFast();
    const requestedAt = performance.now();
    const alive = entries.filter(({ startedAt }) => requestedAt - startedAt < maxRunMs);
    const held = alive.length === 0 ? new Set<string>() : await renewed(alive);
    for (const entry of entries) {
      if (held?.has(entry.row._id)) entry.heldUntil = requestedAt + outbox.leaseMs;
      const isOurs = held === undefined ? entry.heldUntil > performance.now() : held.has(entry.row._id);
      if (isOurs || running.get(entry.row._id) !== entry) continue;
      entry.abort.abort(lost());
      leave(entry);
    }
  }

  /** Ids whose leases are still ours; undefined while MongoDB is away. */
  const renewed = (entries: Running[]) => leases.renew(entries).catch(() => undefined);

  /** The first try pays no heed to backoff, those after it do. */
  async function runNow(tenantId: string, aggregate: string): Promise<void> {
    const giveUp = AbortSignal.timeout(runNowMs);
    const isIt = ({ row }: Running) => row.tenantId === tenantId && row.aggregate === aggregate;
    const runningHere = () => [...running.values()].find(isIt)?.ended;
    for (let isFirst = true; !giveUp.aborted && !stopping.signal.aborted && !outbox.isPaused(); isFirst = false) {
      let here = runningHere();
      if (here === undefined) {
        const next = await leases.takeNext(tenantId, aggregate, !isFirst, kinds);
        // What could not be taken may have just been taken by a look that has not started it yet.
        if (next === undefined) await Promise.race([looking, aborted(giveUp)]);
        here = next === undefined ? runningHere() : start(next);
        if (here === undefined) return;
      }
      await Promise.race([here, aborted(giveUp)]);
    }
  }

  const renewal = setInterval(() => void renew(), outbox.leaseMs / 3);
  const pace = keepPace({
    poll,
    quickMs: pollMs ?? fastPollMs,
    ...(pollMs === undefined ? { quickForMs: 2 * outbox.leaseMs } : { slowMs: pollMs }),
  });
  const detach = outbox.attach({ wake: poll, runNow, pollFast: pace.pollFast });
  // The figures are of all kinds: the relay beside it gives them.
  const isBeside = kinds !== undefined && "only" in kinds;
  const unwatch = isBeside ? () => undefined : processMetrics.watchOutbox(() => outbox.figures());
  poll();
  return {
    async stop(graceMs = 5_000) {
      stopping.abort();
      detach();
      unwatch();
      pace.stop();
      clearInterval(renewal);
      await looking;
      const idle = Promise.all([...running.values()].map(({ ended }) => ended));
      await Promise.race([idle, sleep(graceMs, undefined, { ref: false })]);
      for (const { abort } of running.values()) abort.abort(lost());
    },
  };
}

/** Throws where rows of a kind would be added, and parked. */
export function assertAllDone({ outbox, handlers, kinds }: RelayOptions): void {
  const undone = outbox.kinds.filter((kind) => isOfKinds(kind, kinds) && !Object.hasOwn(handlers, kind));
  if (undone.length > 0) throw new Error(`no handler for rows of ${undone.join(", ")}`);
}

/** Runs a row's handler and records what became of it. True when the row is done. */
async function runRow(
  options: RelayOptions,
  waiting: WaitingRows,
  leased: LeasedRow,
  signal: AbortSignal,
): Promise<boolean> {
  const { outbox, handlers } = options;
  const { row } = leased;
  const log = outbox.log.child({
    row: row._id,
    kind: row.kind,
    tenantId: row.tenantId,
    interactionId: row.interactionId,
  });
  const handler = Object.hasOwn(handlers, row.kind) ? handlers[row.kind] : undefined;
  let closed = false;
  let end = outbox.leases.complete;
  const complete: RelayContext["complete"] = async (session) => {
    if (!(await outbox.leases.complete(leased, session))) throw lost();
    closed = true;
  };
  try {
    if (!handler) throw new Refusal("INVALID_INPUT", `no handler for ${row.kind}`);
    if (diedAtEach(row, options)) throw new Error("its process was killed at every try");
    const wish = await handler(await outbox.opened(rowOf(row)), { signal, attempt: row.attempts, log, complete });
    if (wish === "forget") end = outbox.leases.forget;
    if (wish === "later" || typeof wish === "object") {
      const places = wish === "later" ? undefined : wish;
      if (places !== undefined) waiting.note(places);
      const inMs = places === undefined ? laterMs : waitingMs;
      await outbox.leases.untried(leased, outbox.inMs(inMs), places?.key);
      return false;
    }
  } catch (error) {
    await recordFailure(options, leased, error, log);
    return false;
  }
  const done = closed || (await end(leased));
  if (!done) log.warn("a row was closed or taken by another while it ran");
  return done;
}

async function recordFailure(
  options: RelayOptions,
  leased: LeasedRow,
  error: unknown,
  log: Outbox["log"],
): Promise<void> {
  const { outbox, backoff = defaultBackoff } = options;
  const { attempts } = leased.row;
  const lastError = errorText(error).slice(0, 500);
  if (isToPark(leased.row, error, options)) {
    const parked = await outbox.leases.giveBack(leased, { state: "PARKED", lastError });
    if (parked)
      log.error({ err: error, attempts, aggregate: leased.row.aggregate }, "row parked: an operator must decide");
    return;
  }
  const dueAt = outbox.inMs(backoff(attempts));
  await outbox.leases.giveBack(leased, { state: "DUE", dueAt, lastError });
  log.warn({ err: error, attempts, dueAt }, "row failed, will be tried again");
}

function lost(): Refusal {
  return new Refusal("LEASE_LOST", "the row's lease was lost");
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
