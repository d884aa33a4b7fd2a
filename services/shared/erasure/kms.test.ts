import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLocalKms, loadMasterKey, MasterKeyError } from "./kms.js";

const secret = Buffer.from("a secret");

test("what was wrapped opens under the same master key and context, and differs each time", async () => {
  const kms = createLocalKms(randomBytes(32));
  const one = await kms.wrap(secret, "key 1");
  const two = await kms.wrap(secret, "key 1");
  expect(one.sealed).not.toBe(two.sealed);
  for (const wrapped of [one, two]) expect(Buffer.from(await kms.unwrap(wrapped, "key 1"))).toEqual(secret);
  expect(JSON.stringify(one)).not.toContain(secret.toString("base64").slice(0, 6));
});

test("another master key, another context, and any changed bit are refused with a reason", async () => {
  const kms = createLocalKms(randomBytes(32));
  const wrapped = await kms.wrap(secret, "key 1");
  await expect(createLocalKms(randomBytes(32)).unwrap(wrapped, "key 1")).rejects.toThrow(
    /was stored under the master key/,
  );
  await expect(kms.unwrap(wrapped, "key 2")).rejects.toThrow(/key 2 was changed/);
  const bytes = Buffer.from(wrapped.sealed, "base64");
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3]! ^= 1 << (bit & 7);
    await expect(kms.unwrap({ ...wrapped, sealed: changed.toString("base64") }, "key 1")).rejects.toThrow(
      MasterKeyError,
    );
  }
  await expect(kms.unwrap({ ...wrapped, sealed: "" }, "key 1")).rejects.toThrow(MasterKeyError);
});

test("a master key file that is missing or wrong is named, and what it holds is not", async () => {
  const folder = await mkdtemp(join(tmpdir(), "kms-"));
  const file = join(folder, "master.key");
  await expect(loadMasterKey(file)).rejects.toThrow(`MASTER_KEY_FILE ${file} cannot be read: ENOENT`);
  await writeFile(file, "c2hvcnQgc2VjcmV0");
  await expect(loadMasterKey(file)).rejects.toThrow(`MASTER_KEY_FILE ${file} must hold 32 bytes as base64`);
  const key = randomBytes(32);
  await writeFile(file, `${key.toString("base64")}\n`);
  expect(Buffer.from(await loadMasterKey(file))).toEqual(key);
  await rm(folder, { recursive: true });
});
