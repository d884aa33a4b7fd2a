import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { mongo } from "mongoose";

export interface Cluster {
  baseUrl: string;
  mongoUri: string;
  redisUrl: string;
  processes: Record<string, { pid: number; adminPort?: number }>;
}

/** What a cluster has used since its processes began. */
export interface Usage {
  atMs: number;
  /** Processor time by process, in ms. */
  cpuMs: Record<string, number>;
  mongoCommands: number;
  redisCommands: number;
  /** Served by any service. */
  rpcs: number;
}

export type Meter = Awaited<ReturnType<typeof createMeter>>;

// How often Linux counts a process's time, in a second.
const ticksPerSecond = 100;

// What drivers and this meter send by themselves, and what a cluster of one sends itself.
const unasked = new Set(["hello", "isMaster", "ping", "serverStatus", "replSetUpdatePosition", "killCursors"]);

/** Reads what the processes of a cluster use; what it asks itself is not counted. */
export async function createMeter({ mongoUri, redisUrl, processes }: Cluster) {
  const client = await mongo.MongoClient.connect(mongoUri);
  const redis = new Redis(redisUrl);

  async function mongoCommands(): Promise<number> {
    const { metrics } = await client.db("admin").command({ serverStatus: 1 });
    const commands = Object.entries(metrics.commands as Record<string, { total?: number | bigint }>);
    return commands.reduce((sum, [name, { total = 0 }]) => (unasked.has(name) ? sum : sum + Number(total)), 0);
  }

  async function redisCommands(): Promise<number> {
    const [, count] = /total_commands_processed:(\d+)/.exec(await redis.info("stats")) ?? [];
    return Number(count);
  }

  async function rpcs(): Promise<number> {
    const ports = Object.values(processes).flatMap(({ adminPort }) => adminPort ?? []);
    const texts = await Promise.all(
      ports.map(async (port) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()),
    );
    const served = /^manilla_rpc_duration_seconds_count\{.*side="server".*\} (\d+)$/gm;
    return texts.flatMap((text) => [...text.matchAll(served)]).reduce((sum, [, count]) => sum + Number(count), 0);
  }

  return {
    async read(): Promise<Usage> {
      const [mongoCount, redisCount, rpcCount] = [await mongoCommands(), await redisCommands(), await rpcs()];
      const cpuMs = Object.fromEntries(Object.entries(processes).map(([name, { pid }]) => [name, cpuMsOf(pid)]));
      return { atMs: performance.now(), cpuMs, mongoCommands: mongoCount, redisCommands: redisCount, rpcs: rpcCount };
    },
    async close(): Promise<void> {
      await client.close();
      redis.disconnect();
    },
  };
}

/** User and system time since a process began. */
function cpuMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // After the name in brackets, which may hold spaces, they are the 12th and 13th field.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / ticksPerSecond;
}

/** What was used between two readings, each figure by `per`. */
export function usedBetween(before: Usage, after: Usage, per: (ms: number) => number): Usage {
  const share = per(after.atMs - before.atMs);
  const names = Object.keys(after.cpuMs);
  return {
    atMs: after.atMs - before.atMs,
    cpuMs: Object.fromEntries(names.map((name) => [name, (after.cpuMs[name]! - before.cpuMs[name]!) / share])),
    mongoCommands: (after.mongoCommands - before.mongoCommands) / share,
    redisCommands: (after.redisCommands - before.redisCommands) / share,
    rpcs: (after.rpcs - before.rpcs) / share,
  };
}

/** What calls used beyond what the cluster uses by itself in the same time. */
export function beyondIdle(used: Usage, idlePerMs: Usage, msPerCall: number): Usage {
  const less = (mine: number, idle: number) => mine - idle * msPerCall;
  const cpuMs = Object.entries(used.cpuMs).map(([name, ms]) => [name, less(ms, idlePerMs.cpuMs[name] ?? 0)]);
  return {
    atMs: used.atMs,
    cpuMs: Object.fromEntries(cpuMs) as Record<string, number>,
    mongoCommands: less(used.mongoCommands, idlePerMs.mongoCommands),
    redisCommands: less(used.redisCommands, idlePerMs.redisCommands),
    rpcs: less(used.rpcs, idlePerMs.rpcs),
  };
}

/** What the cluster uses while nobody asks for anything, each millisecond. */
export async function idleOf(meter: Meter, ms: number): Promise<Usage> {
  const before = await meter.read();
  await sleep(ms);
  return usedBetween(before, await meter.read(), (all) => all);
}
