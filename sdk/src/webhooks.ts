import { ConfigurationError, WebhookError } from "./errors.js";
import { wire } from "./generated/wire.js";
import { readJson } from "./json.js";
import type { WebhookEvent } from "./shapes.js";

export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface UnwrapOptions {
  /** How old or early a delivery may be; 300 s where absent. */
  toleranceS?: number;
}

/**
 * Checks a delivery by Standard Webhooks and reads its event. `rawBody` are the bytes as they came,
 * `secrets` all that are valid at the moment. Throws a WebhookError. An event of a newer server may
 * be of a type that is not known here; process an id once.
 */
export async function unwrap(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceS = 300 }: UnwrapOptions = {},
): Promise<WebhookEvent> {
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) =>
    headerOf(headers, `webhook-${name}`),
  );
  const ageS = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!/^\d{1,12}$/.test(timestamp!) || ageS > toleranceS) {
    throw new WebhookError(`the webhook's timestamp is not within ${toleranceS} s of this machine's time`);
  }
  const signed = bytesOf(id!, timestamp!, rawBody);
  const given = signatures!
    .split(" ")
    .filter((one) => one.startsWith("v1,"))
    .map((one) => fromBase64(one.slice(3)));
  for (const secret of [secrets].flat()) {
    const key = await keyOf(secret);
    for (const signature of given) {
      // Compares in constant time.
      if (signature && (await crypto.subtle.verify("HMAC", key, signature, signed))) {
        const text = typeof rawBody === "string" ? rawBody : new TextDecoder().decode(rawBody);
        return readJson(text, wire) as WebhookEvent;
      }
    }
  }
  throw new WebhookError("the webhook's signature is of none of the secrets");
}

/** Headers of a delivery, for tests of a receiver. */
export async function sign(
  rawBody: string | Uint8Array,
  secret: string,
  id: string,
  at = new Date(),
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signature = await crypto.subtle.sign("HMAC", await keyOf(secret), bytesOf(id, timestamp, rawBody));
  const base64 = btoa(String.fromCharCode(...new Uint8Array(signature)));
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${base64}` };
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  if (typeof value !== "string" || value === "") throw new WebhookError(`the webhook has no header ${name}`);
  return value;
}

function bytesOf(id: string, timestamp: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const content = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const all = new Uint8Array(head.length + content.length);
  all.set(head);
  all.set(content, head.length);
  return all;
}

async function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = fromBase64(secret.replace(/^whsec_/, ""));
  if (!bytes?.length)
    throw new ConfigurationError("a webhook's secret is whsec_ and base64, as the endpoint's creation answered it");
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
