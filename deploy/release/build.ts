import { chmod, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Progress } from "../local/progress.js";
import { buildImage, installPackages, packChart, withSource, writeBill, type Source } from "./artifacts.js";
import type { Git } from "./git.js";
import { ReleaseError } from "./release-error.js";
import { checkSums, writeSums } from "./sums.js";
import { tagOf } from "./version.js";

export interface BuildOptions {
  git: Git;
  version: string;
  /**
   * False leaves image and bill of materials out, as for a pipeline
   * that builds the image by itself.
   */
  withImage: boolean;
  progress: Progress;
}

export interface Built {
  folder: string;
  commit: string;
}

/**
 * Builds a tagged version into release/<version>, which appears whole or not at all. What is there
 * already is checked and kept. Throws a ReleaseError where it is not what the tag and the sums say.
 */
export async function buildRelease({ git, version, withImage, progress }: BuildOptions): Promise<Built> {
  const tag = tagOf(version);
  const commit = await git.commitOf(`refs/tags/${tag}`);
  if (commit === undefined) throw new ReleaseError(`there is no tag ${tag}`);
  const folder = join(git.root, "release", version);
  const isBuilt = await stat(folder).then(
    () => true,
    () => false,
  );
  if (isBuilt) await progress.step("sums checked", () => checkBuilt(folder, commit, withImage));
  else await buildInto(folder, { git, version, withImage, progress }, commit);
  return { folder, commit };
}

async function checkBuilt(folder: string, commit: string, withImage: boolean): Promise<void> {
  await checkSums(folder);
  const about = JSON.parse(await readFile(join(folder, "release.json"), "utf8")) as { commit: string; image?: unknown };
  if (about.commit !== commit) {
    throw new ReleaseError(`${folder} was built from ${about.commit}, the tag is ${commit}: remove the folder`);
  }
  if (withImage && about.image === undefined) {
    throw new ReleaseError(`${folder} was built without the image: remove the folder, or leave the image out again`);
  }
}

async function buildInto(folder: string, options: BuildOptions, commit: string): Promise<void> {
  const { git, version, progress } = options;
  const time = await git.timeOf(commit);
  await mkdir(join(git.root, "release"), { recursive: true });
  const unfinished = await mkdtemp(join(git.root, "release", ".unfinished-"));
  try {
    await withSource(git.root, tagOf(version), (source) =>
      buildAll({ folder: source, version, time }, unfinished, options, commit),
    );
    await progress.step("sums written", () => writeSums(unfinished));
    // A scratch folder is its owner's alone; a release is for everybody.
    await chmod(unfinished, 0o755);
    await rename(unfinished, folder);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function buildAll(source: Source, out: string, { withImage, progress }: BuildOptions, commit: string) {
  const { version, time } = source;
  const { version: written } = JSON.parse(await readFile(join(source.folder, "package.json"), "utf8")) as {
    version: string;
  };
  if (written !== version) throw new ReleaseError(`package.json of ${tagOf(version)} says ${written}`);
  const chart = await progress.step("chart packed", () => packChart(source, out));
  let image: { file: string; digest: string | undefined } | undefined;
  if (withImage) {
    await progress.step("packages installed", () => installPackages(source));
    await progress.step("bill of materials written", () => writeBill(source, out));
    image = await progress.step("image built", () => buildImage(source, out));
  }
  const about = { name: "manilla", version, commit, committedAt: new Date(time * 1000).toISOString(), chart, image };
  await writeFile(join(out, "release.json"), `${JSON.stringify(about, null, 2)}\n`);
}
