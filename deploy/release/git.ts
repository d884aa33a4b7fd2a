import { outputOf } from "./command.js";
import type { Commit } from "./changelog.js";

export type Git = ReturnType<typeof createGit>;

/** What a release asks of the repository at `root`. */
export function createGit(root: string) {
  const git = async (...args: string[]) => (await outputOf("git", args, { cwd: root })).trimEnd();
  /** Undefined where git fails, as it does where what is asked for is not there. */
  const ask = (...args: string[]) => git(...args).catch(() => undefined);

  return {
    root,
    run: git,
    branch: () => ask("symbolic-ref", "--quiet", "--short", "HEAD"),
    isShallow: async () => (await git("rev-parse", "--is-shallow-repository")) === "true",
    commitOf: (revision: string) => ask("rev-parse", "--verify", "--quiet", `${revision}^{commit}`),
    /** The nearest release tag at or before HEAD. */
    lastTag: () => ask("describe", "--tags", "--abbrev=0", "--match", "v[0-9]*", "HEAD"),
    subjectOf: (revision: string) => git("log", "-1", "--format=%s", revision),
    /** Seconds since 1970 at which the commit was made. */
    timeOf: async (revision: string) => Number(await git("log", "-1", "--format=%ct", revision)),
    fileAt: async (revision: string, path: string) => {
      const listed = await git("ls-tree", "--name-only", revision, "--", path);
      return listed === "" ? undefined : outputOf("git", ["show", `${revision}:${path}`], { cwd: root });
    },
    /** Paths that differ from HEAD, and those that git does not know and does not ignore. */
    changedPaths: async () => {
      const known = await git("diff", "--name-only", "-z", "--no-renames", "HEAD");
      const unknown = await git("ls-files", "--others", "--exclude-standard", "-z");
      return [known, unknown].flatMap((list) => list.split("\0").filter(Boolean));
    },
    /** Commits after `tag` up to HEAD, newest first, without merges. */
    commitsSince: async (tag: string): Promise<Commit[]> => {
      const log = await git("log", "--no-merges", "--name-only", "--format=%x1e%s", `${tag}..HEAD`);
      return log
        .split("\u{1e}")
        .slice(1)
        .map((record) => {
          const [subject = "", ...paths] = record.split("\n").filter(Boolean);
          return { subject, paths };
        });
    },
  };
}
