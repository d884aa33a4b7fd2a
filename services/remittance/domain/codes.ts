// Crockford's base 32: no I, L, O or U, so that a code survives being read out and written down.
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Unpredictable bytes, such as node:crypto's randomBytes. */
export type RandomBytes = (length: number) => Uint8Array;

/** "MN" and ten characters: 50 random bits, unique in the tenant by index. */
export function newTransactionCode(randomBytes: RandomBytes): string {
  return `MN${randomCode(10, randomBytes)}`;
}

/** "B-" and eight characters: 40 random bits, unique in the tenant by index. */
export function newBeneficiaryCode(randomBytes: RandomBytes): string {
  return `B-${randomCode(8, randomBytes)}`;
}

/** Random characters that survive being read out: 5 bits each. */
export function randomCode(length: number, randomBytes: RandomBytes): string {
  return Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join("");
}
