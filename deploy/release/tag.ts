import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hasSection, sectionOf, withSection } from "./changelog.js";
import type { Git } from "./git.js";
import { ReleaseError } from "./release-error.js";
import { compareVersions, parseVersion, tagOf } from "./version.js";
import { versionPlaces } from "./version-places.js";

const changelogPath = "CHANGELOG.md";

/**
 * Makes the commit and the annotated tag of a version, where they are not there yet. Cut off
 * anywhere, it goes on when it is called again. Throws a ReleaseError and changes nothing where the
 * work tree has other changes, the version is not newer, or HEAD is on no branch.
 */
export async function tagVersion(git: Git, version: string): Promise<"made" | "was there"> {
  parseVersion(version);
  const tag = tagOf(version);
  if ((await git.commitOf(`refs/tags/${tag}`)) !== undefined) return "was there";
  if ((await git.branch()) === undefined) throw new ReleaseError("HEAD is on no branch: switch to one");
  if (await git.isShallow()) throw new ReleaseError("the history is cut off: git fetch --unshallow --tags");
  const subject = `Release ${version}`;
  const isCommitted = (await git.subjectOf("HEAD")) === subject;
  const files = isCommitted ? new Map<string, string>() : await filesOf(git, version);
  await refuseOtherChanges(git, files);
  if (!isCommitted) {
    for (const [path, text] of files) await writeWhole(git.root, path, text);
    await git.run("add", "--", ...files.keys());
    await git.run("commit", "--quiet", "--message", subject);
  }
  await git.run("tag", "--annotate", "--message", `Manilla ${version}`, tag);
  return "made";
}

/** What the release writes: a function of HEAD alone, so that a second run plans the same. */
async function filesOf(git: Git, version: string): Promise<Map<string, string>> {
  const last = await git.lastTag();
  const { version: written } = JSON.parse(await mustRead(git, "package.json")) as { version: string };
  const before = last?.slice(1) ?? written;
  const difference = compareVersions(version, before);
  // The first release may have the version that the files have had until then.
  if (difference < 0 || (difference === 0 && last !== undefined)) {
    throw new ReleaseError(`version ${version} is not newer than ${before}, the last release before HEAD`);
  }
  const changelog = await git.fileAt("HEAD", changelogPath);
  if (hasSection(changelog, version)) {
    throw new ReleaseError(`${changelogPath} has a section of ${version}, yet there is no tag ${tagOf(version)}`);
  }
  const commits = last === undefined ? [] : await git.commitsSince(last);
  if (last !== undefined && commits.length === 0) throw new ReleaseError(`nothing has changed since ${last}`);
  const day = new Date((await git.timeOf("HEAD")) * 1000).toISOString().slice(0, 10);
  const files = new Map([[changelogPath, withSection(changelog, sectionOf(version, day, commits))]]);
  for (const [path, setVersion] of Object.entries(versionPlaces)) {
    files.set(path, setVersion(await mustRead(git, path), version));
  }
  return files;
}

async function mustRead(git: Git, path: string): Promise<string> {
  const text = await git.fileAt("HEAD", path);
  if (text === undefined) throw new ReleaseError(`HEAD has no ${path}`);
  return text;
}

/** A file that a cut-off run has written already is no change of somebody else's. */
async function refuseOtherChanges(git: Git, files: ReadonlyMap<string, string>): Promise<void> {
  const others: string[] = [];
  for (const path of await git.changedPaths()) {
    const text = await readFile(join(git.root, path), "utf8").catch(() => undefined);
    if (text === undefined || text !== files.get(path)) others.push(path);
  }
  if (others.length === 0) return;
  const more = others.length > 3 ? ` and ${others.length - 3} more` : "";
  throw new ReleaseError(`not committed: ${others.slice(0, 3).join(", ")}${more}`);
}

/** By way of another file, so that a crash leaves either the old text or the new. */
async function writeWhole(root: string, path: string, text: string): Promise<void> {
  await mkdir(join(root, ".cache"), { recursive: true });
  const scratch = await mkdtemp(join(root, ".cache", "release-"));
  try {
    await writeFile(join(scratch, "text"), text);
    await rename(join(scratch, "text"), join(root, path));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
