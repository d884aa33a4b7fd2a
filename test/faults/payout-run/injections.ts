import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { noFault, type Fault } from "../../support/fault-proxy.js";
import { createRedis, redisReady } from "../../../services/kernel/process/redis.js";
import { silentLog } from "../../support/index.js";
import type { FaultyWorld, ProxiedHop } from "./world.js";

/** A kind of fault, a line of the picture. */
export type Kind = "kill" | "mongod" | "Redis" | "latency" | "reset" | "no answer" | "half answer";

export interface Injection {
  readonly kind: Kind;
  /** A process, or a hop ("wallet → ledger"). */
  readonly victim: string;
  inject(): Promise<void>;
}

/** What was done. */
export interface Injected {
  readonly kind: Kind;
  readonly victim: string;
}

const killed = ["gateway", "identity", "compliance", "remittance", "wallet", "ledger", "partner"];

/**
 * Each process killed with -9 and started again, mongod killed and restarted, Redis emptied and
 * stopped.
 */
export function processInjections({ cluster }: FaultyWorld): Injection[] {
  const down = async (name: string, how: "kill" | "stop", forMs: number) => {
    const victim = cluster.process(name);
    await victim[how]();
    await sleep(forMs);
    await victim.restart();
  };
  return [
    ...killed.map((victim): Injection => ({
      kind: "kill",
      victim,
      inject: () => down(victim, "kill", 200 + randomInt(1_300)),
    })),
    { kind: "mongod", victim: "killed", inject: () => down("mongodb", "kill", 200 + randomInt(1_000)) },
    { kind: "mongod", victim: "restarted", inject: () => down("mongodb", "stop", 100) },
    { kind: "Redis", victim: "emptied", inject: () => emptyRedis(cluster.file.redisUrl) },
    { kind: "Redis", victim: "stopped", inject: () => down("redis", "stop", 2_000 + randomInt(1_500)) },
  ];
}

async function emptyRedis(url: string): Promise<void> {
  const redis = createRedis({ url, log: silentLog, commandTimeoutMs: 5_000 });
  try {
    await redisReady(redis);
    await redis.flushall();
  } finally {
    redis.disconnect();
  }
}

/** Every hop made slow, reset, silent, and cut in the middle of an answer. */
export function hopInjections({ hops }: FaultyWorld): Injection[] {
  return hops.flatMap((hop) => [
    onHop(hop, "latency", { kind: "latency", ms: 60, jitterMs: 240 }, 1_500),
    onHop(hop, "reset", { kind: "reset" }, 300),
    onHop(hop, "no answer", { kind: "black-hole" }, 1_200 + randomInt(1_800)),
    onHop(hop, "half answer", { kind: "cut", afterBytes: 1 + randomInt(400) }, 600),
  ]);
}

function onHop({ from, to, proxy }: ProxiedHop, kind: Kind, fault: Fault, forMs: number): Injection {
  return {
    kind,
    victim: `${from} → ${to}`,
    async inject() {
      proxy.set(fault);
      await sleep(forMs);
      proxy.set(noFault);
    },
  };
}

/**
 * Injects in random order, round after round, until `isOver`; then everything is well again.
 * Everything was injected once when `rounds` is 1 or more.
 */
export async function injectUntil(
  injections: readonly Injection[],
  { isOver, pauseMs, log }: { isOver: (rounds: number) => boolean; pauseMs: number; log: Injected[] },
): Promise<void> {
  for (let rounds = 0; ; rounds += 1) {
    for (const { kind, victim, inject } of mixed(injections)) {
      if (isOver(rounds)) return;
      await sleep(pauseMs / 2 + randomInt(pauseMs));
      await inject();
      log.push({ kind, victim });
    }
  }
}

/** In random order, but one of each kind first: a short run has them all. */
function mixed(injections: readonly Injection[]): Injection[] {
  const kinds = [...Map.groupBy(shuffled(injections), ({ kind }) => kind).values()];
  return [...shuffled(kinds.map(([first]) => first!)), ...shuffled(kinds.flatMap(([, ...rest]) => rest))];
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
