import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { isIP } from "node:net";
import { hostOf, isAllowedOrigin, isPublicAddress, type AllowedOrigins } from "./address.js";
import { AddressRefused, pinnedLookup, type Resolve } from "./addresses.js";

export interface PinnedRequest {
  method: string;
  headers: Readonly<Record<string, string>>;
  body: string | null;
  signal: AbortSignal;
}

const keepAliveMs = 30_000;

/**
 * Requests to what tenants name: by https, to addresses that were checked when they were connected
 * to, but for origins that the operator allows. Nothing is followed.
 */
export function createPinnedRequests(resolve: Resolve) {
  const keep = { keepAlive: true, maxFreeSockets: 64, timeout: keepAliveMs };
  const checked = new HttpsAgent({ ...keep, lookup: pinnedLookup(resolve) });
  // Sockets to what the operator allows sandboxes are theirs alone: a live tenant's request must
  // not find one open.
  const allowed = { http: new HttpAgent(keep), https: new HttpsAgent(keep) };

  function agentOf(url: URL, origins: AllowedOrigins): HttpAgent | HttpsAgent {
    if (isAllowedOrigin(url, origins)) return url.protocol === "http:" ? allowed.http : allowed.https;
    if (url.protocol !== "https:") throw new AddressRefused("only https is called");
    const host = hostOf(url);
    if (isIP(host) !== 0 && !isPublicAddress(host)) throw new AddressRefused(`${host} is not public`);
    return checked;
  }

  return {
    /** The beginning of the answer. Rejects with AddressRefused for where nothing may be sent. */
    async send(
      url: URL,
      { method, headers, body, signal }: PinnedRequest,
      origins: AllowedOrigins,
    ): Promise<IncomingMessage> {
      const agent = agentOf(url, origins);
      const request = url.protocol === "http:" ? httpRequest : httpsRequest;
      const length = body === null ? {} : { "content-length": String(Buffer.byteLength(body)) };
      return new Promise((answered, failed) => {
        const sent = request(url, { method, headers: { ...headers, ...length }, agent, signal });
        sent.on("response", answered);
        sent.on("error", failed);
        sent.end(body ?? undefined);
      });
    },
    close(): void {
      for (const agent of [checked, ...Object.values(allowed)]) agent.destroy();
    },
  };
}

/** Why there was no answer, without our own network's details. */
export function whyNoAnswer(error: unknown): string {
  if (error instanceof AddressRefused) return "the address is not public";
  const { code, name } = error as NodeJS.ErrnoException;
  return `no answer: ${code ?? name}`;
}
