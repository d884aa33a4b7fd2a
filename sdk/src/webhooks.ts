import { ConfigurationError, ManillaError } from "./errors.js";
import { readJson } from "./json.js";
import type { WebhookEvent } from "./shapes.js";

/** A webhook's signature, headers or time are not as they must be. */
export class WebhookError extends ManillaError {
  override name = "WebhookError";
}

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
  const id = headerOf(headers, "webhook-id");
  const timestamp = headerOf(headers, "webhook-timestamp");
  const signatures = headerOf(headers, "webhook-signature").split(" ");
  const ageS = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!/^\d{1,12}$/.test(timestamp) || ageS > toleranceS)
    throw new WebhookError(`the webhook's timestamp is not within ${toleranceS} s of this machine's time`);
  const signed = await bytesOf(id, timestamp, rawBody);
  for (const secret of [secrets].flat()) {
    const key = await keyOf(secret);
    for (const signature of signatures) {
      const given = signature.startsWith("v1,") && fromBase64(signature.slice(3));
      // Compares in constant time.
      if (given && (await crypto.subtle.verify("HMAC", key, given, signed))) {
        const text = typeof rawBody === "string" ? rawBody : new TextDecoder().decode(rawBody);
        return readJson(text) as WebhookEvent;
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
  const signature = await crypto.subtle.sign("HMAC", await keyOf(secret), await bytesOf(id, timestamp, rawBody));
  const base64 = btoa(String.fromCharCode(...new Uint8Array(signature)));
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${base64}` };
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const all = headers instanceof Headers ? [...headers] : Object.entries(headers);
  const value = all.find(([each]) => each.toLowerCase() === name)?.[1];
  if (typeof value !== "string" || value === "") throw new WebhookError(`the webhook has no header ${name}`);
  return value;
}

function bytesOf(id: string, timestamp: string, body: string | Uint8Array): Promise<ArrayBuffer> {
  return new Blob([`${id}.${timestamp}.`, body as Uint8Array<ArrayBuffer>]).arrayBuffer();
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
