import { setTimeout as sleep } from "node:timers/promises";
import { openReader, type AllBooks, type Reader } from "./books.js";
import { hopInjections, injectUntil, processInjections, type Injected } from "./injections.js";
import type { Invariant } from "./invariant.js";
import { checkInvariants } from "./invariants.js";
import { customerMoves, type WalletLog } from "./moves.js";
import { secondsOf } from "./report.js";
import { startTraffic, type Attempt, type Traffic } from "./traffic.js";
import { tenantId } from "./fixture.js";
import { startFaultyWorld, type FaultyWorld } from "./world.js";

export interface RunOptions {
  readonly clients: number;
  /**
   * At least so many payments, at least so long, and every fault at least once where `everyFault`
   * says so.
   */
  readonly payments: number;
  readonly seconds: number;
  readonly everyFault: boolean;
  readonly say: (line: string) => void;
}

export interface RunResult {
  readonly clients: number;
  readonly injected: readonly Injected[];
  /** From the first fault to the last. */
  readonly disturbedMs: number;
  /** From the end of the last fault until nothing had to happen any more. */
  readonly settledMs: number;
  /** Requests that had no answer for good. */
  readonly failures: number;
  readonly attempts: readonly Attempt[];
  readonly wallet: WalletLog;
  readonly books: AllBooks;
  readonly invariants: readonly Invariant[];
}

const settleWithinMs = 60_000;
const everyMove: readonly string[] = [...customerMoves, "cash in", "till"];
const bothEnds = ["COMPLETED", "REFUNDED"];
const moreMs = 120_000;
// Beyond the promise, to tell late from never.
const giveUpMs = 180_000;

/**
 * Payments through the built cluster while everything in it dies, stalls and answers by halves;
 * then all books are compared.
 */
export async function runPayoutFaults(options: RunOptions): Promise<RunResult> {
  const world = await startFaultyWorld();
  try {
    const reader = await openReader(world);
    try {
      return await disturb(world, reader, options);
    } finally {
      await reader.close();
    }
  } finally {
    await world.close();
  }
}

async function disturb(world: FaultyWorld, reader: Reader, options: RunOptions): Promise<RunResult> {
  const { clients, payments, seconds, everyFault, say } = options;
  const watch = startWatch(reader);
  const startedAtMs = performance.now();
  const traffic = startTraffic(world, { clients, isFinal: watch.isFinal });
  traffic.done.catch((error: unknown) => say(`clients: ${String(error)}`));
  const injected: Injected[] = [];
  const paid = () => traffic.attempts.filter(({ paymentId }) => paymentId !== undefined).length;
  // A slow machine gets more time for one of each kind of move and both ends of a payment, but not
  // for ever.
  const kinds = () => new Set<string>(traffic.wallet.moves.map(({ kind }) => kind));
  const isMixed = (tookMs: number) =>
    (everyMove.every((kind) => kinds().has(kind)) && bothEnds.every((end) => watch.seen.has(end))) ||
    tookMs > seconds * 1_000 + moreMs;
  const isOver = (rounds: number) => {
    const tookMs = performance.now() - startedAtMs;
    return paid() >= payments && tookMs >= seconds * 1_000 && (rounds > 0 || !everyFault) && isMixed(tookMs);
  };
  const { attempts, wallet } = traffic;
  const done = () => `${paid()} transactions paid, ${wallet.moves.length} moves of wallets, ${injected.length} faults`;
  const ticker = setInterval(() => say(done()), 15_000);
  await Promise.all([
    injectUntil(processInjections(world), { isOver, pauseMs: 1_200, log: injected }),
    injectUntil(hopInjections(world), { isOver, pauseMs: 300, log: injected }),
  ]).finally(() => clearInterval(ticker));
  const endedAtMs = performance.now();
  traffic.stop();
  const lateClients = await lateOf(traffic, reader);
  const clientsMs = performance.now() - endedAtMs;
  const settled = await settle(reader, endedAtMs);
  watch.stop();
  const books = await reader.read();
  const invariants = [
    ...checkInvariants(books, traffic),
    {
      what: "the same request had the same answer, and every answer was one that may be",
      checked: attempts.length + wallet.moves.length,
      broken: traffic.complaints,
    },
    {
      what: `everything was at its end within ${settleWithinMs / 1_000} s of the last fault`,
      checked: 1,
      broken: lateness(clientsMs, settled, lateClients),
    },
    ...(await askTools(world)),
  ];
  const disturbedMs = endedAtMs - startedAtMs;
  const failures = traffic.failures();
  const { settledMs } = settled;
  return { clients, injected, disturbedMs, settledMs, failures, attempts, wallet, books, invariants };
}

/** Which transactions have come to their end, by looking every now and then. */
function startWatch(reader: Reader) {
  const watched = new Set<string>();
  const final = new Set<string>();
  const seen = new Set<string>();
  const ends = new Set(["COMPLETED", "REFUNDED", "CANCELLED", "EXPIRED"]);
  const timer = setInterval(() => {
    if (watched.size === 0) return;
    reader.statuses([...watched]).then(
      (statuses) => {
        for (const [id, status] of statuses) {
          if (!ends.has(status)) continue;
          seen.add(status);
          watched.delete(id);
          final.add(id);
        }
      },
      () => undefined,
    );
  }, 400);
  return {
    /** Ends that some have come to. */
    seen: seen as ReadonlySet<string>,
    isFinal(id: string): boolean {
      if (final.has(id)) return true;
      watched.add(id);
      return false;
    },
    stop: () => clearInterval(timer),
  };
}

/** Waits for the clients' end; what they and the services still did when it should have come. */
async function lateOf(traffic: Traffic, reader: Reader): Promise<readonly string[]> {
  const inTime = new AbortController();
  const late = sleep(settleWithinMs, undefined, { signal: inTime.signal }).then(
    async () => [...traffic.underWay(), ...(await reader.unfinished())],
    () => [],
  );
  await traffic.done.finally(() => inTime.abort());
  return late;
}

interface Settled {
  /** How long it took until nothing had to happen any more, or until it was given up. */
  readonly settledMs: number;
  /** What still had to happen when it should have been over, and when it was given up. */
  readonly late: readonly string[];
  readonly never: readonly string[];
}

async function settle(reader: Reader, sinceMs: number): Promise<Settled> {
  let late: readonly string[] = [];
  for (;;) {
    const unfinished = (await reader.unfinished()).slice(0, 20);
    const settledMs = performance.now() - sinceMs;
    if (late.length === 0 && settledMs > settleWithinMs) late = unfinished;
    if (unfinished.length === 0 || settledMs > giveUpMs) return { settledMs, late, never: unfinished };
    await sleep(250);
  }
}

/** Whose time it was that took too long, and what for. */
function lateness(clientsMs: number, { settledMs, late, never }: Settled, lateClients: readonly string[]): string[] {
  if (never.length > 0) return [`not finished after ${secondsOf(settledMs)} s`, ...never];
  if (settledMs <= settleWithinMs) return [];
  return [`it took ${secondsOf(settledMs)} s, clients ${secondsOf(clientsMs)} s`, ...lateClients, ...late];
}

/** What operators would ask: the tools' word on chain, balances and the partner's statement. */
async function askTools({ tool }: FaultyWorld): Promise<Invariant[]> {
  const requested = [
    ["ledger verify finds a whole chain and every balance as it must be", "deploy/cli/ledger.js", "verify"],
    ["ledger trial-balance finds debits equal to credits", "deploy/cli/ledger.js", "trial-balance"],
    ["ops reconcile payouts finds no difference", "deploy/cli/ops.js", "reconcile", "payouts"],
    ["ops reconcile wallet finds no difference", "deploy/cli/ops.js", "reconcile", "wallet"],
  ] as const;
  const results: Invariant[] = [];
  for (const [what, path, ...args] of requested) {
    const { code, output } = await tool(path, ...args, "--tenant", tenantId);
    results.push({ what, checked: 1, broken: code === 0 ? [] : [output.slice(0, 2_000)] });
  }
  return results;
}
