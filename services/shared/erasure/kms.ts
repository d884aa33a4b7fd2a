import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";

/** A secret as it may lie in a database. */
export interface WrappedSecret {
  /** Which master key wrapped it; says nothing about the key itself. */
  masterKeyId: string;
  /** base64 of nonce (12 bytes), ciphertext and tag (16). */
  sealed: string;
}

/**
 * Wraps secrets under a master key that never leaves it. A cloud's key service is another
 * implementation.
 */
export interface Kms {
  /** The context is authenticated: a wrapped secret opens only where the same context is given. */
  wrap(secret: Uint8Array, context: string): Promise<WrappedSecret>;
  /**
   * Throws MasterKeyError where the master key is not the one that wrapped it, or what is stored
   * was changed.
   */
  unwrap(wrapped: WrappedSecret, context: string): Promise<Uint8Array>;
}

export class MasterKeyError extends Error {
  override readonly name = "MasterKeyError";
}

const nonceBytes = 12;
const tagBytes = 16;

/** AES-256-GCM: nonce (12 bytes), ciphertext and tag (16). The context is authenticated. */
export function sealBytes(key: Uint8Array, bytes: Uint8Array, context: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(context));
  return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

/** What sealBytes sealed under this key and context. Throws for anything else. */
export function openBytes(key: Uint8Array, sealed: Uint8Array, context: string): Buffer {
  const nonce = sealed.subarray(0, nonceBytes);
  const tag = sealed.subarray(sealed.length - tagBytes);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, sealed.length - tagBytes)), decipher.final()]);
}

/** AES-256-GCM under a key of 32 bytes. */
export function createLocalKms(masterKey: Uint8Array): Kms {
  if (masterKey.length !== 32) throw new MasterKeyError("the master key must have 32 bytes");
  const masterKeyId = createHash("sha256")
    .update("manilla master key id\0")
    .update(masterKey)
    .digest("hex")
    .slice(0, 16);
  return {
    async wrap(secret, context) {
      return { masterKeyId, sealed: sealBytes(masterKey, secret, context).toString("base64") };
    },
    async unwrap(wrapped, context) {
      if (wrapped.masterKeyId !== masterKeyId) {
        throw new MasterKeyError(
          `${context} was stored under the master key ${wrapped.masterKeyId}, and this one is ${masterKeyId}`,
        );
      }
      try {
        return openBytes(masterKey, Buffer.from(wrapped.sealed, "base64"), context);
      } catch (error) {
        throw new MasterKeyError(`${context} was changed in the database since it was stored`, { cause: error });
      }
    },
  };
}

/**
 * Reads a master key file: 32 bytes as base64. Throws MasterKeyError that names the file, never
 * what it holds.
 */
export async function loadMasterKey(file: string): Promise<Uint8Array> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new MasterKeyError(`MASTER_KEY_FILE ${file} cannot be read: ${error.code ?? "unknown error"}`);
  });
  const key = Buffer.from(text.trim(), "base64");
  if (key.length !== 32) throw new MasterKeyError(`MASTER_KEY_FILE ${file} must hold 32 bytes as base64`);
  return key;
}
