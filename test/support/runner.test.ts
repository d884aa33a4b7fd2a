import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { waitFor } from "./index.js";

const runner = (name: string) => JSON.stringify(pathToFileURL(resolve("test", "run", name)).href);

/** What a script of the runner's own kind prints. */
async function printed(script: string, signal?: NodeJS.Signals): Promise<{ text: string; code: number | null }> {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    env: { PATH: process.env["PATH"] },
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (more: Buffer) => (text += more.toString()));
  const ended = new Promise<number | null>((end) => child.once("close", (code) => end(code)));
  if (signal !== undefined) {
    await waitFor(() => text.includes("\n"), { what: "the script to run" });
    child.kill(signal);
  }
  return { code: await ended, text };
}

test("what is asked for is a depth, steps, or folders and files by project", async () => {
  const words = [
    [],
    ["--all"],
    ["--long", "--only=lint,unit"],
    ["services/wallet/", "test/e2e/edge.test.ts"],
    ["--all", join(resolve(), "gateway")],
    ["services/walet"],
    ["--only=lint,units"],
    ["--fast"],
  ];
  const { text } = await printed(`
    import { argumentsOf } from ${runner("arguments.mjs")};
    for (const words of ${JSON.stringify(words)}) {
      try {
        const { depth, steps, paths } = argumentsOf(words, ["generate", "lint", "build", "unit", "e2e"], ${JSON.stringify(resolve())});
        console.log(depth, steps?.join("+") ?? "all", JSON.stringify(paths));
      } catch (error) {
        console.log(error.message);
      }
    }`);
  expect(text.trim().split("\n")).toEqual([
    "quick all {}",
    "ci all {}",
    "long lint+unit {}",
    'quick generate+build+unit+e2e {"unit":["services/wallet"],"e2e":["test/e2e/edge.test.ts"]}',
    'ci generate+unit {"unit":["gateway"]}',
    "There is no services/walet whose tests could be run.",
    "--only knows generate, lint, build, unit, e2e, not units.",
    "npm test knows --all, --long, --only=STEP,…, --servers and --keep-times, not --fast.",
  ]);
});

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)("a run that is ended by %s leaves neither processes nor folders", async (signal, status) => {
  const { code, text } = await printed(
    `
    import { spawn } from "node:child_process";
    import { endWithSignals, temporaryFolders } from ${runner("leftovers.mjs")};
    const folders = Object.values(temporaryFolders());
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    endWithSignals(new Set([child]));
    console.log(JSON.stringify({ folders, pid: child.pid }));`,
    signal,
  );
  const { folders, pid } = JSON.parse(text.split("\n")[0]!) as { folders: string[]; pid: number };
  expect(code).toBe(status);
  expect(folders.filter((folder) => existsSync(folder))).toEqual([]);
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});

test("whoever is killed outright is cleaned up after by the next run", async () => {
  const script = `
    import { temporaryFolders } from ${runner("leftovers.mjs")};
    console.log(JSON.stringify(Object.values(temporaryFolders())));`;
  const killed = await printed(`${script} process.kill(process.pid, "SIGKILL");`);
  const left = JSON.parse(killed.text) as string[];
  expect(left.every((folder) => existsSync(folder))).toBe(true);
  await printed(script);
  expect(left.filter((folder) => existsSync(folder))).toEqual([]);
});

test("times are kept of files that exist, and every step has a budget", () => {
  const { budgets, files } = JSON.parse(readFileSync(resolve("test", "run", "times.json"), "utf8")) as {
    budgets: Record<string, Record<string, number>>;
    files: Record<string, number>;
  };
  expect(Object.keys(files).filter((path) => !existsSync(resolve(path)))).toEqual([]);
  const minutes = Object.entries(budgets).map(([depth, steps]) => [
    depth,
    Object.values(steps).reduce((sum, seconds) => sum + seconds) / 60,
  ]);
  expect(minutes).toEqual([
    ["quick", 8],
    ["ci", 35],
  ]);
});
