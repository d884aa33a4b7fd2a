import { randomBytes } from "node:crypto";
import type { Connection } from "mongoose";
import { openBytes, sealBytes, type Kms, type WrappedSecret } from "./kms.js";
import { acrossTenants } from "../mongo/tenant-collection.js";
import { isDuplicateKey } from "../mongo/transaction.js";

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
export function createDataKeys({ db, kms, purpose }: { db: Connection; kms: Kms; purpose: string }) {
  const stored = acrossTenants<StoredDataKey>(db, collection, "data keys, which no tenant owns");
  const opened = new Map<string, Uint8Array>();
  let current: Promise<string> | undefined;

  const contextOf = (keyId: string) => `${purpose} key ${keyId}`;

  async function keyOf(keyId: string): Promise<Uint8Array> {
    const known = opened.get(keyId);
    if (known !== undefined) return known;
    const found = await stored.findOne({ _id: keyId });
    if (found === null) throw new Error(`the data key ${keyId} is gone`);
    const key = await kms.unwrap(found.secret, contextOf(keyId));
    opened.set(keyId, key);
    return key;
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
      const secret = await kms.wrap(key, contextOf(keyId));
      try {
        await stored.insertOne({ _id: keyId, secret, purpose, isCurrent: true, createdAt: new Date() });
      } catch (error) {
        // Another replica was first; its key becomes readable once a majority has it.
        if (!isDuplicateKey(error)) throw error;
      }
    }
  }

  return {
    async seal(text: string, context: string): Promise<SealedField> {
      current ??= ensureCurrent();
      const keyId = await current.catch((error: unknown) => {
        current = undefined;
        throw error;
      });
      const key = await keyOf(keyId);
      return { keyId, sealed: sealBytes(key, Buffer.from(text), context).toString("base64") };
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
