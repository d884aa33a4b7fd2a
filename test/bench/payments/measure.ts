import { readFileSync } from "node:fs";
import { hash } from "@node-rs/argon2";
import { seconds, clients, warmUp, rounds, production, hashesAtOnce, entriesWanted } from "./options.js";
import type { Bench } from "./cluster.js";

export interface Figure {
  what: string;
  value: string;
  target: string;
}

/** Keeps `clients` in flight for so long; each waits for its answer. Per second. */
export async function rate(work: (client: number) => Promise<void>): Promise<number> {
  let done = 0;
  const startedAt = performance.now();
  const until = startedAt + seconds * 1_000;
  await Promise.all(
    Array.from({ length: clients }, async (_each, client) => {
      while (performance.now() < until) {
        await work(client);
        done += 1;
      }
    }),
  );
  return done / ((performance.now() - startedAt) / 1_000);
}

function residentMb(pid: number | undefined): number {
  const [, kb = "0"] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kb) / 1_024;
}

const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;

/**
 * Payments, and what they are compared with before and after them: what else the machine does falls
 * on both.
 */
export async function sideBySide(bench: Bench, other: () => Promise<number>) {
  for (let paid = 0; paid < warmUp;) paid += (await rate(bench.pay)) * seconds;
  const taken: { payments: number; other: number }[] = [];
  let before = await other();
  for (let round = 0; round < rounds; round++) {
    const payments = await rate(bench.pay);
    const after = await other();
    taken.push({ payments, other: (before + after) / 2 });
    before = after;
  }
  return {
    payments: median(taken.map((one) => one.payments)),
    other: median(taken.map((one) => one.other)),
    ratio: median(taken.map((one) => one.payments / one.other)),
  };
}

/** Hashes per second with the production parameters. */
export async function argonRate(): Promise<number> {
  const options = { memoryCost: production.memoryKib, timeCost: production.passes, parallelism: 1 };
  let done = 0;
  const startedAt = performance.now();
  const until = startedAt + Math.min(5, seconds) * 1_000;
  const one = async () => {
    while (performance.now() < until) {
      await hash("a password of somebody", options);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: hashesAtOnce }, one));
  return done / ((performance.now() - startedAt) / 1_000);
}

export async function statements(bench: Bench): Promise<Figure[]> {
  await bench.fill(entriesWanted);
  const cursors = [""];
  const deep = Math.floor(entriesWanted / 100) - 1;
  for (let page = 0; page < deep; page++) cursors.push(await bench.page(cursors.at(-1) ?? ""));
  const time = async (cursor: string) => {
    const startedAt = performance.now();
    await bench.page(cursor);
    return performance.now() - startedAt;
  };
  const [first, last]: number[][] = [[], []];
  for (let each = 0; each < 15; each++) {
    first!.push(await time(""));
    last!.push(await time(cursors[deep] ?? ""));
  }
  const before = residentMb(bench.gatewayPid());
  let peak = before;
  const watch = setInterval(() => (peak = Math.max(peak, residentMb(bench.gatewayPid()))), 50);
  const { lines, seconds: took } = await bench.csv();
  clearInterval(watch);
  return [
    {
      what: `page ${deep} of a statement, of the first`,
      value: (median(last!) / median(first!)).toFixed(2),
      target: "≤ 1.5",
    },
    {
      what: `gateway's growth while ${lines} lines of CSV stream (${took.toFixed(1)} s)`,
      value: `${(peak - before).toFixed(0)} MB`,
      target: "< 100 MB",
    },
  ];
}
