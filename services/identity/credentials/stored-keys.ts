import { createPrivateKey, generateKeyPairSync, randomBytes, type KeyObject } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { calculateJwkThumbprint } from "jose";
import type { Clock } from "../../kernel/time/clock.js";
import { MasterKeyError, type KeyContext, type KeyWrapper } from "../../kernel/keys/key-wrapper.js";
import { keyPurposes, type KeyPurpose, type KeyRecord } from "../domain/key-rotation.js";

export interface KeyStore {
  listKeys(): Promise<KeyRecord[]>;
  /** False where another replica has put a current key of this purpose first. */
  insertCurrentKey(key: KeyRecord): Promise<boolean>;
  /** Puts a key in the place of the current one; false where another has been put there. */
  replaceCurrentKey(change: { from: string; key: KeyRecord }): Promise<boolean>;
  deleteKeys(keyIds: readonly string[]): Promise<void>;
}

export interface OpenKey {
  stored: KeyRecord;
  secret: Uint8Array;
  signing?: KeyObject;
}

/** The stored keys, with a first one made of each purpose that has none. */
export async function readKeys(store: KeyStore, wrapper: KeyWrapper, clock: Clock): Promise<KeyRecord[]> {
  for (let attempt = 1; attempt <= 50; attempt++) {
    const stored = await store.listKeys();
    const missing = keyPurposes.filter((purpose) => !stored.some((key) => isCurrent(key) && key.purpose === purpose));
    if (missing.length === 0) return stored;
    for (const purpose of missing) {
      const now = clock.now();
      const inserted = await store.insertCurrentKey(await makeKey(purpose, wrapper, now, now));
      // Another replica's key of this moment becomes readable once a majority has it.
      if (!inserted) await sleep(100);
    }
  }
  throw new Error("the keys of identity cannot be read back from MongoDB");
}

export const isCurrent = (key: KeyRecord) => key.state === "CURRENT";

/** A new key, wrapped by the master key. */
export async function makeKey(
  purpose: KeyPurpose,
  wrapper: KeyWrapper,
  createdAt: Date,
  activeFrom: Date,
): Promise<KeyRecord> {
  const about = { purpose, state: "CURRENT" as const, createdAt, activeFrom };
  if (purpose !== "access-token") {
    const keyId = randomBytes(4).toString("hex");
    return { ...about, keyId, secret: await wrapper.wrap(randomBytes(32), contextOf(purpose, keyId)) };
  }
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const { kty, crv, x } = publicKey.export({ format: "jwk" });
  const publicJwk = { kty: kty!, crv: crv!, x: x! };
  const keyId = await calculateJwkThumbprint(publicJwk);
  const pkcs8 = privateKey.export({ format: "der", type: "pkcs8" });
  return { ...about, keyId, secret: await wrapper.wrap(pkcs8, contextOf(purpose, keyId)), publicJwk };
}

/** The key unwrapped. Throws MasterKeyError where the master key is another. */
export async function openKey(stored: KeyRecord, wrapper: KeyWrapper): Promise<OpenKey> {
  const secret = await unwrapKey(stored, wrapper);
  if (stored.purpose !== "access-token") return { stored, secret };
  return { stored, secret, signing: createPrivateKey({ key: Buffer.from(secret), format: "der", type: "pkcs8" }) };
}

async function unwrapKey(stored: KeyRecord, wrapper: KeyWrapper): Promise<Uint8Array> {
  try {
    return await wrapper.unwrap(stored.secret, contextOf(stored.purpose, stored.keyId));
  } catch (error) {
    if (!(error instanceof MasterKeyError)) throw error;
    throw new MasterKeyError(`the master key does not open the keys of this database: ${error.message}`, {
      cause: error,
    });
  }
}

function contextOf(purpose: KeyPurpose, keyId: string): KeyContext {
  return { service: "identity", purpose, keyId };
}
