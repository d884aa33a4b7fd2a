import { execFile } from "node:child_process";
import { access, constants, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { projectRoot } from "../../deploy/local/project.js";

const run = promisify(execFile);
const version = "0.3.0";
const source = `aead.dev/minisign/cmd/minisign@v${version}`;

/**
 * Path of minisign: on PATH, else built before, else built from the Go module with the same command
 * line. Throws where there is no Go either: a signature that nothing has verified is not tested.
 */
export async function findMinisign(): Promise<string> {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter(Boolean);
  const servers = process.env["MANILLA_CACHE_DIR"] ?? join(projectRoot(), ".cache", "servers");
  const cached = join(servers, `minisign-${version}`);
  for (const folder of [...folders, cached]) {
    const path = join(folder, "minisign");
    if (await isExecutable(path)) return path;
  }
  await mkdir(servers, { recursive: true });
  const scratch = await mkdtemp(join(servers, ".build-"));
  try {
    const options = { GOBIN: scratch, CGO_ENABLED: "0", GOFLAGS: "-trimpath -buildvcs=false -modcacherw" };
    await run("go", ["install", source], { env: { ...process.env, ...options } });
    await mkdir(cached, { recursive: true });
    await rename(join(scratch, "minisign"), join(cached, "minisign"));
  } catch (error) {
    const { code, stderr = "" } = error as { code?: string | number; stderr?: string };
    const why = code === "ENOENT" ? "there is no Go to build it with" : stderr.trim().split("\n").at(-1);
    throw new Error(`There is no minisign (${why}): install it.`, { cause: error });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return join(cached, "minisign");
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
