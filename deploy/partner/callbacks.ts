import { createHmac } from "node:crypto";
import type { Books, CallbackRecord } from "./books.js";

/**
 * Signs a callback as Standard Webhooks 1.0 does: HMAC-SHA256 over "id.timestamp.body", base64,
 * prefixed "v1,". The secret is base64 text after "whsec_".
 */
export function signCallback(
  secret: string,
  callbackId: string,
  timestampS: number,
  body: string,
): Record<string, string> {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signature = createHmac("sha256", key).update(`${callbackId}.${timestampS}.${body}`).digest("base64");
  return { "webhook-id": callbackId, "webhook-timestamp": String(timestampS), "webhook-signature": `v1,${signature}` };
}

/**
 * Delivers what is due until it is taken (2xx); a failed delivery waits longer each time, at most a
 * minute.
 */
export async function deliverCallbacks(books: Books, secret: string, timeoutMs = 3_000): Promise<number> {
  const due = books.dueCallbacks(Date.now());
  await Promise.all(due.map((callback) => deliver(books, secret, callback, timeoutMs)));
  return due.length;
}

async function deliver(books: Books, secret: string, callback: CallbackRecord, timeoutMs: number): Promise<void> {
  const timestampS = Math.floor(Date.now() / 1000);
  const headers = {
    "content-type": "application/json",
    ...signCallback(secret, callback.callbackId, timestampS, callback.body),
  };
  const taken = await fetch(callback.url, {
    method: "POST",
    headers,
    body: callback.body,
    signal: AbortSignal.timeout(timeoutMs),
  }).then(
    async (response) => {
      await response.body?.cancel();
      return response.ok;
    },
    () => false,
  );
  if (taken) books.removeCallback(callback.callbackId);
  else books.postponeCallback(callback.callbackId, Date.now() + Math.min(60_000, 250 * 2 ** callback.attempts));
}
