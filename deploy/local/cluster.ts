import { resolve, join } from "node:path";
import { gatewayHost, record, type ClusterOptions, type Context } from "./cluster-context.js";
import { writeClusterFile, type ClusterFile } from "./cluster-file.js";
import { emptyDataDir, logPath, takeDataDir } from "./data-dir.js";
import { prepareKeys } from "./keys.js";
import { createPatience } from "./patience.js";
import { freePort, isPortFree } from "./ports.js";
import { createProgress, quietProgress } from "./progress.js";
import { findMongod, findValkeyServer, mongoUriOf, redisUrlOf, startMongo, startRedis } from "./servers.js";
import { planProcesses, superviseService } from "./service-process.js";
import { serviceTable } from "./service-table.js";
import { StartError } from "./start-error.js";
import { supervise, type Supervised } from "./supervise.js";

export type { ClusterOptions } from "./cluster-context.js";

// With a client of Redis, which nobody else here needs.
const givenServers = () => import("./given-servers.js");

export interface Cluster {
  readonly file: ClusterFile;
  readonly baseUrl: string;
  /**
   * "mongodb", "redis", a service, a further replica ("ledger-2") or "gateway". Throws when there
   * is none.
   */
  process(name: string): Supervised;
  /** Drains and stops everything, the last started first. Data stays. */
  stop(): Promise<void>;
}

/**
 * Starts a whole cluster on this machine, each service a process of its own, and waits until all
 * are ready. Throws StartError.
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const dataDir = resolve(options.dataDir);
  const progress = options.quiet ? quietProgress : createProgress();
  refuseFreshElsewhere(options);
  const taken = await takeDataDir(dataDir);
  const processes: Supervised[] = [];
  let save = (): Promise<void> => Promise.resolve();
  const ending = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, ending.signal]) : ending.signal;
  const patience = createPatience({ ...options.patience, print: progress.print });
  const stopAll = async () => {
    ending.abort();
    while (processes.length > 0) await processes.pop()?.stop();
    await save();
    await taken.release();
  };
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= stopAll());
  try {
    const port = options.port === 0 ? await freePort() : options.port;
    await checkGatewayPort(port, options);
    if (options.fresh) await emptyDataDir(dataDir);
    const file = emptyFile(dataDir, port);
    save = createSaver(file);
    const shared = { options, progress, patience, signal, dataDir, processes, file, save };
    const context: Context = { ...shared, isStarting: true };
    const databases = await planDatabases(context);
    const services = await planServices(context, port);
    // Services wait for MongoDB by themselves, and have their code read meanwhile. A direct
    // connection, as `through` makes, would take a replica set that nobody has initiated yet.
    const stages = options.through ? [databases, services] : [[...databases, ...services]];
    for (const starts of stages) await all(starts, () => ending.abort());
    context.isStarting = false;
    await save();
    const byName = new Map(processes.map((process) => [process.name, process]));
    return { file, baseUrl: file.baseUrl, process: (name) => named(byName, name), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function named(processes: Map<string, Supervised>, name: string): Supervised {
  const found = processes.get(name);
  if (!found) throw new Error(`the cluster has no process ${name}`);
  return found;
}

function emptyFile(dataDir: string, port: number): ClusterFile {
  return {
    pid: process.pid,
    startedAt: new Date().toISOString(),
    baseUrl: `http://localhost:${port}`,
    dataDir,
    mongoUri: "",
    redisUrl: "",
    keys: { jwksFile: "", operatorKeyFile: "", masterKeyFile: "", partnerFile: "", serviceKeyFiles: {} },
    addresses: {},
    processes: {},
  };
}

/**
 * Writes the file after changes, one write at a time; tools read it, and losing it harms nothing.
 */
function createSaver(file: ClusterFile): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return () => {
    last = last.then(() => writeClusterFile(file)).catch(() => undefined);
    return last;
  };
}

function refuseFreshElsewhere(options: ClusterOptions): void {
  if (options.fresh && (options.mongoUri || options.redisUrl)) {
    throw new StartError(
      "--fresh empties only our own servers: drop the manilla_* databases of MONGODB_URI and flush REDIS_URL yourself, and start without --fresh.",
    );
  }
}

async function checkGatewayPort(port: number, options: ClusterOptions): Promise<void> {
  if (options.gateway === false || (await isPortFree(port, gatewayHost(options)))) return;
  throw new StartError(`Port ${port} is in use by another program: stop it, or start with another PORT.`);
}

type Start = () => Promise<void>;

/**
 * Starts all at once and waits until each has ended its start. Where one
 * fails, `giveUp` ends the others'.
 */
async function all(starts: readonly Start[], giveUp: () => void): Promise<void> {
  let first: { error: unknown } | undefined;
  const fail = (error: unknown): void => {
    first ??= { error };
    giveUp();
  };
  await Promise.all(starts.map((start) => start().catch(fail)));
  if (first !== undefined) throw first.error;
}

/** Finds the servers, or reaches those that are given; the first to start come first. */
async function planDatabases(context: Context): Promise<Start[]> {
  const { options, progress, patience, signal, dataDir, file } = context;
  const find = { onDownload: (what: string) => progress.print(`         downloading ${what}`) };
  const starts: Start[] = [];
  if (options.mongoUri) {
    const uri = (file.mongoUri = options.mongoUri);
    await progress.step("MongoDB reached", async () => (await givenServers()).checkGivenMongo(uri));
  } else {
    await progress.step("MongoDB found", () => findMongod(find));
    const port = await freePort();
    const log = await logPath(dataDir, "mongodb");
    file.mongoUri = mongoUriOf(port);
    starts.push(
      superviseServer(context, "MongoDB started", { name: "mongodb", port, log }, () =>
        startMongo({ dir: join(dataDir, "mongo"), port, log, patience, signal }),
      ),
    );
  }
  if (options.redisUrl) {
    const url = (file.redisUrl = options.redisUrl);
    await progress.step("Redis reached", async () => (await givenServers()).checkGivenRedis(url));
  } else {
    await progress.step("Redis found", () => findValkeyServer(find));
    const port = await freePort();
    const log = await logPath(dataDir, "redis");
    file.redisUrl = redisUrlOf(port);
    starts.push(
      superviseServer(context, "Redis started", { name: "redis", port, log }, () =>
        startRedis({ dir: join(dataDir, "redis"), port, log, patience, signal, appendOnly: true }),
      ),
    );
  }
  return starts;
}

function superviseServer(
  context: Context,
  step: string,
  { name, port, log }: { name: string; port: number; log: string },
  start: () => ReturnType<typeof startRedis | typeof startMongo>,
): Start {
  const server = supervise({
    name,
    log,
    start,
    isReady: async () => true,
    print: context.progress.print,
    patience: context.patience,
    onStart: (pid) => record(context, name, { pid, port, log }),
  });
  context.processes.push(server);
  return () => context.progress.step(step, () => server.start(context.signal));
}

async function planServices(context: Context, gatewayPort: number): Promise<Start[]> {
  const { options, progress, dataDir, file, processes } = context;
  const rows = options.services ?? serviceTable;
  const plans = await planProcesses(rows, options, gatewayPort);
  const first = plans.filter(({ row, name }) => row.name === name);
  for (const { name, port } of first) if (name !== "gateway") file.addresses[name] = `127.0.0.1:${port}`;
  const names = first.filter(({ row }) => !row.outside).map(({ name }) => name);
  file.keys = await progress.step("keys ready", () => prepareKeys(dataDir, names));
  await context.save();
  const planned = await Promise.all(plans.map((plan) => superviseService(context, plan)));
  processes.push(...planned);
  // All at once: services wait for each other by themselves, as they do in production.
  return planned.map((service) => () => progress.step(`${service.name} ready`, () => service.start(context.signal)));
}
