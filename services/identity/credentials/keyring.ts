import { createPrivateKey, generateKeyPairSync, randomBytes, type KeyObject } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { calculateJwkThumbprint, type JSONWebKeySet, type JWK } from "jose";
import type { Clock } from "../../shared/clocks/clock.js";
import type { Logger } from "../../shared/log.js";
import { Refusal } from "../../shared/refusal.js";
import { isOver, isPublished, keyInUse, keyPurposes, type KeyPurpose, type KeyRecord } from "../domain/key-rotation.js";
import { MasterKeyError, type Kms } from "../../shared/erasure/kms.js";

interface KeyStore {
  listKeys(): Promise<KeyRecord[]>;
  /** False where another replica has put a current key of this purpose first. */
  insertCurrentKey(key: KeyRecord): Promise<boolean>;
  /** Puts a key in the place of the current one; false where another has been put there. */
  replaceCurrentKey(change: { from: string; key: KeyRecord }): Promise<boolean>;
  deleteKeys(keyIds: readonly string[]): Promise<void>;
}

export interface NamedSecret {
  keyId: string;
  key: Uint8Array;
}

/** What is known of a key, never the key. */
export interface KeyView {
  keyId: string;
  purpose: KeyPurpose;
  activeFrom: Date;
  active: boolean;
}

export interface Keyring {
  /** Signs access tokens made now. */
  accessKey(): { keyId: string; key: KeyObject };
  /** The key that signed earlier, or undefined when it is gone. */
  accessKeyOf(keyId: string): KeyObject | undefined;
  /** Makes the refresh tokens of families that begin now. */
  refreshKey(): NamedSecret;
  refreshKeyOf(keyId: string): Uint8Array | undefined;
  /** Seals personal data now. */
  personalKey(): NamedSecret;
  personalKeyOf(keyId: string): Uint8Array | undefined;
  /** For keyed hashes; it is never rotated, since what was hashed is looked up by it. */
  macKey(): Uint8Array;
  /** Public keys that access tokens may be signed with: those to come, the one in use and those whose tokens still live. */
  jwks(): JSONWebKeySet;
  list(): KeyView[];
  /** Reads the stored keys again, at most once a second. */
  reload(): Promise<void>;
  /** Makes new keys that are used after `leadMs`. STATE_CONFLICT where those before are not in use yet. */
  rotate(leadMs: number): Promise<KeyView[]>;
  stop(): Promise<void>;
}

interface OpenKey {
  stored: KeyRecord;
  secret: Uint8Array;
  signing?: KeyObject;
}

const reloadEveryMs = 5_000;
const smallestReloadIntervalMs = 1_000;
const rotated = ["access-token", "refresh-token", "personal-data"] as const;

/**
 * Opens the stored keys, making the first of each purpose, and keeps looking for new ones until it is stopped. Throws
 * MasterKeyError where the master key is not theirs.
 */
export async function openKeyring(deps: { store: KeyStore; kms: Kms; clock: Clock; log: Logger }): Promise<Keyring> {
  const { store, kms, clock, log } = deps;
  const opened = new Map<string, OpenKey>();
  const stopping = new AbortController();
  let loadedAt = Number.NEGATIVE_INFINITY;
  let loading: Promise<void> | undefined;

  async function load(): Promise<void> {
    const stored = await readKeys(store, kms, clock);
    for (const key of stored)
      opened.set(key.keyId, { ...(opened.get(key.keyId) ?? (await open(key, kms))), stored: key });
    const kept = new Set(stored.map((key) => key.keyId));
    for (const keyId of opened.keys()) if (!kept.has(keyId)) opened.delete(keyId);
    loadedAt = performance.now();
  }

  const loadJoined = () => (loading ??= load().finally(() => (loading = undefined)));
  const ofPurpose = (purpose: KeyPurpose) =>
    [...opened.values()].filter(({ stored }) => stored.purpose === purpose).map(({ stored }) => stored);
  const inUse = (purpose: KeyPurpose) => opened.get(keyInUse(ofPurpose(purpose), clock.now()).keyId)!;
  const secretInUse = (purpose: KeyPurpose): NamedSecret => {
    const { stored, secret } = inUse(purpose);
    return { keyId: stored.keyId, key: secret };
  };
  const secretOf = (purpose: KeyPurpose, keyId: string) => {
    const found = opened.get(keyId);
    return found?.stored.purpose === purpose ? found.secret : undefined;
  };
  const list = (): KeyView[] =>
    keyPurposes.flatMap((purpose) =>
      ofPurpose(purpose).map(({ keyId, activeFrom }) => ({
        keyId,
        purpose,
        activeFrom,
        active: inUse(purpose).stored.keyId === keyId,
      })),
    );

  async function keepLooking(): Promise<void> {
    for (;;) {
      await sleep(reloadEveryMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      await loadJoined().catch((error: unknown) => log.warn({ err: error }, "the keys could not be read again"));
    }
  }

  async function rotate(leadMs: number): Promise<KeyView[]> {
    await loadJoined();
    const now = clock.now();
    const newestOf = (purpose: KeyPurpose) => ofPurpose(purpose).find(isCurrent)!;
    // A rotation that was cut off goes on with the purposes that it did not reach.
    const ready = rotated.filter((purpose) => newestOf(purpose).activeFrom <= now);
    if (ready.length === 0) throw new Refusal("STATE_CONFLICT", "the keys of the last rotation are not in use yet");
    for (const purpose of ready) {
      const newest = newestOf(purpose);
      const key = await makeKey(purpose, kms, now, new Date(now.getTime() + leadMs));
      if (!(await store.replaceCurrentKey({ from: newest.keyId, key }))) {
        throw new Refusal("STATE_CONFLICT", "the keys were rotated at the same moment");
      }
      const over = ofPurpose(purpose).filter((old) => isOver(old, ofPurpose(purpose), now));
      await store.deleteKeys(over.map(({ keyId }) => keyId));
    }
    await load();
    return list();
  }

  await load();
  const looking = keepLooking();
  return {
    accessKey: () => {
      const { stored, signing } = inUse("access-token");
      return { keyId: stored.keyId, key: signing! };
    },
    accessKeyOf: (keyId) => opened.get(keyId)?.signing,
    refreshKey: () => secretInUse("refresh-token"),
    refreshKeyOf: (keyId) => secretOf("refresh-token", keyId),
    personalKey: () => secretInUse("personal-data"),
    personalKeyOf: (keyId) => secretOf("personal-data", keyId),
    macKey: () => inUse("mac").secret,
    jwks: () => {
      const keys = ofPurpose("access-token");
      return { keys: keys.filter((key) => isPublished(key, keys, clock.now())).map(publicJwkOf) };
    },
    list,
    async reload() {
      if (performance.now() - loadedAt >= smallestReloadIntervalMs) await loadJoined();
    },
    rotate,
    async stop() {
      stopping.abort();
      await looking;
    },
  };
}

function publicJwkOf({ keyId, publicJwk }: KeyRecord): JWK {
  return { ...publicJwk, kid: keyId, alg: "EdDSA", use: "sig" };
}

async function readKeys(store: KeyStore, kms: Kms, clock: Clock): Promise<KeyRecord[]> {
  for (let attempt = 1; attempt <= 50; attempt++) {
    const stored = await store.listKeys();
    const missing = keyPurposes.filter((purpose) => !stored.some((key) => isCurrent(key) && key.purpose === purpose));
    if (missing.length === 0) return stored;
    for (const purpose of missing) {
      const now = clock.now();
      const inserted = await store.insertCurrentKey(await makeKey(purpose, kms, now, now));
      // Another replica's key of this moment becomes readable once a majority has it.
      if (!inserted) await sleep(100);
    }
  }
  throw new Error("the keys of identity cannot be read back from MongoDB");
}

const isCurrent = (key: KeyRecord) => key.state === "CURRENT";

async function makeKey(purpose: KeyPurpose, kms: Kms, createdAt: Date, activeFrom: Date): Promise<KeyRecord> {
  const about = { purpose, state: "CURRENT" as const, createdAt, activeFrom };
  if (purpose !== "access-token") {
    const keyId = randomBytes(4).toString("hex");
    return { ...about, keyId, secret: await kms.wrap(randomBytes(32), contextOf(purpose, keyId)) };
  }
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const { kty, crv, x } = publicKey.export({ format: "jwk" });
  const publicJwk = { kty: kty!, crv: crv!, x: x! };
  const keyId = await calculateJwkThumbprint(publicJwk);
  const pkcs8 = privateKey.export({ format: "der", type: "pkcs8" });
  return { ...about, keyId, secret: await kms.wrap(pkcs8, contextOf(purpose, keyId)), publicJwk };
}

async function open(stored: KeyRecord, kms: Kms): Promise<OpenKey> {
  const secret = await unwrapKey(stored, kms);
  if (stored.purpose !== "access-token") return { stored, secret };
  return { stored, secret, signing: createPrivateKey({ key: Buffer.from(secret), format: "der", type: "pkcs8" }) };
}

async function unwrapKey(stored: KeyRecord, kms: Kms): Promise<Uint8Array> {
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
