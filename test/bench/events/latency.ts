import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { eventRow } from "../../../services/platform/events/row.js";
import { inTransaction } from "../../../services/kernel/mongo/transaction.js";
import { insist } from "../../support/insist.js";
import { callOf, dataOf, tenantWith, type Figures, type World } from "./world.js";

export interface Load {
  /** Events a second, and for how long. */
  readonly rate: number;
  readonly seconds: number;
}

/** Events by outbox; after how many ms each arrived since before its commit, the soonest first. */
export async function latencies(world: World, paths: readonly string[], { rate, seconds }: Load): Promise<number[]> {
  const { tenantId, ids } = await tenantWith(world, paths);
  const { db, outbox, receiver, webhooks } = world;
  await receiver.ask<Figures>();
  const startedAt = performance.now();
  const total = rate * seconds;
  const commits: Promise<unknown>[] = [];
  for (let index = 0; index < total; index++) {
    const dueMs = startedAt + (index * 1_000) / rate - performance.now();
    if (dueMs > 1) await sleep(dueMs);
    const subjectId = `T${index}`;
    const at = new Date();
    const cause = { tenantId, interactionId: randomUUID(), actor: "bench" };
    const row = eventRow(cause, { type: "transaction.paid", subjectId, version: 1, at, data: dataOf(subjectId) });
    const commit = inTransaction(db, (session) => outbox.add(row, session), { readBack: async () => undefined });
    commits.push(commit.then(() => outbox.wake()));
  }
  await Promise.all(commits);
  const arrivals: number[] = [];
  for (const until = Date.now() + 60_000; arrivals.length < total && Date.now() < until; await sleep(100)) {
    arrivals.push(...(await receiver.ask<Figures>()).arrivals);
  }
  arrivals.sort((one, other) => one - other);
  // What the others of them have not got is no load of the next round.
  for (const endpointId of ids) {
    await insist(() => webhooks.pauseEndpoint({ endpointId }, callOf(tenantId)));
  }
  if (arrivals.length < total) throw new Error(`${arrivals.length} of ${total} events arrived within a minute`);
  return arrivals;
}

/** Of numbers in order. */
export const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;

export async function latency(world: World, name: string, paths: readonly string[], load: Load): Promise<string> {
  const arrivals = await latencies(world, paths, load);
  return (
    `${name}: ${arrivals.length} events, from before the commit to the receiver ` +
    `p50 ${at(arrivals, 0.5)} ms, p99 ${at(arrivals, 0.99)} ms, longest ${at(arrivals, 1)} ms`
  );
}

/**
 * What a receiver that hangs 20 s a time costs the others: in turns, so
 * that all meet the same machine.
 */
export async function hanging(world: World, rounds: number, load: Load): Promise<string> {
  const arms = { alone: ["/fast"], answers: ["/fast", "/answers"], hangs: ["/fast", "/hangs"] };
  type Arm = keyof typeof arms;
  const all: Record<Arm, number[]> = { alone: [], answers: [], hangs: [] };
  // Code is compiled and connections are opened.
  for (const paths of Object.values(arms)) await latencies(world, paths, { ...load, seconds: 3 });
  for (let round = 0; round < rounds; round++) {
    const order = Object.keys(arms) as Arm[];
    if (round % 2 === 1) order.reverse();
    for (const arm of order) {
      const arrivals = await latencies(world, arms[arm], load);
      all[arm].push(...arrivals);
      process.stdout.write(`round ${round}, ${arm}: p50 ${at(arrivals, 0.5)} ms, p99 ${at(arrivals, 0.99)} ms\n`);
    }
  }
  const names = Object.keys(arms) as Arm[];
  for (const arm of names) all[arm].sort((one, other) => one - other);
  const rows = names.map(
    (arm) => `${arm}: ${all[arm].length} events, p50 ${at(all[arm], 0.5)} ms, p99 ${at(all[arm], 0.99)} ms`,
  );
  const ratio = (arm: Arm) => (at(all.hangs, 0.99) / at(all[arm], 0.99)).toFixed(2);
  return `${rows.join("\n")}\np99 beside one that hangs is ${ratio("alone")} of alone, ${ratio("answers")} of beside one that answers`;
}
