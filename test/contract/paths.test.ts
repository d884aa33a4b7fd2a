import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

const root = join(__dirname, "../..");
const tracked = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n").filter(Boolean);
const names = new Set(tracked.map((path) => basename(path)));
const folders = new Set(tracked.flatMap((path) => foldersOf(path)));
const services = [...folders].filter((folder) => /^services\/[^/]+$/.test(folder));

/** What a document may name a file from: the root, services/, or a service's folder. */
const bases = ["", "services", ...services];
const documents = tracked.filter((path) => /^(README|CONTRIBUTING|docs\/.*)\.md$/.test(path));

function foldersOf(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

/** Paths of our own sources in a text: backticked ones, and others by their extension. */
function pathsIn(text: string): string[] {
  const quoted = [...text.matchAll(/`([\w.@-]+(?:\/[\w.@-]+)*\/?)`/g)].map(([, path]) => path!);
  const plain = [
    ...text.matchAll(/(?<![\w/.-])((?:services|gateway|deploy|test|console)\/[\w./-]*\w\.(?:tsx?|mjs|cjs))/g),
  ];
  const isSource = (path: string) =>
    /\.(tsx?|mjs|cjs)$/.test(path) || /^(services|gateway|deploy|test|docs|console|charts)\//.test(path);
  return [...new Set([...quoted.filter(isSource), ...plain.map(([, path]) => path!)])];
}

function isThere(path: string): boolean {
  const clean = path.replace(/\/$/, "");
  if (!path.includes("/")) return names.has(clean);
  return bases.some((base) => existsSync(join(root, base, clean)));
}

test("every source file that a document names is there", () => {
  const missing = documents.flatMap((document) =>
    pathsIn(readFileSync(join(root, document), "utf8"))
      .filter((path) => !isThere(path))
      .map((path) => `${document}: ${path}`),
  );
  expect(missing).toEqual([]);
});

test("a path that is not there is found", () => {
  const text =
    "See `services/wallet/gone.ts`, `mongo/as-one.ts` and test/bench/gone.mjs, but `POST /pay` and `a.b` are none.";
  expect(pathsIn(text)).toEqual(["services/wallet/gone.ts", "mongo/as-one.ts", "test/bench/gone.mjs"]);
  expect(pathsIn(text).some(isThere)).toBe(false);
});
