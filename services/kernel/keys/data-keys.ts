import { createHmac, hkdfSync, randomBytes } from "node:crypto";
import type { Connection } from "mongoose";
import type { KeyWrapper, WrappedSecret } from "./key-wrapper.js";
import { openBytes, sealBytes } from "./seal-bytes.js";
import { createWrappedKeys } from "./wrapped-keys.js";
import { acrossTenants } from "../mongo/tenant-collection.js";
import { inTransaction, unlessThere } from "../mongo/transaction.js";

/** A field of personal data as it lies in a database. */
export interface SealedField {
  keyId: string;
  /** base64 of AES-256-GCM's nonce, ciphertext and tag. */
  sealed: string;
}

interface StoredDataKey {
  _id: string;
  secret: WrappedSecret;
  /** One key per purpose is current; the others only open what they sealed. */
  purpose: string;
  isCurrent: boolean;
  createdAt: Date;
}

export type DataKeys = ReturnType<typeof createDataKeys>;

const collection = "data_keys";

/**
 * Seals single fields of a service's own database under a key that lies there wrapped by the master
 * key. The context (tenant, record and field) is authenticated: a sealed value cannot be moved
 * elsewhere. Keys are kept as long as what they sealed.
 */
export function createDataKeys(parts: { db: Connection; wrapper: KeyWrapper; service: string; purpose: string }) {
  const { db, wrapper, service, purpose } = parts;
  const wrapped = createWrappedKeys({ db, collection, service, wrapper });
  const stored = acrossTenants<StoredDataKey>(db, collection, "data keys, which no tenant owns");
  const opened = new Map<string, Promise<Uint8Array>>();
  const hashKeys = new Map<string, Uint8Array>();
  let current: Promise<string> | undefined;

  const contextOf = (keyId: string) => wrapped.contextOf(purpose, keyId);

  /**
   * Opened once for as long as the process lives; who comes meanwhile waits for the same answer.
   */
  function keyOf(keyId: string): Promise<Uint8Array> {
    let key = opened.get(keyId);
    if (key === undefined) {
      key = openStored(keyId);
      opened.set(keyId, key);
      key.catch(() => opened.delete(keyId));
    }
    return key;
  }

  async function openStored(keyId: string): Promise<Uint8Array> {
    const found = await stored.findOne({ _id: keyId });
    if (found === null) throw new Error(`the data key ${keyId} is gone`);
    return wrapper.unwrap(found.secret, contextOf(keyId));
  }

  async function store(keyId: string, secret: WrappedSecret): Promise<void> {
    const key = { _id: keyId, secret, purpose, isCurrent: true, createdAt: new Date() };
    await inTransaction(
      db,
      async (session) => {
        await stored.insertOne(key, { session });
        await wrapped.noteUse(secret.masterKeyId, session);
        return true;
      },
      { readBack: async () => ((await stored.findOne({ _id: keyId })) ? true : undefined) },
    );
  }

  async function ensureCurrent(): Promise<string> {
    for (;;) {
      const found = await stored.findOne({ purpose, isCurrent: true });
      if (found !== null) {
        await keyOf(found._id);
        return found._id;
      }
      const keyId = `${purpose}-${randomBytes(6).toString("hex")}`;
      const key = randomBytes(32);
      const secret = await wrapper.wrap(key, contextOf(keyId));
      // Where another replica was first, its key becomes readable once a majority has it.
      await unlessThere(store(keyId, secret));
    }
  }

  /** The current key's id, which is open. */
  function currentId(): Promise<string> {
    current ??= ensureCurrent();
    return current.catch((error: unknown) => {
      current = undefined;
      throw error;
    });
  }

  /** What hashes are made with is not what seals. */
  async function hashKeyOf(keyId: string): Promise<Uint8Array> {
    let key = hashKeys.get(keyId);
    if (key === undefined) {
      key = new Uint8Array(hkdfSync("sha256", await keyOf(keyId), "", "look-up", 32));
      hashKeys.set(keyId, key);
    }
    return key;
  }

  return {
    /**
     * Opens every key, so that a master key that is not theirs is found at the start, and nobody
     * waits for the key service later.
     */
    async openAll(): Promise<void> {
      const keys = await stored.find({ purpose }, { projection: { _id: 1 } });
      for (const { _id } of keys) await keyOf(_id);
    },
    /** For operators: versions of the master key, and wrapping anew. */
    wrapped,
    async seal(text: string, context: string): Promise<SealedField> {
      const keyId = await currentId();
      const key = await keyOf(keyId);
      return { keyId, sealed: sealBytes(key, Buffer.from(text), context).toString("base64") };
    },
    /**
     * Keyed hashes of texts, equal for equal ones of a context, which nobody makes without the key:
     * by each key that is open, since a tenant that was moved brings those that its records were
     * made by.
     */
    async hashes(texts: readonly string[], context: string): Promise<string[]> {
      const keyIds = new Set([await currentId(), ...opened.keys()]);
      const hashKeysOfIds = await Promise.all([...keyIds].map(hashKeyOf));
      return hashKeysOfIds.flatMap((key) =>
        texts.map((text) =>
          createHmac("sha256", key)
            .update(JSON.stringify([context, text]))
            .digest("base64url"),
        ),
      );
    },
    /** Throws where the key is gone or the value was changed or moved. */
    async open({ keyId, sealed }: SealedField, context: string): Promise<string> {
      return openBytes(await keyOf(keyId), Buffer.from(sealed, "base64"), context).toString();
    },
  };
}

/** One current key per purpose, also where two replicas make the first at once. */
export const dataKeyIndexes = [
  { key: { purpose: 1 }, name: "one_current", unique: true, partialFilterExpression: { isCurrent: true } },
] as const;
export const dataKeyCollection = collection;
