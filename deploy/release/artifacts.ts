import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { outputOf } from "./command.js";

const architectures: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };

/** A tag checked out in a folder of its own: nothing of the work tree gets into a release. */
export interface Source {
  folder: string;
  version: string;
  /** Seconds since 1970 at which its commit was made. */
  time: number;
}

/** Has `work` done with a clone of `root` at `tag`, which is removed afterwards. */
export async function withSource<T>(root: string, tag: string, work: (folder: string) => Promise<T>): Promise<T> {
  const scratch = await mkdtemp(join(tmpdir(), "manilla-release-"));
  try {
    const folder = join(scratch, "source");
    await outputOf("git", ["clone", "--quiet", "--shared", "--no-checkout", root, folder]);
    // Files as they were committed, whatever the person's settings say of line ends and hooks.
    const plain = ["-c", "core.autocrlf=false", "-c", "core.hooksPath=/dev/null", "-c", "advice.detachedHead=false"];
    await outputOf("git", [...plain, "checkout", "--quiet", "--detach", `refs/tags/${tag}`], { cwd: folder });
    return await work(folder);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

export function installPackages({ folder }: Source): Promise<string> {
  return outputOf("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: folder });
}

/** Writes the image's archive into `out`. Returns its file name and its digest in a registry. */
export async function buildImage({ folder, version }: Source, out: string) {
  const file = `manilla-${version}-linux-${architectures[process.arch] ?? process.arch}.tar`;
  const archive = join(out, file);
  const script = join("deploy", "image", "archive.mjs");
  await runNode(folder, [script, "--name", `manilla:${version}`, "--out", archive]);
  const index = JSON.parse(await outputOf("tar", ["-xOf", archive, "./index.json"])) as {
    manifests: { digest: string }[];
  };
  return { file, digest: index.manifests[0]?.digest };
}

/** Writes what the image holds as CycloneDX. */
export async function writeBill({ folder, version }: Source, out: string): Promise<void> {
  await writeFile(
    join(out, `manilla-${version}.cdx.json`),
    await runNode(folder, [join("deploy", "image", "sbom.mjs")]),
  );
}

/** Packs the chart in the layout of `helm package`; the same commit gives the same bytes. */
export async function packChart({ folder, version, time }: Source, out: string): Promise<string> {
  const file = `manilla-${version}.tgz`;
  const listed = await outputOf("git", ["ls-files", "-z", "manilla"], { cwd: join(folder, "charts") });
  const names = listed.split("\0").filter(Boolean).toSorted();
  const packed = join(folder, "chart.tar");
  const same = ["--format=ustar", `--mtime=@${time}`, "--owner=0", "--group=0", "--numeric-owner", "--mode=u=rw,go=r"];
  await outputOf("tar", [...same, "-C", join(folder, "charts"), "-cf", packed, "--", ...names]);
  await writeFile(join(out, file), await promisify(gzip)(await readFile(packed), { level: 9 }));
  return file;
}

/** Runs a script of the source with the Node that its package-lock.json pins. */
function runNode(folder: string, args: readonly string[]): Promise<string> {
  return outputOf(join(folder, "node_modules", ".bin", "node"), args, { cwd: folder });
}
