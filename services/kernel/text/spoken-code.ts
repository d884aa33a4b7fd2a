import { scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

// Crockford's base 32: no I, L, O or U, so that a code survives being read out and written down.
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Unpredictable bytes, such as node:crypto's randomBytes. */
export type RandomBytes = (length: number) => Uint8Array;

/** Random characters that survive being read out: 5 bits each. */
export function randomCode(length: number, randomBytes: RandomBytes): string {
  return Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join("");
}

/** What is kept of a code, base64. */
export interface KeptCode {
  readonly codeHash: string;
  readonly salt: string;
}

const derive = promisify<string, Uint8Array, number, { N: number }, Buffer>(scrypt as never);
// A few milliseconds: the code itself has 50 random bits.
const cost = { N: 2 ** 12 };

/** A new code, "XXXXX-XXXXX", with what is kept of it. */
export async function newSpokenCode(randomBytes: RandomBytes): Promise<{ code: string; kept: KeptCode }> {
  const code = randomCode(10, randomBytes);
  const salt = randomBytes(16);
  const codeHash = await derive(code, salt, 32, cost);
  const kept = { codeHash: codeHash.toString("base64"), salt: Buffer.from(salt).toString("base64") };
  return { code: `${code.slice(0, 5)}-${code.slice(5)}`, kept };
}

/** Whether this is the code, however it is written. */
export async function isSpokenCode({ codeHash = "", salt = "" }: Partial<KeptCode>, text: string): Promise<boolean> {
  const code = text.toUpperCase().replaceAll(/[\s-]/g, "").replaceAll("O", "0").replaceAll(/[IL]/g, "1");
  const stored = Buffer.from(codeHash, "base64");
  const found = await derive(code, Buffer.from(salt, "base64"), 32, cost);
  return stored.length === found.length && timingSafeEqual(stored, found);
}
