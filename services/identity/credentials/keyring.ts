import type { KeyObject } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { JSONWebKeySet, JWK } from "jose";
import type { Clock } from "../../kernel/time/clock.js";
import type { Logger } from "../../kernel/process/log.js";
import { Refusal } from "../../kernel/refusal.js";
import { isOver, isPublished, keyInUse, keyPurposes, type KeyPurpose, type KeyRecord } from "../domain/key-rotation.js";
import type { KeyWrapper } from "../../kernel/keys/key-wrapper.js";

import { isCurrent, makeKey, openKey, readKeys, type KeyStore, type OpenKey } from "./stored-keys.js";

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
  /**
   * Public keys that access tokens may be signed with: those to come, the one in use and those
   * whose tokens still live.
   */
  jwks(): JSONWebKeySet;
  list(): KeyView[];
  /** Reads the stored keys again, at most once a second. */
  reload(): Promise<void>;
  /**
   * Makes new keys that are used after `leadMs`. STATE_CONFLICT where those before are not in use
   * yet.
   */
  rotate(leadMs: number): Promise<KeyView[]>;
  stop(): Promise<void>;
}

const reloadEveryMs = 5_000;
const smallestReloadIntervalMs = 1_000;
const rotated = ["access-token", "refresh-token", "personal-data"] as const;

/**
 * Opens the stored keys, making the first of each purpose, and keeps looking for new ones until it
 * is stopped. Throws MasterKeyError where the master key is not theirs.
 */
export async function openKeyring(deps: {
  store: KeyStore;
  wrapper: KeyWrapper;
  clock: Clock;
  log: Logger;
}): Promise<Keyring> {
  const { store, wrapper, clock, log } = deps;
  const opened = new Map<string, OpenKey>();
  const stopping = new AbortController();
  let loadedAt = Number.NEGATIVE_INFINITY;
  let loading: Promise<void> | undefined;

  async function load(): Promise<void> {
    const stored = await readKeys(store, wrapper, clock);
    for (const key of stored)
      opened.set(key.keyId, { ...(opened.get(key.keyId) ?? (await openKey(key, wrapper))), stored: key });
    const storedIds = new Set(stored.map((key) => key.keyId));
    for (const keyId of opened.keys()) if (!storedIds.has(keyId)) opened.delete(keyId);
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
      const key = await makeKey(purpose, wrapper, now, new Date(now.getTime() + leadMs));
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
