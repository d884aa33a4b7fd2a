import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { projectRoot } from "../../deploy/local/project.js";
import { onPath } from "./outside-tools.js";

const run = promisify(execFile);

export interface GoTool {
  name: string;
  version: string;
  /** The package of its `main`, without the version. */
  source: string;
  ldflags?: string;
  /** What whoever has no Go does, as half a sentence. */
  instead: string;
}

/**
 * Path of a program: on PATH, else built before, else built from its Go module and kept by version,
 * which takes up to some minutes once. Throws where there is no Go either: what nothing has looked
 * at is not tested.
 */
export async function findGoTool(
  { name, version, source, ldflags, instead }: GoTool,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const servers = env["MANILLA_CACHE_DIR"] ?? join(projectRoot(), ".cache", "servers");
  const cached = join(servers, `${name}-${version}`);
  const found = onPath(name, env["PATH"]) ?? (existsSync(join(cached, name)) ? join(cached, name) : undefined);
  if (found !== undefined) return found;
  await mkdir(servers, { recursive: true });
  const scratch = await mkdtemp(join(servers, ".build-"));
  try {
    const options = { GOBIN: scratch, CGO_ENABLED: "0", GOFLAGS: "-trimpath -buildvcs=false -modcacherw" };
    const flags = ldflags === undefined ? [] : ["-ldflags", ldflags];
    await run("go", ["install", ...flags, `${source}@v${version}`], { env: { ...env, ...options } });
    await mkdir(cached, { recursive: true });
    // Atomic: of two runs that build at once, both leave a whole binary.
    await rename(join(scratch, name), join(cached, name));
  } catch (error) {
    const { code, stderr = "" } = error as { code?: string | number; stderr?: string };
    const why = code === "ENOENT" ? "there is no Go to build it with" : stderr.trim().split("\n").at(-1);
    throw new Error(`There is no ${name} (${why}): ${instead}.`, { cause: error });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return join(cached, name);
}
