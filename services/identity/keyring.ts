import { createPrivateKey, generateKeyPairSync, randomBytes, type KeyObject } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { calculateJwkThumbprint, type JSONWebKeySet, type JWK } from "jose";
import type { Clock } from "../shared/clock.js";
import { MasterKeyError, type Kms } from "./kms.js";
import type { KeyPurpose, StoredKey } from "./store/documents.js";

interface KeyStore {
  listKeys(): Promise<StoredKey[]>;
  /** False where another replica has put a current key of this purpose first. */
  insertCurrentKey(key: StoredKey): Promise<boolean>;
}

export interface Keyring {
  /** Signs access tokens made now. */
  accessKey(): { keyId: string; key: KeyObject };
  /** The key that signed earlier, or undefined when it is gone. */
  accessKeyOf(keyId: string): KeyObject | undefined;
  /** Makes the refresh tokens of families that begin now. */
  refreshKey(): { keyId: string; key: Uint8Array };
  refreshKeyOf(keyId: string): Uint8Array | undefined;
  /** Public keys of every access key that is kept, current and previous. */
  jwks(): JSONWebKeySet;
}

const purposes = ["access-token", "refresh-token"] as const;

/** Opens the stored keys, making the first of each purpose. Throws MasterKeyError where the master key is not theirs. */
export async function openKeyring(deps: { store: KeyStore; kms: Kms; clock: Clock }): Promise<Keyring> {
  const { store, kms, clock } = deps;
  const storedKeys = await readKeys(store, kms, clock);
  const access = new Map<string, KeyObject>();
  const refresh = new Map<string, Uint8Array>();
  const current = new Map<KeyPurpose, string>();
  const publicKeys: JWK[] = [];
  for (const stored of storedKeys) {
    const secret = await unwrapKey(stored, kms);
    if (isCurrent(stored)) current.set(stored.purpose, stored.keyId);
    if (stored.purpose === "refresh-token") {
      refresh.set(stored.keyId, secret);
      continue;
    }
    access.set(stored.keyId, createPrivateKey({ key: Buffer.from(secret), format: "der", type: "pkcs8" }));
    publicKeys.push({ ...stored.publicJwk, kid: stored.keyId, alg: "EdDSA", use: "sig" });
  }
  const accessKeyId = current.get("access-token")!;
  const refreshKeyId = current.get("refresh-token")!;
  return {
    accessKey: () => ({ keyId: accessKeyId, key: access.get(accessKeyId)! }),
    accessKeyOf: (keyId) => access.get(keyId),
    refreshKey: () => ({ keyId: refreshKeyId, key: refresh.get(refreshKeyId)! }),
    refreshKeyOf: (keyId) => refresh.get(keyId),
    jwks: () => ({ keys: publicKeys }),
  };
}

async function readKeys(store: KeyStore, kms: Kms, clock: Clock): Promise<StoredKey[]> {
  for (let attempt = 1; attempt <= 50; attempt++) {
    const stored = await store.listKeys();
    const missing = purposes.filter((purpose) => !stored.some((key) => isCurrent(key) && key.purpose === purpose));
    if (missing.length === 0) return stored;
    for (const purpose of missing) {
      const inserted = await store.insertCurrentKey(await makeKey(purpose, kms, clock.now()));
      // Another replica's key of this moment becomes readable once a majority has it.
      if (!inserted) await sleep(100);
    }
  }
  throw new Error("the keys of identity cannot be read back from MongoDB");
}

const isCurrent = (key: StoredKey) => key.state === "CURRENT";

async function makeKey(purpose: KeyPurpose, kms: Kms, createdAt: Date): Promise<StoredKey> {
  if (purpose === "refresh-token") {
    const keyId = randomBytes(4).toString("hex");
    return {
      keyId,
      purpose,
      state: "CURRENT",
      secret: await kms.wrap(randomBytes(32), contextOf(purpose, keyId)),
      createdAt,
    };
  }
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const { kty, crv, x } = publicKey.export({ format: "jwk" });
  const publicJwk = { kty: kty!, crv: crv!, x: x! };
  const keyId = await calculateJwkThumbprint(publicJwk);
  const pkcs8 = privateKey.export({ format: "der", type: "pkcs8" });
  return {
    keyId,
    purpose,
    state: "CURRENT",
    secret: await kms.wrap(pkcs8, contextOf(purpose, keyId)),
    publicJwk,
    createdAt,
  };
}

async function unwrapKey(stored: StoredKey, kms: Kms): Promise<Uint8Array> {
  try {
    return await kms.unwrap(stored.secret, contextOf(stored.purpose, stored.keyId));
  } catch (error) {
    if (!(error instanceof MasterKeyError)) throw error;
    throw new MasterKeyError(`MASTER_KEY_FILE does not open the keys of this database: ${error.message}`, {
      cause: error,
    });
  }
}

function contextOf(purpose: KeyPurpose, keyId: string): string {
  return `${purpose} key ${keyId}`;
}
