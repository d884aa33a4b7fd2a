import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { startChild, tailOf } from "./child.js";
import { gatewayHost, record, type ClusterOptions, type Context } from "./cluster-context.js";
import type { ClusterFile } from "./cluster-file.js";
import { logPath } from "./data-dir.js";
import { freePorts } from "./ports.js";
import { projectRoot } from "./project.js";
import { isProcessReady } from "./readiness.js";
import { gatewayRow, nodeOptions, type ServiceRow } from "./service-table.js";
import { StartError } from "./start-error.js";
import { supervise, type Supervised } from "./supervise.js";

/** A process of a service or the gateway, with the ports it will have. */
export interface Plan {
  row: ServiceRow;
  name: string;
  port: number;
  adminPort: number;
}

/** Names and ports of all processes: replicas of services, and the gateway last. */
export async function planProcesses(
  rows: readonly ServiceRow[],
  options: ClusterOptions,
  gatewayPort: number,
): Promise<Plan[]> {
  const replicas = rows.flatMap((row) =>
    Array.from({ length: options.replicas?.[row.name] ?? 1 }, (_, index) => ({
      row,
      name: index === 0 ? row.name : `${row.name}-${index + 1}`,
    })),
  );
  const ports = await freePorts(replicas.length * 2 + 1);
  const next = () => ports.pop() as number;
  const plans: Plan[] = replicas.map(({ row, name }) => ({ row, name, port: next(), adminPort: next() }));
  if (options.gateway !== false) {
    plans.push({ row: gatewayRow(rows), name: "gateway", port: gatewayPort, adminPort: next() });
  }
  return plans;
}

/** A supervised process, not started yet. Throws StartError when it is not built. */
export async function superviseService(context: Context, plan: Plan): Promise<Supervised> {
  const { dataDir, progress, options } = context;
  const { row, name, port, adminPort } = plan;
  const main = resolve(projectRoot(), "dist", row.main);
  if (!existsSync(main)) throw new StartError(`${name} is not built (${main} is missing): run \`npm run build\`.`);
  const log = await logPath(dataDir, name);
  const reached = await reachedBy(context, plan);
  return supervise({
    name,
    log,
    start: (env) =>
      startChild({
        command: process.execPath,
        args: [...nodeOptions(row), main],
        env: { ...environmentOf(context, plan), ...reached, ...options.env, ...options.processEnv?.[name], ...env },
        cwd: projectRoot(),
        log,
      }),
    isReady: () => isProcessReady(adminPort),
    reason: () => lastError(log),
    print: progress.print,
    patience: context.patience,
    onStart: (pid) => record(context, name, { pid, port, adminPort, log }),
    ...(options.backoff && { backoff: options.backoff }),
  });
}

/** Where this process finds MongoDB, Redis and its neighbours. */
async function reachedBy({ file, options }: Context, { row, name }: Plan): Promise<NodeJS.ProcessEnv> {
  const { through = ({ address }) => address } = options;
  const way = async (to: string, address: string) => through({ from: name, to, address });
  const neighbours = row.calls
    .filter((to) => file.addresses[to] !== undefined)
    .map(async (to) => neighbourOf(to, await way(to, file.addresses[to] as string)));
  return {
    ...(Object.fromEntries(await Promise.all(neighbours)) as NodeJS.ProcessEnv),
    ...(options.through ? await serversThrough(file, way) : { MONGODB_URI: file.mongoUri, REDIS_URL: file.redisUrl }),
  };
}

function neighbourOf(to: string, address: string): [string, string] {
  const name = to.toUpperCase();
  return to === "partner" ? [`${name}_URL`, `http://${address}`] : [`${name}_ADDRESS`, address];
}

async function serversThrough(file: ClusterFile, way: (to: string, address: string) => Promise<string>) {
  const [mongo, redis] = [new URL(file.mongoUri), new URL(file.redisUrl)];
  return {
    // The set's members are known by their own addresses: only a direct connection keeps to the one
    // that is given.
    MONGODB_URI: `mongodb://${await way("mongodb", mongo.host)}/?directConnection=true`,
    REDIS_URL: `redis://${await way("redis", redis.host)}`,
  };
}

function environmentOf(
  { file, options, dataDir, isStarting }: Context,
  { row, port, adminPort }: Plan,
): NodeJS.ProcessEnv {
  const { keys } = file;
  return {
    ...inheritedEnvironment(),
    NODE_ENV: "development",
    // What a process has compiled, the next one need not: a quarter of the CPU of its start.
    NODE_COMPILE_CACHE: join(projectRoot(), ".cache", "compiled"),
    HOST: row.name === "gateway" ? gatewayHost(options) : "127.0.0.1",
    PORT: String(port),
    ADMIN_PORT: String(adminPort),
    MONGODB_DATABASE: `manilla_${row.name}`,
    SERVICE_KEY_FILE: keys.serviceKeyFiles[row.name],
    SERVICE_JWKS_FILE: keys.jwksFile,
    ...(isStarting && { BOOT_WAIT_S: "900" }),
    ...row.env?.({
      address: `127.0.0.1:${port}`,
      keys,
      dataDir,
      gatewayUrl: file.baseUrl.replace("localhost", "127.0.0.1"),
    }),
  };
}

/** Our own environment without what npm and the shell that started us put there for themselves. */
function inheritedEnvironment(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|NODE_OPTIONS$|NODE_V8_COVERAGE$|JEST_)/.test(name),
  );
  return Object.fromEntries(entries);
}

/** The last error of a log: the message of a JSON line, or the error line of a stack. */
function lastError(log: string): string | undefined {
  const lines = tailOf(log, 8192).trim().split("\n");
  const error = lines.findLastIndex((line) => /^(\w*Error|The environment)\b|"level":"(fatal|error)"/.test(line));
  const line =
    error >= 0
      ? lines.slice(error).filter((text) => !/^\s+at |^Node\.js|^$|^[{}]/.test(text) || text.startsWith('{"'))
      : [];
  const text = line.slice(0, 6).join(" ").replaceAll(/\s+/g, " ").trim();
  if (!text.startsWith("{")) return text.slice(0, 400) || undefined;
  try {
    const parsed = JSON.parse(line[0] as string) as { msg?: string; err?: { message?: string } };
    return [parsed.msg, parsed.err?.message].filter(Boolean).join(": ");
  } catch {
    return text.slice(0, 400);
  }
}
