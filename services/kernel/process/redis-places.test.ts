import { spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis as Client } from "ioredis";
import { findServer, valkeyServer } from "../../../deploy/local/fetch-servers.js";
import { freePorts } from "../../../deploy/local/ports.js";
import { startRedis, type RunningRedis } from "../../../deploy/local/servers.js";
import { silentLog, waitFor } from "../../../test/support/index.js";
import { createLocks } from "../idempotency/locks.js";
import { createRedis, redisReady, type Redis } from "./redis.js";
import { createRevocationChecker, revocationKeysIn } from "../grpc/revocations.js";

let folder: string;
const open: { close(): unknown }[] = [];
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), "redis-places-"))));
afterEach(async () => {
  for (const { close } of open.splice(0).toReversed()) await close();
  await rm(folder, { recursive: true, force: true });
});

async function server(name: string, extraArgs: string[] = []): Promise<RunningRedis> {
  const running = await startRedis({ dir: join(folder, name), extraArgs });
  open.push({ close: () => running.stop() });
  return running;
}

async function clientOf(url: string): Promise<Redis> {
  const redis = createRedis({ url, log: silentLog, commandTimeoutMs: 2_000 });
  open.push({ close: () => redis.disconnect() });
  await redisReady(redis, 20_000);
  return redis;
}

const hostOf = ({ url }: RunningRedis) => url.replace("redis://", "");
const portOf = (running: RunningRedis) => Number(hostOf(running).split(":")[1]);

async function command(running: RunningRedis, ...[name, ...args]: [string, ...(string | number)[]]): Promise<unknown> {
  const client = new Client(running.url);
  try {
    return await client.call(name, ...args);
  } finally {
    client.disconnect();
  }
}

/** Three nodes with a third of the slots each. */
async function startCluster(): Promise<RunningRedis[]> {
  // By itself a node takes the port 10,000 above its own, which a connection of somebody may have.
  const buses = await freePorts(3);
  const nodes = await Promise.all(
    buses.map((bus, index) => server(`node-${index}`, ["--cluster-enabled", "yes", "--cluster-port", String(bus)])),
  );
  const slots = [0, 5_461, 10_923, 16_384];
  for (const [index, node] of nodes.entries()) {
    const own = Array.from(
      { length: (slots[index + 1] ?? 0) - (slots[index] ?? 0) },
      (_, at) => at + (slots[index] ?? 0),
    );
    await command(node, "CLUSTER", "ADDSLOTS", ...own);
    if (index > 0)
      await command(nodes[0] as RunningRedis, "CLUSTER", "MEET", "127.0.0.1", portOf(node), buses[index] ?? 0);
  }
  for (const node of nodes) {
    await waitFor(async () => String(await command(node, "CLUSTER", "INFO")).includes("cluster_state:ok"), {
      timeoutMs: 20_000,
    });
  }
  return nodes;
}

test("in a cluster, what one command needs together is on one node, and the rest is spread", async () => {
  const nodes = await startCluster();
  const redis = await clientOf(`redis+cluster://${nodes.map(hostOf).join(",")}`);

  const keys = Array.from({ length: 60 }, () => randomUUID());
  for (const key of keys) await redis.set(key, "1");
  const sizes = await Promise.all(nodes.map((node) => command(node, "DBSIZE")));
  expect(sizes.every((size) => Number(size) > 0)).toBe(true);

  const locks = createLocks(redis, 5_000);
  const scope = { tenantId: "acme", caller: "c", operation: "o", key: randomUUID() };
  await expect(locks.claim(scope, "t1", "f")).resolves.toEqual({ kind: "locked" });
  await expect(locks.claim(scope, "t2", "f")).resolves.toMatchObject({ kind: "held" });

  const { complete, session } = revocationKeysIn(redis);
  await redis.set(complete, "1", "PX", 10_000);
  await redis.set(session("s1"), String(Date.now()));
  const isRevoked = createRevocationChecker({ redis, identity: () => Promise.reject(new Error("was asked")) });
  const subject = { tenantId: "acme", userId: "u1", issuedAt: new Date() };
  await expect(isRevoked({ ...subject, sessionId: "s1" })).resolves.toBe(true);
  await expect(isRevoked({ ...subject, sessionId: "s2" })).resolves.toBe(false);
}, 60_000);

test("behind sentinels, the primary is found by its name, and its successor when it dies", async () => {
  const primary = await server("primary");
  const replica = await server("replica", ["--replicaof", "127.0.0.1", String(portOf(primary))]);
  const sentinels = await Promise.all([0, 1].map((index) => startSentinel(index, portOf(primary))));
  const redis = await clientOf(`redis+sentinel://${sentinels.join(",")}/mymaster`);
  expect(await redis.set("before", "1")).toBe("OK");
  await waitFor(async () => (await command(replica, "GET", "before")) === "1", { timeoutMs: 10_000 });

  await primary.stop();
  await waitFor(async () => (await redis.set("after", "1").catch(() => undefined)) === "OK", { timeoutMs: 30_000 });
  expect(await command(replica, "GET", "after")).toBe("1");
}, 60_000);

async function startSentinel(index: number, primaryPort: number): Promise<string> {
  const [port = 0] = await freePorts(1);
  const config = join(folder, `sentinel-${index}.conf`);
  const lines = [
    `port ${port}`,
    "bind 127.0.0.1",
    `dir ${folder}`,
    `sentinel monitor mymaster 127.0.0.1 ${primaryPort} 2`,
    "sentinel down-after-milliseconds mymaster 500",
    "sentinel failover-timeout mymaster 3000",
  ];
  await writeFile(config, lines.join("\n"));
  const child: ChildProcess = spawn(await findServer(valkeyServer), [config, "--sentinel"], { stdio: "ignore" });
  open.push({ close: () => child.kill("SIGKILL") });
  const requested = new Client({ port, host: "127.0.0.1", retryStrategy: () => 50, maxRetriesPerRequest: null });
  await waitFor(async () => (await requested.ping()) === "PONG", { timeoutMs: 10_000 });
  requested.disconnect();
  return `127.0.0.1:${port}`;
}
