import { randomBytes } from "node:crypto";

// Crockford's base 32: no I, L, O or U, so that a code survives being read out and written down.
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** "MN" and ten characters: 50 random bits, unique in the tenant by index. */
export function newTransactionCode(): string {
  return `MN${randomCode(10)}`;
}

/** "B-" and eight characters: 40 random bits, unique in the tenant by index. */
export function newBeneficiaryCode(): string {
  return `B-${randomCode(8)}`;
}

/** Random characters that survive being read out: 5 bits each. */
export function randomCode(length: number): string {
  return Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join("");
}
