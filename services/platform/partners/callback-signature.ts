import { createHmac, timingSafeEqual } from "node:crypto";
import { Refusal } from "../../kernel/refusal.js";

export interface SignedCallback {
  webhookId: string;
  /** Seconds since 1970, as text. */
  webhookTimestamp: string;
  /** One or more of "v1,<base64>", with spaces between. */
  webhookSignature: string;
  body: Uint8Array;
}

const toleranceS = 300;
const maxSignatures = 10;

/**
 * Checks a callback as Standard Webhooks 1.0 says: HMAC-SHA256 over "id.timestamp.body" by the
 * secret, which is base64 after "whsec_", and a timestamp at most five minutes away. Refuses
 * UNAUTHENTICATED, and says no more than that.
 */
export function verifyCallback(callback: SignedCallback, secret: string | undefined, now: Date): void {
  const { webhookId, webhookTimestamp, webhookSignature, body } = callback;
  const isNamed = /^[\w.:-]{1,128}$/.test(webhookId) && /^\d{1,12}$/.test(webhookTimestamp);
  const ageS = Math.abs(now.getTime() / 1000 - Number(webhookTimestamp));
  if (secret === undefined) throw new Refusal("UNAUTHENTICATED", "nobody calls back for this tenant");
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const expected = createHmac("sha256", key).update(`${webhookId}.${webhookTimestamp}.`).update(body).digest();
  const given = webhookSignature.split(" ").slice(0, maxSignatures);
  const isSigned = given.map((signature) => isEqual(signature, expected)).includes(true);
  if (!isNamed || !isSigned || !(ageS <= toleranceS)) {
    throw new Refusal("UNAUTHENTICATED", "the callback is not signed as it should be, or too old");
  }
}

function isEqual(signature: string, expected: Buffer): boolean {
  const [version, text = ""] = signature.split(",");
  const bytes = Buffer.from(text, "base64");
  return version === "v1" && bytes.length === expected.length && timingSafeEqual(bytes, expected);
}
