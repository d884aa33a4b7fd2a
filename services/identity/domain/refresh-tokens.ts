import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * A refresh token is single use; the same link may be asked again this long for a reply that was
 * lost.
 */
export const replayWindowMs = 10_000;
export const refreshIdleMs = 30 * 24 * 3_600_000;
export const refreshAbsoluteMs = 90 * 24 * 3_600_000;

/** One link of a family. The counter of the first is 1. */
export interface RefreshLink {
  keyId: string;
  /** The session's id, a UUID. */
  family: string;
  counter: number;
}

/** One link of a family's chain, as the compare-and-set writes it. */
export interface RotatedLink {
  rotatedAt: Date;
  idleUntil: Date;
  accessKeyId: string;
}

/** What the store knows of a family. */
export interface RefreshFamily {
  /** Counter of the newest link handed out. */
  counter: number;
  /** When the newest link was handed out. */
  rotatedAt: Date;
  idleUntil: Date;
  endsAt: Date;
  revokedAt?: Date;
}

export type RefreshDecision =
  /** The newest link: hand out its successor by compare-and-set on the counter. */
  | "ADVANCE"
  /**
   * The link before the newest, within the window and its successor unused: the same answer again.
   */
  | "REPEAT"
  /** Used before: somebody holds a copy. The whole family ends. */
  | "REUSED"
  | "EXPIRED"
  | "REVOKED"
  /** A link that this store never handed out, such as after a restore from backup. */
  | "UNKNOWN";

/** What presenting the link with this counter means now. Pure; docs/decisions/0003. */
export function decideRefresh(family: RefreshFamily, counter: number, now: Date): RefreshDecision {
  if (counter > family.counter) return "UNKNOWN";
  const isNewest = counter === family.counter;
  if (family.revokedAt !== undefined) return isNewest ? "REVOKED" : "REUSED";
  if (now >= family.endsAt || now >= family.idleUntil) return "EXPIRED";
  if (isNewest) return "ADVANCE";
  const isPredecessor = counter === family.counter - 1;
  const ageMs = now.getTime() - family.rotatedAt.getTime();
  return isPredecessor && ageMs <= replayWindowMs ? "REPEAT" : "REUSED";
}

const version = 1;
const macBytes = 32;
const bodyBytes = 1 + 4 + 16 + 4;

/**
 * base64url of version (1 byte), key id (4), family (16), counter (4) and HMAC-SHA-256 over tenant
 * and all of these (32). It is computed, never stored: whoever holds the key can hand out the same
 * link again.
 */
export function encodeRefreshToken(key: Uint8Array, tenantId: string, link: RefreshLink): string {
  const body = Buffer.alloc(bodyBytes);
  body.writeUInt8(version, 0);
  body.write(link.keyId, 1, 4, "hex");
  body.write(link.family.replaceAll("-", ""), 5, 16, "hex");
  body.writeUInt32BE(link.counter, 21);
  return Buffer.concat([body, macOf(key, tenantId, body)]).toString("base64url");
}

/**
 * The link that a token names, if a key of ours made it for this tenant; undefined for anything
 * else. Constant time in the MAC.
 */
export function decodeRefreshToken(
  keyOf: (keyId: string) => Uint8Array | undefined,
  tenantId: string,
  token: string,
): RefreshLink | undefined {
  // One spelling only: base64url decoding forgives characters and spare bits.
  const bytes = Buffer.from(token, "base64url");
  if (bytes.length !== bodyBytes + macBytes || bytes.toString("base64url") !== token) return undefined;
  const body = bytes.subarray(0, bodyBytes);
  if (body.readUInt8(0) !== version) return undefined;
  const keyId = body.toString("hex", 1, 5);
  const key = keyOf(keyId);
  if (key === undefined || !timingSafeEqual(macOf(key, tenantId, body), bytes.subarray(bodyBytes))) return undefined;
  return { keyId, family: uuidOf(body.subarray(5, 21)), counter: body.readUInt32BE(21) };
}

/** The jti of the access token that goes with a link: the same link, the same access token. */
export function accessTokenIdOf(key: Uint8Array, tenantId: string, link: RefreshLink): string {
  const digest = createHmac("sha256", key)
    .update(`access token id\0${tenantId}\0${link.family}\0${link.counter}`)
    .digest();
  return uuidOf(digest.subarray(0, 16));
}

function macOf(key: Uint8Array, tenantId: string, body: Uint8Array): Buffer {
  return createHmac("sha256", key).update(`refresh token\0${tenantId}\0`).update(body).digest();
}

function uuidOf(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
