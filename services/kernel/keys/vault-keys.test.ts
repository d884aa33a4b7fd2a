import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startVaultTransit, type KeyServer } from "../../../test/support/key-servers.js";
import { createLocalKey } from "./file-keys.js";
import { joinKeys } from "./joined-keys.js";
import { MasterKeyError, type KeyWrapper } from "./key-wrapper.js";
import { createVaultKeys, type VaultLogin } from "./vault-keys.js";

// The engine is built by Go where the cache has none.
jest.setTimeout(900_000);

const token = "root-of-the-tests";
const secret = Buffer.alloc(32, 7);
const context = { service: "identity", purpose: "personal-data", keyId: "1" };
let vault: KeyServer;
let folder: string;
let tokenFile: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "vault-"));
  tokenFile = join(folder, "token");
  writeFileSync(tokenFile, `${token}\n`);
  vault = await startVaultTransit(token);
  await admin("keys/manilla", { derived: true });
  await admin("keys/plain", {});
});
afterAll(async () => {
  await vault?.stop();
  rmSync(folder, { recursive: true });
});

async function admin(path: string, body: unknown): Promise<void> {
  const headers = { "X-Vault-Token": token };
  const response = await fetch(`${vault.url}/v1/transit/${path}`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
}

const keysOf = (options: { key?: string; login?: VaultLogin; address?: string; timeoutMs?: number } = {}): KeyWrapper =>
  createVaultKeys({ address: vault.url, mount: "transit", key: "manilla", login: { tokenFile }, ...options });

test("a secret opens in its own place only, and its master key stays in Vault", async () => {
  const keys = keysOf();
  const wrapped = await keys.wrap(secret, context);
  expect(wrapped.masterKeyId).toBe("vault:transit/manilla:v1");
  expect(Buffer.from(await keys.unwrap(wrapped, context))).toEqual(secret);
  for (const other of [{ service: "remittance" }, { purpose: "mac" }, { keyId: "2" }]) {
    const opened = keys.unwrap(wrapped, { ...context, ...other });
    await expect(opened).rejects.toThrow(MasterKeyError);
  }
  await expect(keys.unwrap({ ...wrapped, sealed: `${wrapped.sealed.slice(0, -4)}AAAA` }, context)).rejects.toThrow(
    MasterKeyError,
  );
});

test("versions are Vault's: both open until the old one is shut off there", async () => {
  const keys = keysOf();
  const old = await keys.wrap(secret, context);
  await admin("keys/manilla/rotate", {});
  expect(await keys.newest()).toBe("vault:transit/manilla:v2");
  const anew = await keys.rewrap(old, context);
  expect(anew.masterKeyId).toBe("vault:transit/manilla:v2");
  for (const wrapped of [old, anew]) expect(Buffer.from(await keys.unwrap(wrapped, context))).toEqual(secret);
  await admin("keys/manilla/config", { min_decryption_version: 2 });
  await expect(keys.unwrap(old, context)).rejects.toThrow(/too old/);
  expect(Buffer.from(await keys.unwrap(anew, context))).toEqual(secret);
});

test("keys of a file move into Vault, and back", async () => {
  const file = createLocalKey(Buffer.alloc(32, 1));
  const inFile = await file.wrap(secret, context);
  const inVault = await joinKeys(keysOf(), [file]).rewrap(inFile, context);
  expect(inVault.masterKeyId).toMatch(/^vault:/);
  const back = await joinKeys(file, [keysOf()]).rewrap(inVault, context);
  expect(back.masterKeyId).toBe(inFile.masterKeyId);
  expect(Buffer.from(await file.unwrap(back, context))).toEqual(secret);
});

test("a key that is not derived, or is not there, is refused before anything is wrapped by it", async () => {
  await expect(keysOf({ key: "plain" }).wrap(secret, context)).rejects.toThrow(/must be derived/);
  await expect(keysOf({ key: "nobody" }).wrap(secret, context)).rejects.toThrow(MasterKeyError);
});

test("a token that somebody renews in its file is read again, and a wrong one is refused", async () => {
  const file = join(folder, "renewed");
  writeFileSync(file, token);
  const keys = keysOf({ login: { tokenFile: file } });
  const wrapped = await keys.wrap(secret, context);
  writeFileSync(file, "ended");
  // The one at hand is still good.
  await keys.unwrap(wrapped, context);
  await expect(keysOf({ login: { tokenFile: file } }).newest()).rejects.toThrow(/403 permission denied/);
  await expect(keysOf({ login: { tokenFile: join(folder, "none") } }).newest()).rejects.toThrow(
    /cannot be read: ENOENT/,
  );
});

test("a login by the token of a service account is done again when Vault's own token has ended", async () => {
  const jwtFile = join(folder, "jwt");
  writeFileSync(jwtFile, "a token of the service account");
  const login = { authMount: "kubernetes", role: "manilla", jwtFile };
  const keys = keysOf({ login });
  const wrapped = await keys.wrap(secret, context);
  await fetch(`${vault.url}/v1/test/expire`, { method: "POST", headers: { "X-Vault-Token": token } });
  const opened = await Promise.all([1, 2, 3].map(() => keys.unwrap(wrapped, context)));
  for (const one of opened) expect(Buffer.from(one)).toEqual(secret);
  await expect(keysOf({ login: { ...login, role: "nobody" } }).newest()).rejects.toThrow(/the login as nobody: 400/);
});

test("a Vault that is away or hangs is UNAVAILABLE, and what was asked goes through when it is back", async () => {
  const keys = keysOf({ timeoutMs: 300 });
  const wrapped = await keys.wrap(secret, context);
  await expect(keysOf({ address: "http://127.0.0.1:1" }).newest()).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await vault.pause();
  try {
    await expect(keys.unwrap(wrapped, context)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  } finally {
    vault.goOn();
  }
  expect(Buffer.from(await keysOf().unwrap(wrapped, context))).toEqual(secret);
});
