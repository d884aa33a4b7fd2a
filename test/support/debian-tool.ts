import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";

/**
 * A folder with Debian's packages unpacked, without root: .cache/servers/NAME, made when it is
 * first asked for; undefined on another system, or without network.
 */
export function unpackedDebian(name: string, packages: readonly string[]): string | undefined {
  const cache = process.env["MANILLA_CACHE_DIR"] ?? resolve(".cache", "servers");
  const folder = join(cache, name);
  if (existsSync(folder)) return folder;
  const scratch = `${folder}-${process.pid}`;
  mkdirSync(scratch, { recursive: true });
  try {
    download(scratch, packages);
    for (const file of readdirSync(scratch).filter((each) => each.endsWith(".deb"))) {
      execFileSync("dpkg", ["-x", file, "."], { cwd: scratch, stdio: "ignore" });
    }
    renameSync(scratch, folder);
    return folder;
  } catch {
    return existsSync(folder) ? folder : undefined;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** By the system's own lists of packages, else by fresh ones that it does not keep. */
function download(scratch: string, packages: readonly string[]): void {
  const options = { cwd: scratch, stdio: "ignore", timeout: 180_000 } as const;
  try {
    execFileSync("apt-get", ["download", ...packages], options);
  } catch {
    const [lists, cache] = [join(scratch, "lists"), join(scratch, "cache")];
    for (const folder of [lists, join(cache, "archives")]) mkdirSync(join(folder, "partial"), { recursive: true });
    const own = ["-o", `Dir::State::Lists=${lists}`, "-o", `Dir::Cache=${cache}`];
    execFileSync("apt-get", [...own, "update"], options);
    execFileSync("apt-get", [...own, "download", ...packages], options);
  }
}

/** The environment in which programs of such a folder find what they are linked with. */
export function withLibrariesOf(folder: string): NodeJS.ProcessEnv {
  return { ...process.env, LD_LIBRARY_PATH: join(folder, "usr", "lib", "x86_64-linux-gnu") };
}
