import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { RunningMongo, RunningRedis, ServerOptions } from "../../deploy/local/servers.js";

export interface TestServers {
  dir: string;
  mongo?: RunningMongo;
  /** The most files that mongod had open, as far as it was looked at. */
  mostFiles?: number;
  redis?: RunningRedis;
  /** The run is over: what ends now does so by order. */
  isStopping?: boolean;
}

/**
 * One mongod and one Redis for the whole run, in memory where the machine has /dev/shm. MONGODB_URI
 * and REDIS_URL win.
 */
export default async function globalSetup(): Promise<void> {
  const run = `${process.pid}_${Date.now().toString(36)}`;
  process.env["TEST_RUN"] = run;
  resolveSources();
  const { memoryFolder } = await import("./memory-folder.js");
  const parent = memoryFolder();
  removeLeftovers(parent);
  const dir = join(parent, `manilla-test-${run}`);
  const servers: TestServers = { dir };
  (globalThis as { testServers?: TestServers }).testServers = servers;
  mkdirSync(dir, { recursive: true });
  try {
    await startMissing(servers);
  } catch (error) {
    await stopServers(servers);
    throw error;
  }
}

/** What runs that were killed have left: in /dev/shm it is memory. */
function removeLeftovers(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = /^manilla-test-(\d+)_/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(parent, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

async function startMissing(servers: TestServers): Promise<void> {
  const { startMongo, startRedis } = await import("../../deploy/local/servers.js");
  const [mongo, redis] = await Promise.all([
    process.env["MONGODB_URI"] === undefined
      ? startMongo({ dir: join(servers.dir, "mongo"), extraArgs: forTests })
      : undefined,
    process.env["REDIS_URL"] === undefined ? startRedis({ dir: join(servers.dir, "redis") }) : undefined,
  ]);
  if (mongo) {
    keepRunning(servers, mongo, startMongo);
    process.env["MONGODB_URI"] = mongo.uri;
    process.env["TEST_FAIL_POINTS"] = "yes";
  }
  if (redis) {
    servers.redis = redis;
    process.env["REDIS_URL"] = redis.url;
  }
}

/**
 * A mongod that ended by itself takes the files down that ran at that moment, not all that follow;
 * its last words are printed, since its log goes with the run.
 */
function keepRunning(
  servers: TestServers,
  mongo: RunningMongo,
  startMongo: (options: ServerOptions) => Promise<RunningMongo>,
): void {
  servers.mongo = mongo;
  const watch = setInterval(() => countFiles(servers, mongo.pid), 2_000).unref();
  void mongo.exited.then(async (how) => {
    clearInterval(watch);
    if (servers.isStopping) return;
    const dir = join(servers.dir, "mongo");
    // Why it ended, of what may be megabytes.
    const lines = readFileSync(join(dir, "mongod.log"), "utf8").split("\n");
    const words = lines
      .filter((line) => /"s":"[FE]"/.test(line))
      .slice(-20)
      .join("\n");
    console.error(`The run's mongod ended (${JSON.stringify(how)}); its log says\n${words}\nIt is started again.`);
    const next = await startMongo({ dir, port: mongo.port, extraArgs: forTests });
    keepRunning(servers, next, startMongo);
    if (servers.isStopping) await next.kill();
  });
}

/** On Linux: beyond its limit of open files mongod aborts. */
function countFiles(servers: TestServers, pid: number): void {
  try {
    servers.mostFiles = Math.max(servers.mostFiles ?? 0, readdirSync(`/proc/${pid}/fd`).length);
  } catch {
    // No such folder, or no such process any more.
  }
}

// Fail points make unknown outcomes; expired documents go away while a test still looks. Each
// test's database is some hundred files, which would stay open for ten minutes after it: beyond the
// limit of open files mongod aborts.
const files = "file_manager=(close_handle_minimum=100,close_idle_time=20,close_scan_interval=5)";
const parameters = ["enableTestCommands=1", "ttlMonitorSleepSecs=1"];
const forTests = [
  "--wiredTigerEngineConfigString",
  files,
  ...parameters.flatMap((parameter) => ["--setParameter", parameter]),
];

async function stopServers(servers: TestServers): Promise<void> {
  servers.isStopping = true;
  const { dir, mongo, redis } = servers;
  await Promise.all([mongo?.kill(), redis?.kill()]);
  rmSync(dir, { recursive: true, force: true });
}

/** Jest maps "./x.js" to "./x.ts" inside tests only, not in what it loads before them. */
function resolveSources(): void {
  registerHooks({
    resolve(specifier, context, next) {
      if (!specifier.startsWith(".") || !specifier.endsWith(".js")) return next(specifier, context);
      const source = specifier.replace(/\.js$/, ".ts");
      return next(existsSync(fileURLToPath(new URL(source, context.parentURL))) ? source : specifier, context);
    },
  });
}
