import { execFileSync } from "node:child_process";
import { chownSync, chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startChild, tailOf } from "../../../../deploy/local/child.js";
import { freePort } from "../../../../deploy/local/ports.js";

export interface Postgres {
  readonly pid: number;
  /** `postgres --version`. */
  readonly version: string;
  /** Makes a database and gives its address. */
  createDatabase(name: string): string;
  stop(): Promise<void>;
}

const user = "bench";
// Of nobody: PostgreSQL does not run as root.
const nobody = 65_534;
const asNobody = ["--reuid", String(nobody), "--regid", String(nobody), "--clear-groups"];

/**
 * A new PostgreSQL on loopback that answers a commit when it is on disk, with four times the
 * cache of mongod. `bin` holds initdb, postgres and psql's siblings.
 */
export async function startPostgres({ bin, dir }: { bin: string; dir: string }): Promise<Postgres> {
  const port = await freePort();
  const folder = join(dir, "postgres");
  mkdirSync(folder, { recursive: true });
  if (isRoot()) {
    // The way there is this process's own.
    chmodSync(dir, 0o711);
    chownSync(folder, nobody, nobody);
  }
  const cluster = join(folder, "cluster");
  run(join(bin, "initdb"), ["-D", cluster, "-U", user, "--auth=trust", "--encoding=UTF8", "--locale=C"], folder);
  const settings = {
    port: String(port),
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    fsync: "on",
    synchronous_commit: "on",
    full_page_writes: "on",
    shared_buffers: "1GB",
    max_connections: "200",
  };
  const args = ["-D", cluster, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
  const [command, argv] = asUser(join(bin, "postgres"), args);
  const log = join(dir, "postgres.log");
  const child = await startChild({ command, args: argv, env: env(), cwd: folder, log });
  const uriOf = (name: string) => `postgres://${user}@127.0.0.1:${port}/${name}?sslmode=disable`;
  for (let tries = 0; !isReady(bin, port); tries++) {
    if (tries === 300 || !child.isRunning()) throw new Error(`PostgreSQL did not start: ${tailOf(log)}`);
    await sleep(200);
  }
  return {
    pid: child.pid,
    version: execFileSync(join(bin, "postgres"), ["--version"], { encoding: "utf8" }).trim(),
    createDatabase(name) {
      run(join(bin, "createdb"), ["-h", "127.0.0.1", "-p", String(port), "-U", user, name], folder);
      return uriOf(name);
    },
    async stop() {
      await child.stop();
    },
  };
}

function isReady(bin: string, port: number): boolean {
  try {
    execFileSync(join(bin, "pg_isready"), ["-q", "-h", "127.0.0.1", "-p", String(port)], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const isRoot = () => process.getuid?.() === 0;
const env = () => ({ PATH: process.env["PATH"] ?? "", LC_ALL: "C" });

function asUser(command: string, args: readonly string[]): [string, string[]] {
  return isRoot() ? ["setpriv", [...asNobody, command, ...args]] : [command, [...args]];
}

function run(command: string, args: readonly string[], cwd: string): void {
  const [file, argv] = asUser(command, args);
  execFileSync(file, argv, { env: env(), cwd, stdio: ["ignore", "ignore", "pipe"] });
}
