import { execFile } from "node:child_process";
import { access, constants, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { projectRoot } from "../../deploy/local/project.js";

const run = promisify(execFile);
const version = "3.22.0";
const source = `helm.sh/helm/v3/cmd/helm@v${version}`;

/**
 * Path of helm: on PATH, else built before, else built from its Go module, which takes minutes once.
 * Throws where there is no Go either: a chart that nothing has rendered is not tested.
 */
export async function findHelm(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const folders = (env["PATH"] ?? "").split(delimiter).filter(Boolean);
  const cached = join(env["MANILLA_CACHE_DIR"] ?? join(projectRoot(), ".cache", "servers"), `helm-${version}`);
  for (const folder of [...folders, cached]) {
    const path = join(folder, "helm");
    if (await isExecutable(path)) return path;
  }
  await mkdir(join(cached, ".."), { recursive: true });
  const scratch = await mkdtemp(join(cached, "..", ".build-"));
  try {
    const options = { GOBIN: scratch, CGO_ENABLED: "0", GOFLAGS: "-trimpath -buildvcs=false -modcacherw" };
    await run("go", ["install", "-ldflags", "-s -w", source], { env: { ...env, ...options } });
    await mkdir(cached, { recursive: true });
    // Atomic: of two runs that build at once, both leave a whole binary.
    await rename(join(scratch, "helm"), join(cached, "helm"));
  } catch (error) {
    const { code, stderr = "" } = error as { code?: string | number; stderr?: string };
    const why = code === "ENOENT" ? "there is no Go to build it with" : stderr.trim().split("\n").at(-1);
    throw new Error(`There is no helm (${why}): put Helm 3.14 or newer on PATH.`, { cause: error });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return join(cached, "helm");
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
