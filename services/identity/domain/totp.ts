import { createHmac, timingSafeEqual } from "node:crypto";

// RFC 6238 with the parameters that every authenticator knows: SHA-1, 6 digits, 30 s.
const stepS = 30;
const digits = 6;
// One step of drift either way (RFC 6238, 5.2).
const drift = 1;
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** HOTP (RFC 4226): the code of a counter. */
export function hotp(secret: Uint8Array, counter: number, length = digits, hash = "sha1"): string {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(counter));
  const mac = createHmac(hash, secret).update(message).digest();
  const offset = mac[mac.length - 1]! & 0x0f;
  const number = mac.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** length).padStart(length, "0");
}

/** The time step of RFC 6238 that a moment lies in. */
export function totpStep(now: Date): number {
  return Math.floor(now.getTime() / 1_000 / stepS);
}

/** The step whose code this is, within the drift; undefined for a wrong code. Constant time in the code. */
export function matchTotp(secret: Uint8Array, code: string, now: Date): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const given = Buffer.from(code);
  const current = totpStep(now);
  let found: number | undefined;
  for (let step = current - drift; step <= current + drift; step++) {
    if (timingSafeEqual(Buffer.from(hotp(secret, step)), given)) found = step;
  }
  return found;
}

/** RFC 4648 base32 without padding, as authenticators take secrets. */
export function toBase32(bytes: Uint8Array): string {
  let bits = "";
  for (const byte of bytes) bits += byte.toString(2).padStart(8, "0");
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, "0"), 2)]).join("");
}

/** The bytes of base32 text of ours. */
export function fromBase32(text: string): Buffer {
  let bits = "";
  for (const letter of text) bits += alphabet.indexOf(letter).toString(2).padStart(5, "0");
  const bytes = bits.match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}
