import { fork, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { load, type Measured } from "../edge/load.js";
import { login, seed, shots } from "./orders.js";

interface Built {
  startCluster(options: object): Promise<{
    baseUrl: string;
    file: {
      mongoUri: string;
      redisUrl: string;
      addresses: Record<string, string>;
      keys: { jwksFile: string; serviceKeyFiles: Record<string, string> };
    };
    stop(): Promise<void>;
  }>;
  freePorts(count: number): Promise<number[]>;
}

const clients = 32;
const limits = {
  LOG_LEVEL: "info",
  NODE_ENV: "production",
  RATE_LIMIT_PER_ADDRESS: "99999999",
  RATE_LIMIT_PER_USER: "99999999",
  RATE_LIMIT_PER_TENANT: "99999999",
};

/**
 * create-transaction through the whole of the product, and the same request through the same
 * gateway's code before a service that makes of it one insert; rounds in turn, so that what else
 * the machine does falls on both. Rows of the report.
 */
export async function benchCreate(quick: boolean): Promise<string[]> {
  const { startCluster } = (await import(resolve("dist/deploy/local/cluster.js"))) as Built;
  const { freePorts } = (await import(resolve("dist/deploy/local/ports.js"))) as Built;
  const dataDir = mkdtempSync(join(tmpdir(), "manilla-bench-create-"));
  const children: ChildProcess[] = [];
  const cluster = await startCluster({ dataDir, port: 0, quiet: true, processEnv: { gateway: limits } });
  try {
    await seed(dataDir, clients);
    const [servicePort = 0, gatewayPort = 0] = await freePorts(2);
    children.push(await startBare(cluster.file.mongoUri, servicePort));
    children.push(await startGateway(cluster.file, servicePort, gatewayPort));
    const tokens = await Promise.all(Array.from({ length: clients }, (_, client) => login(cluster.baseUrl, client)));
    const ours = shots(cluster.baseUrl, tokens);
    const bare = shots(`http://localhost:${gatewayPort}`, tokens);
    const seconds = quick ? 3 : 8;
    for (const warm of [ours, bare]) await load(warm, clients, quick ? 2 : 5);
    const rounds: { ours: Measured; bare: Measured }[] = [];
    for (let round = 0; round < (quick ? 1 : 3); round += 1) {
      rounds.push({ bare: await load(bare, clients, seconds), ours: await load(ours, clients, seconds) });
    }
    return rowsOf(rounds);
  } finally {
    for (const child of children) child.kill();
    await cluster.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function rowsOf(rounds: readonly { ours: Measured; bare: Measured }[]): string[] {
  const failed = rounds.reduce((sum, { ours, bare }) => sum + ours.failed + bare.failed, 0);
  if (failed > 0) throw new Error(`${failed} requests failed`);
  const of = (read: (round: (typeof rounds)[number]) => number) => median(rounds.map(read));
  const line = (name: string, pick: (round: (typeof rounds)[number]) => Measured) =>
    `| ${name}, ${of((round) => pick(round).perSecond).toFixed(0)}/s | ${clients} | ${of((round) => pick(round).p50Ms).toFixed(1)} | ${of((round) => pick(round).p99Ms).toFixed(1)} |`;
  const ratio = of(({ ours, bare }) => ours.p99Ms / bare.p99Ms);
  return [
    line("create-transaction through the gateway: price, compliance, idempotency", ({ ours }) => ours),
    line("the same request through the same gateway, one insert behind it", ({ bare }) => bare),
    `| ratio of the two at p99, median of ${rounds.length} rounds (target: under 3) | | | ${ratio.toFixed(2)} |`,
  ];
}

async function startBare(mongoUri: string, port: number): Promise<ChildProcess> {
  const child = fork(resolve("test/bench/remittance/bare-create.ts"), [mongoUri, String(port)], {
    env: { ...process.env, NODE_ENV: "production" },
  });
  await new Promise((ready, failed) => (child.once("message", ready), child.once("exit", failed)));
  return child;
}

/** The same gateway, with the bare service in the place of remittance. */
async function startGateway(
  { addresses, keys, redisUrl }: Awaited<ReturnType<Built["startCluster"]>>["file"],
  servicePort: number,
  port: number,
): Promise<ChildProcess> {
  const named = Object.entries(addresses).map(([name, address]) => [`${name.toUpperCase()}_ADDRESS`, address]);
  const child = fork(resolve("dist/gateway/main.js"), [], {
    // As the cluster starts its own.
    execArgv: ["--enable-source-maps", "--max-old-space-size=256", "--max-semi-space-size=16"],
    env: {
      ...process.env,
      ...Object.fromEntries(named),
      ...limits,
      HOST: "127.0.0.1",
      PORT: String(port),
      REDIS_URL: redisUrl,
      SERVICE_KEY_FILE: keys.serviceKeyFiles["gateway"],
      SERVICE_JWKS_FILE: keys.jwksFile,
      REMITTANCE_ADDRESS: `127.0.0.1:${servicePort}`,
    },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  for (let tries = 0; ; tries += 1) {
    const answer = await fetch(`http://localhost:${port}/`).catch(() => undefined);
    if (answer !== undefined) return child;
    if (tries === 100) throw new Error("the second gateway does not listen");
    await sleep(100);
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}
