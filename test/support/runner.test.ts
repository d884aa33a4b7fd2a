import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { waitFor } from "./index.js";
import { onPath } from "./outside-tools.js";

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
    ["quick", 7.5],
    ["ci", 30],
  ]);
});

test("parts of a project have every file once, and take about as long", async () => {
  const { text } = await printed(`
    import LongestFirst, { secondsOf } from ${runner("order.mjs")};
    import { readTimes } from ${runner("times.mjs")};
    const paths = Object.keys(readTimes().files).filter((path) => path.startsWith("test/e2e/"));
    const tests = paths.map((path) => ({ path: ${JSON.stringify(resolve())} + "/" + path }));
    const parts = [1, 2].map((shardIndex) => new LongestFirst({ contexts: [] }).shard(tests, { shardIndex, shardCount: 2 }));
    const seconds = parts.map((part) => part.reduce((sum, { path }) => sum + secondsOf(path), 0));
    console.log(JSON.stringify({ all: tests.length, parts: parts.map((part) => part.map(({ path }) => path)), seconds }));`);
  const { all, parts, seconds } = JSON.parse(text) as { all: number; parts: string[][]; seconds: [number, number] };
  expect(new Set(parts.flat()).size).toBe(all);
  expect(parts.flat()).toHaveLength(all);
  expect(Math.abs(seconds[0] - seconds[1])).toBeLessThan(20);
});

describe("what changed for callers since the last release", () => {
  const answer = { 200: { description: "Done" } };
  const operation = (id: string) => ({ get: { operationId: id, responses: answer } });
  const api = (...names: string[]) =>
    JSON.stringify({
      openapi: "3.1.0",
      info: { title: "API", version: "1" },
      paths: Object.fromEntries(names.map((name) => [`/${name}`, operation(name)])),
    });
  const proto = (...fields: string[]) =>
    [`syntax = "proto3";`, "package a.v1;", "message Paid {", ...fields, "}", ""].join("\n");
  const released = {
    "docs/openapi.json": api("rates", "quotes"),
    "docs/payout-connector.openapi.json": api("payouts"),
    "docs/operations/breaking-changes.md": "Since the last release: none.\n",
    "buf.yaml": "version: v2\nmodules:\n  - path: proto\nbreaking:\n  use: [WIRE_JSON]\n",
    "proto/a/v1/a.proto": proto("int64 minor = 1;", "string currency = 2;"),
  };
  let dir: string;

  beforeEach(() => void (dir = mkdtempSync(join(tmpdir(), "compatible-"))));
  afterEach(() => rmSync(dir, { recursive: true }));

  /** What the step says of a release and one commit after it. */
  function compared(changed: Partial<typeof released>, env: NodeJS.ProcessEnv = {}) {
    const git = (...words: string[]) => execFileSync("git", words, { cwd: dir });
    const commit = (files: Partial<typeof released>) => {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(dir, path)), { recursive: true });
        writeFileSync(join(dir, path), text);
      }
      git("add", ".");
      git("-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-qm", "Change");
    };
    git("init", "-q");
    commit(released);
    git("tag", "v1.0.0");
    commit(changed);
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ["--import", resolve("test/bench/edge/hooks.mjs"), resolve("test/run/compatible.mjs")],
      { cwd: dir, encoding: "utf8", env: { ...process.env, MANILLA_CACHE_DIR: resolve(".cache/servers"), ...env } },
    );
    return { status, text: `${stdout}${stderr}` };
  }

  test("an addition passes, and is said", () => {
    const { status, text } = compared({
      "docs/openapi.json": api("rates", "quotes", "payments"),
      "proto/a/v1/a.proto": proto("int64 minor = 1;", "string currency = 2;", "string rate = 3;"),
    });
    expect(text).toContain("docs/openapi.json since v1.0.0:\n");
    expect(text).toContain("GET /payments");
    expect(text).not.toContain("breaks callers:");
    expect(status).toBe(0);
  });

  test("what breaks a caller of either document fails by its name, and passes once it is meant", () => {
    const changed = { "docs/openapi.json": api("rates"), "docs/payout-connector.openapi.json": api("refunds") };
    const { status, text } = compared(changed);
    expect(text).toMatch(/docs\/openapi\.json: this breaks callers:\n.*\n.*GET \/quotes API path removed/);
    expect(text).toMatch(/docs\/payout-connector\.openapi\.json: this breaks callers:\n.*\n.*GET \/payouts API path/);
    expect(text).toContain("Callers of v1.0.0 must go on working");
    expect(status).toBe(1);

    rmSync(dir, { recursive: true });
    mkdirSync(dir);
    const named = ["quotes", "payouts"].map((name) => `GET /${name} API path removed without deprecation\n`).join("");
    expect(compared({ ...changed, "docs/operations/breaking-changes.md": named }).status).toBe(0);
  });

  test("what breaks a caller by gRPC fails by its name", () => {
    const { status, text } = compared({ "proto/a/v1/a.proto": proto("int64 minor = 1;") });
    expect(text).toMatch(/proto: this breaks callers since v1\.0\.0:\n.*"2" with name "currency" on message "Paid"/);
    expect(status).toBe(1);
  });

  test("without its tool it fails, and says which one is to be had and how", () => {
    const bin = join(dir, "bin");
    mkdirSync(bin);
    symlinkSync(onPath("git")!, join(bin, "git"));
    const { status, text } = compared({ "docs/openapi.json": api("rates") }, { PATH: bin, MANILLA_CACHE_DIR: bin });
    const how = "put oasdiff 1.37 or newer on PATH";
    expect(text).toBe(`There is no oasdiff (there is no Go to build it with): ${how}.\n`);
    expect(status).toBe(1);
  });
});
