import { randomBytes } from "node:crypto";
import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFileKeys, createLocalKey, loadMasterKeys } from "./file-keys.js";
import { MasterKeyError } from "./key-wrapper.js";

const secret = Buffer.from("a secret");
const context = (keyId: string) => ({ service: "identity", purpose: "personal-data", keyId });
const newKey = () => randomBytes(32).toString("base64");

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "master-key-"));
  file = join(folder, "master.key");
});
afterEach(() => rm(folder, { recursive: true }));

test("what was wrapped opens under the same master key and context, and differs each time", async () => {
  const keys = createLocalKey(randomBytes(32));
  const one = await keys.wrap(secret, context("1"));
  const two = await keys.wrap(secret, context("1"));
  expect(one.sealed).not.toBe(two.sealed);
  for (const wrapped of [one, two]) expect(Buffer.from(await keys.unwrap(wrapped, context("1")))).toEqual(secret);
  expect(JSON.stringify(one)).not.toContain(secret.toString("base64").slice(0, 6));
});

test("another master key, another context, and any changed bit are refused with a reason", async () => {
  const keys = createLocalKey(randomBytes(32));
  const wrapped = await keys.wrap(secret, context("1"));
  await expect(createLocalKey(randomBytes(32)).unwrap(wrapped, context("1"))).rejects.toThrow(
    /was stored under the master key/,
  );
  await expect(keys.unwrap(wrapped, context("2"))).rejects.toThrow(/key 2 was changed/);
  const bytes = Buffer.from(wrapped.sealed, "base64");
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3]! ^= 1 << (bit & 7);
    await expect(keys.unwrap({ ...wrapped, sealed: changed.toString("base64") }, context("1"))).rejects.toThrow(
      MasterKeyError,
    );
  }
  await expect(keys.unwrap({ ...wrapped, sealed: "" }, context("1"))).rejects.toThrow(MasterKeyError);
});

test("the last line wraps, every line opens, and a line that is added needs no restart", async () => {
  await writeFile(file, newKey());
  const keys = createFileKeys(file);
  const old = await keys.wrap(secret, context("1"));
  expect(old.masterKeyId).toBe(await keys.newest());

  await appendFile(file, `\n${newKey()}\n`);
  const anew = await keys.rewrap(old, context("1"));
  expect(anew.masterKeyId).toBe(await keys.newest());
  expect(anew.masterKeyId).not.toBe(old.masterKeyId);
  for (const wrapped of [old, anew]) expect(Buffer.from(await keys.unwrap(wrapped, context("1")))).toEqual(secret);
});

test("a master key file that is missing or wrong is named, and what it holds is not", async () => {
  await expect(loadMasterKeys(file)).rejects.toThrow(`MASTER_KEY_FILE ${file} cannot be read: ENOENT`);
  await writeFile(file, "");
  await expect(loadMasterKeys(file)).rejects.toThrow(`MASTER_KEY_FILE ${file} must hold 32 bytes as base64`);
  await writeFile(file, `${newKey()}\nc2hvcnQgc2VjcmV0`);
  await expect(loadMasterKeys(file)).rejects.toThrow(`line 2 of MASTER_KEY_FILE ${file} must hold 32 bytes as base64`);
});
