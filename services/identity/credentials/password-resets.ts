import { timingSafeEqual } from "node:crypto";
import type { Keyring } from "./keyring.js";
import { macOf } from "./sealing.js";

/** The token of a reset: its id and a MAC, computed and never stored. */
export function encodeResetToken(keyring: Pick<Keyring, "macKey">, tenantId: string, resetId: string): string {
  const id = Buffer.from(resetId.replaceAll("-", ""), "hex");
  return Buffer.concat([id, macOf(keyring, "password reset", tenantId, resetId)]).toString("base64url");
}

/**
 * The id that a token names, if we made it for this tenant; undefined for anything else. Constant
 * time in the MAC.
 */
export function decodeResetToken(
  keyring: Pick<Keyring, "macKey">,
  tenantId: string,
  token: string,
): string | undefined {
  const bytes = Buffer.from(token, "base64url");
  if (bytes.length !== 48 || bytes.toString("base64url") !== token) return undefined;
  const hex = bytes.toString("hex", 0, 16);
  const id = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
  const expected = macOf(keyring, "password reset", tenantId, id);
  return timingSafeEqual(expected, bytes.subarray(16)) ? id : undefined;
}
