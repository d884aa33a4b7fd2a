import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startChild, tailOf } from "./child.js";
import { startCluster, type Cluster } from "./cluster.js";
import { dataDirOf } from "./cluster-file.js";
import { logPath } from "./data-dir.js";
import { createProgress } from "./progress.js";
import { makeSandboxMonth } from "./sandbox-month.js";
import { seedingOf } from "./seeding.js";
import { projectRoot } from "./project.js";
import { servicesWithout } from "./service-table.js";
import { sentenceOf, StartError } from "./start-error.js";
import { stopSignal } from "./stop-signal.js";
import { welcome } from "./welcome.js";

/**
 * `npm start`: runs the local cluster until SIGINT or SIGTERM. `--fresh` begins with empty
 * databases.
 */
export async function main(args: readonly string[]): Promise<void> {
  // Who reads what is said here may be gone, or the disk that takes it full: that ends no cluster.
  for (const out of [process.stdout, process.stderr]) out.on("error", () => undefined);
  const stopping = new AbortController();
  const stopped = stopSignal(stopping);
  let cluster: Cluster | undefined;
  let month: Promise<void> | undefined;
  try {
    const { fresh } = readArguments(args);
    cluster = await startCluster({
      dataDir: dataDirOf(),
      port: readPort(process.env.PORT),
      services: servicesWithout(process.env.WITHOUT),
      fresh,
      mongoUri: process.env.MONGODB_URI || undefined,
      redisUrl: process.env.REDIS_URL || undefined,
      signal: stopping.signal,
    });
    await loadDemoTenants(cluster, stopping.signal);
    const demoPath = join(dataDirOf(), "demo.json");
    process.stdout.write(`${welcome(cluster.baseUrl, demoPath, readDemoFile(demoPath))}\n`);
    if (process.env.SANDBOX_MONTH !== "no") {
      month = makeSandboxMonth(cluster, stopping.signal).catch((error: Error) => console.error(error.message));
    }
    await stopped;
  } catch (error) {
    if (!stopping.signal.aborted) printError(error);
  } finally {
    await month;
    if (cluster) await createProgress().step("stopped", cluster.stop);
  }
}

function printError(error: unknown): void {
  console.error(sentenceOf(error, dataDirOf()) ?? error);
  process.exitCode = 1;
}

function readArguments(args: readonly string[]): { fresh: boolean } {
  try {
    const { values } = parseArgs({ args: [...args], options: { fresh: { type: "boolean", default: false } } });
    return { fresh: values.fresh };
  } catch (error) {
    throw new StartError(`${(error as Error).message}; the one option is --fresh, which begins with empty databases.`);
  }
}

function readPort(text: string | undefined): number {
  if (!text) return 8080;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new StartError(`PORT must be a number from 1 to 65535, not ${JSON.stringify(text)}.`);
  }
  return port;
}

/**
 * The seed goes through the services' own rpcs and writes demo.json; running it again changes
 * nothing.
 */
async function loadDemoTenants(cluster: Cluster, signal: AbortSignal): Promise<void> {
  const { dataDir } = cluster.file;
  const seeded = seedingOf(cluster.file);
  if (seeded.isDone()) return;
  await createProgress().step("demo tenants loaded", async () => {
    const log = await logPath(dataDir, "seed");
    const program = join(projectRoot(), "dist", "deploy", "seed", "main.js");
    const env = { ...process.env, DATA_DIR: dataDir };
    const seed = await startChild({ command: process.execPath, args: [program, "--demo"], env, log });
    const stopSeed = () => void seed.stop();
    signal.addEventListener("abort", stopSeed);
    if (signal.aborted) stopSeed();
    const exit = await seed.exited;
    signal.removeEventListener("abort", stopSeed);
    if (exit.code === 0) return seeded.note();
    const lines = tailOf(log).trim().split("\n").slice(-5).join("\n  ");
    throw new StartError(`The demo tenants could not be loaded; the end of ${log} says:\n  ${lines}`);
  });
}

function readDemoFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}
