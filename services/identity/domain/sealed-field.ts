/** A field of personal data as it lies in the database. */
export interface SealedField {
  keyId: string;
  /** base64 of AES-256-GCM's nonce, ciphertext and tag. */
  sealed: string;
}
