/** A secret as it may lie in a database. */
export interface WrappedSecret {
  /**
   * Which version of the master key wrapped it; says nothing about the key itself. 16 hexadecimal
   * digits of a file's, `vault:<mount>/<key>:v<n>`, or the ARN of AWS KMS.
   */
  masterKeyId: string;
  /** base64, or what the key service calls its ciphertext. */
  sealed: string;
}

/** Whose secret it is. Authenticated: a wrapped secret opens only where the same is given. */
export interface KeyContext {
  service: string;
  purpose: string;
  keyId: string;
}

/**
 * Wraps secrets under a master key that has versions. Throws MasterKeyError for a secret it cannot
 * open, and Refusal UNAVAILABLE within seconds where the key service does not answer.
 */
export interface KeyWrapper {
  /** Whether secrets of this version are opened here. */
  owns(masterKeyId: string): boolean;
  /** The newest version, which wraps. */
  newest(): Promise<string>;
  wrap(secret: Uint8Array, context: KeyContext): Promise<WrappedSecret>;
  unwrap(wrapped: WrappedSecret, context: KeyContext): Promise<Uint8Array>;
  /** The same secret under the newest version. */
  rewrap(wrapped: WrappedSecret, context: KeyContext): Promise<WrappedSecret>;
}

/** The master key does not open it: another key, a changed secret, or no permission. */
export class MasterKeyError extends Error {
  override readonly name = "MasterKeyError";
}

/** As people read it, and as a file's key authenticates it. */
export const contextText = ({ purpose, keyId }: KeyContext): string => `${purpose} key ${keyId}`;
