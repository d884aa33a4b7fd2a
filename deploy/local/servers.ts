import { mkdir, statfs } from "node:fs/promises";
import { createConnection } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { mongo } from "mongoose";
import { startChild, tailOf, type Child } from "./child.js";
import { findServer, mongodServer, valkeyServer, type FindOptions } from "./fetch-servers.js";
import { createPatience, type Patience } from "./patience.js";
import { freePort, isPortFree } from "./ports.js";
import { diskFullSentence, StartError } from "./start-error.js";

const host = "127.0.0.1";
const replicaSet = "manilla";
const minimumFreeBytes = 256 * 1024 * 1024;

export interface ServerOptions {
  /** How it is waited for until it answers; a quiet patience of its own when absent. */
  patience?: Patience | undefined;
  /** Gives up a start that is under way. */
  signal?: AbortSignal | undefined;
  /** Folder of the server's data; made when absent. */
  dir: string;
  /** A port that must be free; chosen when absent. */
  port?: number | undefined;
  /** Log file; `<dir>/<server>.log` when absent. */
  log?: string | undefined;
  extraArgs?: readonly string[] | undefined;
  find?: FindOptions | undefined;
}

export interface RunningServer {
  readonly port: number;
  readonly pid: number;
  readonly exited: Child["exited"];
  isRunning(): boolean;
  /** Clean shutdown: what was acknowledged is on disk. */
  stop(): Promise<void>;
  /** SIGKILL, for tests of recovery. */
  kill(): Promise<void>;
}

export interface RunningMongo extends RunningServer {
  readonly uri: string;
}

export interface RunningRedis extends RunningServer {
  readonly url: string;
}

/**
 * Path of mongod, as findServer looks for it. Throws StartError with what to install.
 */
export function findMongod(options?: FindOptions): Promise<string> {
  return findServer(mongodServer, options);
}

/**
 * Path of valkey-server, or of redis-server, as findServer looks for it. Throws
 * StartError with what to install.
 */
export function findValkeyServer(options?: FindOptions): Promise<string> {
  return findServer(valkeyServer, options);
}

/**
 * Starts mongod on the loopback as a replica set of one and waits until it is primary. Throws
 * StartError.
 */
export async function startMongo(options: ServerOptions): Promise<RunningMongo> {
  const command = await findMongod(options.find);
  await prepareFolder(options.dir);
  const port = await choosePort(options.port, "MongoDB");
  const log = options.log ?? join(options.dir, "mongod.log");
  const parameters = [
    // A process killed inside a transaction must not hold its locks for a minute.
    "transactionLifetimeLimitSeconds=5",
    // Nobody reads at a time that has passed: five minutes of every version of a busy document are
    // much to write out (docs/decisions/0010).
    "minSnapshotHistoryWindowInSeconds=1",
    // A replica set of one has no other member to step down to.
    "shutdownTimeoutMillisForSignaledShutdown=100",
    "diagnosticDataCollectionEnabled=false",
  ].flatMap((parameter) => ["--setParameter", parameter]);
  // What is slow would be logged with its values, account numbers among them (docs/decisions/0021).
  const quiet = ["--slowOpSampleRate", "0"];
  const args = ["--dbpath", options.dir, "--port", String(port), "--bind_ip", host, "--nounixsocket", ...quiet];
  const engine = ["--replSet", replicaSet, "--oplogSize", "256", "--wiredTigerCacheSizeGB", "0.25"];
  const child = await launch(
    "MongoDB",
    command,
    [...args, ...engine, ...parameters, ...(options.extraArgs ?? [])],
    log,
  );
  const server = running("MongoDB", child, port, options.dir, log);
  await server.whenReady(() => becomePrimary(port), options);
  return { ...server.handle, uri: mongoUriOf(port) };
}

/**
 * Starts Valkey (or Redis) on the loopback with noeviction and waits until it answers. Throws
 * StartError.
 */
export async function startRedis(options: ServerOptions & { appendOnly?: boolean }): Promise<RunningRedis> {
  const command = await findValkeyServer(options.find);
  await prepareFolder(options.dir);
  const port = await choosePort(options.port, "Redis");
  const log = options.log ?? join(options.dir, "redis.log");
  const args = ["--port", String(port), "--bind", host, "--dir", options.dir, "--daemonize", "no"];
  const memory = ["--maxmemory", "128mb", "--maxmemory-policy", "noeviction"];
  const disk = ["--save", "", "--appendonly", options.appendOnly ? "yes" : "no"];
  const child = await launch("Redis", command, [...args, ...memory, ...disk, ...(options.extraArgs ?? [])], log);
  const server = running("Redis", child, port, options.dir, log);
  await server.whenReady(() => redisAnswers(port), options);
  return { ...server.handle, url: redisUrlOf(port) };
}

/** Where `startMongo` on that port is reached. */
export function mongoUriOf(port: number): string {
  return `mongodb://${host}:${port}/?replicaSet=${replicaSet}`;
}

/** Where `startRedis` on that port is reached. */
export function redisUrlOf(port: number): string {
  return `redis://${host}:${port}`;
}

async function prepareFolder(dir: string): Promise<void> {
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const disk = await statfs(dir);
    if (disk.bavail * disk.bsize >= minimumFreeBytes) return;
  } catch (error) {
    const reason = (error as Error).message;
    throw new StartError(diskFullSentence(reason, dir) ?? `The folder ${dir} cannot be used (${reason}).`);
  }
  throw new StartError(`The disk that holds ${dir} is full: free some space and start again.`);
}

async function choosePort(wanted: number | undefined, name: string): Promise<number> {
  if (wanted === undefined) return freePort();
  if (await isPortFree(wanted)) return wanted;
  throw new StartError(`${name} cannot start: port ${wanted} is in use by another program.`);
}

async function launch(name: string, command: string, args: readonly string[], log: string): Promise<Child> {
  try {
    return await startChild({ command, args, log });
  } catch (error) {
    throw new StartError(`${name} cannot start: ${command} could not be run (${(error as Error).message}).`);
  }
}

function running(name: string, child: Child, port: number, dir: string, log: string) {
  const handle: RunningServer = {
    port,
    pid: child.pid,
    exited: child.exited,
    isRunning: child.isRunning,
    stop: async () => void (await child.stop(20_000)),
    kill: async () => void (await child.kill()),
  };
  /**
   * Asks again until `ready` holds, and gives the reason from the log when the server ends or
   * hangs.
   */
  const whenReady = async (
    ready: () => Promise<boolean>,
    { patience = createPatience(), signal }: Pick<ServerOptions, "patience" | "signal">,
  ): Promise<void> => {
    let last: unknown;
    const isReady = async () => {
      try {
        return await ready();
      } catch (error) {
        last = error;
        return false;
      }
    };
    const pid = () => (child.isRunning() ? child.pid : undefined);
    try {
      const fault = await patience({ name, pid, isReady, everyMs: 30, signal });
      if (fault === undefined) return;
      const ended = !child.isRunning();
      await child.kill();
      throw failure(name, port, dir, log, ended ? "ended while starting" : `${fault}${whyOf(last)}`);
    } catch (error) {
      // Given up in the middle of its recovery it goes on from there at the next start.
      if (child.isRunning()) await child.stop(20_000);
      throw error;
    }
  };
  return { handle, whenReady };
}

function whyOf(error: unknown): string {
  return error instanceof Error ? ` (${error.message})` : "";
}

function failure(name: string, port: number, dir: string, log: string, how: string): StartError {
  const text = tailOf(log, 16_384);
  const full = diskFullSentence(text, dir);
  if (full) return new StartError(full);
  if (/Address already in use/i.test(text)) {
    return new StartError(`${name} cannot start: port ${port} is in use by another program.`);
  }
  if (/DBPathInUse|Unable to lock the lock file/i.test(text)) {
    return new StartError(`${name} cannot start: another mongod is running on ${dir}.`);
  }
  return new StartError(`${name} ${how}; its log is ${log}.`);
}

/**
 * Initiates the replica set on first start, and moves it to this port when it was made on another.
 */
async function becomePrimary(port: number): Promise<boolean> {
  const address = `${host}:${port}`;
  const client = new mongo.MongoClient(`mongodb://${address}/?directConnection=true`, {
    serverSelectionTimeoutMS: 500,
    monitorCommands: false,
  });
  try {
    const admin = client.db("admin");
    const hello = await admin.command({ hello: 1 });
    if (hello.isWritablePrimary) return true;
    if (hello.info === "Does not have a valid replica set config" || hello.isreplicaset) {
      await initiateOrMove(admin, address);
    }
    return await primaryWithin(admin, 2_000);
  } finally {
    await client.close();
  }
}

async function initiateOrMove(admin: mongo.Db, address: string): Promise<void> {
  const config = await admin.command({ replSetGetConfig: 1 }).then(
    (answer) => answer.config as { version: number; members: { host: string }[] },
    (error: { codeName?: string }) => {
      if (error.codeName === "NotYetInitialized") return undefined;
      throw error as Error;
    },
  );
  if (!config) {
    await admin.command({ replSetInitiate: { _id: replicaSet, members: [{ _id: 0, host: address }] } });
  } else if (config.members[0]?.host !== address) {
    const moved = { ...config, version: config.version + 1, members: [{ ...config.members[0], host: address }] };
    await admin.command({ replSetReconfig: moved, force: true });
  }
}

async function primaryWithin(admin: mongo.Db, timeoutMs: number): Promise<boolean> {
  const giveUpAt = Date.now() + timeoutMs;
  while (Date.now() < giveUpAt) {
    const hello = await admin.command({ hello: 1 });
    if (hello.isWritablePrimary) return true;
    await sleep(20);
  }
  return false;
}

function redisAnswers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host });
    socket.setTimeout(500, () => socket.destroy());
    socket.once("connect", () => socket.write("PING\r\n"));
    socket.once("data", (answer) => {
      resolve(answer.toString().startsWith("+PONG"));
      socket.end();
    });
    socket.once("error", () => resolve(false));
    socket.once("close", () => resolve(false));
  });
}
