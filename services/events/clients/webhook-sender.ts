import type { IncomingMessage } from "node:http";
import { Webhook } from "standardwebhooks";
import type { AllowedOrigins } from "../../platform/partners/address.js";
import type { Resolve } from "../../platform/partners/addresses.js";
import { createPinnedRequests, whyNoAnswer } from "../../platform/partners/pinned-requests.js";
import { retainedResponseBytes, type Attempt } from "../domain/delivery.js";

export interface Outgoing {
  url: string;
  /** The same at every try. */
  id: string;
  /** What is signed and sent, byte for byte. */
  body: string;
  /** Each signs. */
  secrets: readonly string[];
  /** Sequences just before this one that were given up. */
  givenUp?: string | undefined;
  allowed: AllowedOrigins;
  signal: AbortSignal;
}

/** What came of a try, and what the receiver asks to wait. */
export type Answered = Omit<Attempt, "at"> & { retryAfter?: string };

export type WebhookSender = ReturnType<typeof createWebhookSender>;

// What a receiver answers beyond this is not read.
const maxRead = 64 * 1_024;

/**
 * Sends events by Standard Webhooks: signed, with nothing followed, to addresses that were checked
 * when they were connected to. Never throws.
 */
export function createWebhookSender({ resolve, timeoutMs = 20_000 }: { resolve: Resolve; timeoutMs?: number }) {
  const requests = createPinnedRequests(resolve);

  async function post(outgoing: Outgoing): Promise<Answered & { status: number }> {
    const { id, body, secrets, givenUp, signal } = outgoing;
    const at = new Date();
    const headers = {
      "content-type": "application/json",
      "user-agent": "Manilla-Webhooks/1",
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
      "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(" "),
      ...(givenUp !== undefined && { "webhook-given-up": givenUp }),
    };
    const request = { method: "POST", headers, body, signal };
    const response = await requests.send(new URL(outgoing.url), request, outgoing.allowed);
    const answer = await firstOf(response);
    const retryAfter = response.headers["retry-after"];
    const status = response.statusCode ?? 0;
    return { status, durationMs: 0, answer, ...(retryAfter !== undefined && { retryAfter }) };
  }

  return {
    async send(outgoing: Outgoing): Promise<Answered> {
      const startedAt = performance.now();
      const took = () => Math.round(performance.now() - startedAt);
      const timeout = AbortSignal.timeout(timeoutMs);
      try {
        const signal = AbortSignal.any([timeout, outgoing.signal]);
        return { ...(await post({ ...outgoing, signal })), durationMs: took() };
      } catch (error) {
        const late = timeout.aborted ? `no answer within ${timeoutMs} ms` : undefined;
        return { durationMs: took(), error: late ?? whyNoAnswer(error) };
      }
    },
    close: () => requests.close(),
  };
}

/**
 * The first kilobyte as text. The rest is read up to a bound, so that the connection can be kept.
 */
async function firstOf(response: IncomingMessage): Promise<string> {
  const retained: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (bytes < retainedResponseBytes) retained.push(chunk.subarray(0, retainedResponseBytes - bytes));
    bytes += chunk.length;
    if (bytes > maxRead) break;
  }
  return Buffer.concat(retained).toString().replaceAll("\0", "");
}
