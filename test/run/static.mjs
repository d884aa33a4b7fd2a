// What of the code the checks that only read have to read.
import { spawnSync } from "node:child_process";
import { keepStamp, readStamp, root } from "../../deploy/steps.mjs";

const stamp = "static-green";

function git(...args) {
  const { status, stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  return status === 0 ? stdout.trim() : undefined;
}

/**
 * Settings of the checks, and what all code is checked against: where
 * one changes, everything is read.
 */
const isForAll = (path) =>
  /^(package(-lock)?\.json|tsconfig.*\.json|\.oxlintrc.*|\.prettier.*|proto\/.*|.*\/tsconfig.*\.json)$/.test(path);

/**
 * The files that changed since all of these checks passed last, on this machine; undefined where
 * everything must be read: at any depth but quick, where there was no such run, and where what they
 * are all checked against has changed.
 */
export function changedFiles(depth) {
  if (depth !== "quick") return undefined;
  const green = readStamp(stamp);
  if (green === "" || git("cat-file", "-e", `${green}^{commit}`) === undefined) return undefined;
  const lists = [
    git("diff", "--name-only", "--diff-filter=d", green),
    git("ls-files", "--others", "--exclude-standard"),
  ];
  if (lists.includes(undefined)) return undefined;
  const files = lists.flatMap((list) => list.split("\n")).filter((path) => path !== "");
  return files.some(isForAll) ? undefined : files;
}

/** Remembers the commit that they all passed at. What was not committed is read again next time. */
export function keepGreen() {
  const head = git("rev-parse", "HEAD");
  if (head !== undefined) keepStamp(stamp, head);
}
