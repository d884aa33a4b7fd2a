import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { unpackedDebian, withLibrariesOf } from "./debian-tool.js";

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
  const folder = unpackedDebian("redis-7-tls", packages);
  return folder === undefined
    ? undefined
    : serverOf(join(folder, "usr", "bin", "redis-server"), withLibrariesOf(folder));
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
