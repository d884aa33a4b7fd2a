import { execFileSync, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";

/** A redis-server that speaks TLS, which the one of the development servers does not. */
export interface TlsRedisServer {
  start(args: readonly string[]): ChildProcess;
}

// Debian's server with what it is linked with, which a small system may lack.
const packages = [
  "redis-server",
  "redis-tools",
  "libhiredis0.14",
  "liblua5.1-0",
  "libjemalloc2",
  "liblzf1",
  "libatomic1",
  "lua-cjson",
  "lua-bitop",
];

/**
 * The server on PATH where it knows TLS, else Debian's, unpacked into .cache/servers without root
 * when it is first asked for; undefined where there is neither.
 */
export function findTlsRedis(): TlsRedisServer | undefined {
  const candidates = [serverOf("redis-server", process.env), debianServer()];
  return candidates.find((server) => server !== undefined);
}

function debianServer(): TlsRedisServer | undefined {
  const cache = process.env["MANILLA_CACHE_DIR"] ?? resolve(".cache", "servers");
  const folder = join(cache, "redis-7-tls");
  if (!existsSync(folder)) unpackDebian(folder);
  const libraries = join(folder, "usr", "lib", "x86_64-linux-gnu");
  return serverOf(join(folder, "usr", "bin", "redis-server"), { ...process.env, LD_LIBRARY_PATH: libraries });
}

function unpackDebian(folder: string): void {
  const scratch = `${folder}-${process.pid}`;
  mkdirSync(scratch, { recursive: true });
  try {
    execFileSync("apt-get", ["download", ...packages], { cwd: scratch, stdio: "ignore", timeout: 180_000 });
    for (const file of readdirSync(scratch).filter((name) => name.endsWith(".deb"))) {
      execFileSync("dpkg", ["-x", file, "."], { cwd: scratch, stdio: "ignore" });
    }
    renameSync(scratch, folder);
  } catch {
    // Another system, or no network: the test that asks for it says that it was left out.
    rmSync(scratch, { recursive: true, force: true });
  }
}

function serverOf(command: string, env: NodeJS.ProcessEnv): TlsRedisServer | undefined {
  // A server without TLS does not know the word; this one ends because of the file that is missing.
  const { stdout } = spawnSync(command, ["--port", "0", "--tls-port", "1", "--tls-cert-file", "/nowhere"], {
    env,
    encoding: "utf8",
    timeout: 10_000,
  });
  if (!stdout || !/tls/i.test(stdout) || stdout.includes("Bad directive")) return undefined;
  return { start: (args) => spawn(command, args, { env, stdio: "ignore" }) };
}
