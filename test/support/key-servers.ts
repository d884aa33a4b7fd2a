import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { startChild, type Child } from "../../deploy/local/child.js";
import { freePort } from "../../deploy/local/ports.js";

const run = promisify(execFile);
const cache = process.env["MANILLA_CACHE_DIR"] ?? resolve(".cache", "servers");

export interface KeyServer {
  url: string;
  child: Child;
  /** Makes it hang until `goOn`: a process may still answer after it was signalled. */
  pause(): Promise<void>;
  goOn(): void;
  stop(): Promise<void>;
}

/** Vault's transit engine, see test/support/vault-transit/main.go; built once, with Go. */
export async function startVaultTransit(rootToken: string): Promise<KeyServer> {
  const folder = await cachedFolder("vault-transit-1.14.0", async (scratch) => {
    // Not optimised: it answers a few calls, and is built a fifth faster.
    const build = ["build", "-gcflags=all=-N -l", "-o", join(scratch, "vault-transit"), "."];
    await run("go", build, { cwd: resolve("test", "support", "vault-transit"), timeout: 900_000 });
  });
  return start((port) => [join(folder, "vault-transit"), [`127.0.0.1:${port}`, rootToken], {}]);
}

// What moto needs for KMS and IAM, and no more.
const motoPackages = [
  "moto==5.2.5 boto3==1.44.5 botocore==1.44.5 cryptography==50.0.2 requests==2.34.2 xmltodict==1.0.4",
  "werkzeug==3.1.9 python-dateutil==2.9.0.post0 responses==0.26.3 jinja2==3.1.6 s3transfer==0.19.3",
  "jmespath==1.1.0 urllib3==2.8.0 six==1.17.0 certifi==2026.10.18 idna==3.20 charset-normalizer==3.5.2",
  "markupsafe==3.0.4 pyyaml==6.0.3 cffi==2.1.1 pycparser==3.12 flask==3.1.3 flask-cors==6.0.5 click==8.5.1",
  "blinker==1.9.0 itsdangerous==2.2.0",
].flatMap((line) => line.split(" "));

/**
 * Moto with AWS's KMS and IAM. After `openCalls` calls it checks signatures and permissions, as AWS
 * does.
 */
export async function startMoto(openCalls: number): Promise<KeyServer> {
  const folder = await cachedFolder("moto-5.2.5", async (scratch) => {
    const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-compile"];
    await run("python3", [...pip, "--target", scratch, ...motoPackages], { timeout: 600_000 });
  });
  return start((port) => [
    "python3",
    ["-m", "moto.server", "-H", "127.0.0.1", "-p", String(port)],
    { PYTHONPATH: folder, INITIAL_NO_AUTH_ACTION_COUNT: String(openCalls) },
  ]);
}

/** Makes `<cache>/<name>` by `fill` where it is not there yet; whole, or not at all. */
async function cachedFolder(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const target = join(cache, name);
  if (existsSync(target)) return target;
  mkdirSync(cache, { recursive: true });
  const scratch = mkdtempSync(join(cache, ".building-"));
  try {
    await fill(scratch);
    if (!existsSync(target)) renameSync(scratch, target);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return target;
}

type Command = [command: string, args: string[], env: NodeJS.ProcessEnv];

async function start(commandOf: (port: number) => Command): Promise<KeyServer> {
  const folder = mkdtempSync(join(tmpdir(), "key-server-"));
  const port = await freePort();
  const [command, args, env] = commandOf(port);
  const log = join(folder, "log");
  const child = await startChild({ command, args, env: { PATH: process.env["PATH"], ...env }, log });
  const url = `http://127.0.0.1:${port}`;
  while (child.isRunning()) {
    // Any answer will do: nobody is signed in yet.
    if (await fetch(`${url}/v1/`).catch(() => undefined)) break;
    await sleep(100);
  }
  return {
    url,
    child,
    async pause() {
      process.kill(child.pid, "SIGSTOP");
      const state = async () => (await run("ps", ["-o", "state=", "-p", String(child.pid)])).stdout.trim();
      while (!(await state()).startsWith("T")) await sleep(10);
    },
    goOn: () => void process.kill(child.pid, "SIGCONT"),
    async stop() {
      await child.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
