import type { SealedField } from "../domain/sealed-field.js";
import { createHmac } from "node:crypto";
import type { AnswerCipher, Scope } from "../../kernel/idempotency/index.js";
import type { Keyring } from "./keyring.js";
import { openBytes, sealBytes } from "../../kernel/keys/seal-bytes.js";

export type FieldCipher = ReturnType<typeof createFieldCipher>;

/**
 * Seals single fields. The context (tenant, record and field) is authenticated: a sealed value
 * cannot be moved elsewhere.
 */
export function createFieldCipher(keyring: Pick<Keyring, "personalKey" | "personalKeyOf" | "macKey">) {
  return {
    seal(text: string, context: string): SealedField {
      const { keyId, key } = keyring.personalKey();
      return { keyId, sealed: sealBytes(key, Buffer.from(text), context).toString("base64") };
    },
    /** Throws where the key is gone or the value was changed or moved. */
    open({ keyId, sealed }: SealedField, context: string): string {
      const key = keyring.personalKeyOf(keyId);
      if (key === undefined) throw new Error(`${context} is sealed with a key that is gone`);
      return openBytes(key, Buffer.from(sealed, "base64"), context).toString();
    },
    /**
     * A keyed hash that equal values of one tenant and kind share, and nobody can compute without
     * the key.
     */
    lookUp: (tenantId: string, kind: string, text: string): string =>
      macOf(keyring, "look-up", tenantId, kind, text).toString("base64url"),
  };
}

/** HMAC-SHA-256 under identity's own key, its label and parts kept apart. */
export function macOf(keyring: Pick<Keyring, "macKey">, label: string, ...parts: string[]): Buffer {
  return createHmac("sha256", keyring.macKey())
    .update(JSON.stringify([label, ...parts]))
    .digest();
}

/**
 * Seals stored answers that hold a secret or a person's data: key id (4 bytes), then what
 * AES-256-GCM makes.
 */
export function createAnswerCipher(keyring: Pick<Keyring, "personalKey" | "personalKeyOf">): AnswerCipher {
  const contextOf = ({ tenantId, caller, operation, key }: Scope) =>
    `answer ${JSON.stringify([tenantId, caller, operation, key])}`;
  return {
    async seal(bytes, scope) {
      const { keyId, key } = keyring.personalKey();
      return Buffer.concat([Buffer.from(keyId, "hex"), sealBytes(key, bytes, contextOf(scope))]);
    },
    async open(bytes, scope) {
      const keyId = Buffer.from(bytes.subarray(0, 4)).toString("hex");
      const key = keyring.personalKeyOf(keyId);
      if (key === undefined) throw new Error("a stored answer is sealed with a key that is gone");
      return openBytes(key, bytes.subarray(4), contextOf(scope));
    },
  };
}
