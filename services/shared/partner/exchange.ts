import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { isIP } from "node:net";
import { hostOf, isAllowedOrigin, isPublicAddress, type AllowedOrigins } from "./address.js";
import { AddressRefused, pinnedLookup, type Resolve } from "./addresses.js";

export interface ExchangeRequest {
  method: string;
  headers: Record<string, string>;
  body: string | null;
  signal: AbortSignal;
}

export interface ExchangeAnswer {
  status: number;
  text: string;
}

/** One request and the whole answer. Throws where there is none, or it is a redirect. */
export type Exchange = (url: URL, request: ExchangeRequest) => Promise<ExchangeAnswer>;

/** To whom the operator named: wherever the name leads. */
export const fetchExchange: Exchange = async (url, request) => {
  const response = await fetch(url, { ...request, redirect: "error" });
  return { status: response.status, text: await response.text() };
};

// More than a page of a statement; whoever answers more is not read on.
const maxAnswerBytes = 8 * 1_024 * 1_024;
const keepAliveMs = 30_000;

/**
 * To whom a tenant named: to addresses that were checked when they were connected to, and by https,
 * but for origins that the operator allows.
 */
export function createPinnedExchange({ resolve }: { resolve: Resolve }) {
  const keep = { keepAlive: true, maxFreeSockets: 16, timeout: keepAliveMs };
  const checked = new HttpsAgent({ ...keep, lookup: pinnedLookup(resolve) });
  // Sockets to what the operator allows sandboxes are theirs alone: a live tenant's call must not find one open.
  const allowedAgents = { "http:": new HttpAgent(keep), "https:": new HttpsAgent(keep) };

  function agentOf(url: URL, allowed: AllowedOrigins): HttpAgent | HttpsAgent {
    if (isAllowedOrigin(url, allowed)) return allowedAgents[url.protocol as "http:" | "https:"];
    if (url.protocol !== "https:") throw new AddressRefused("only https is called");
    const host = hostOf(url);
    if (isIP(host) !== 0 && !isPublicAddress(host)) throw new AddressRefused(`${host} is not public`);
    return checked;
  }

  return {
    to:
      (allowed: AllowedOrigins): Exchange =>
      async (url, { method, headers, body, signal }) => {
        const agent = agentOf(url, allowed);
        const request = url.protocol === "http:" ? httpRequest : httpsRequest;
        const length = body === null ? {} : { "content-length": String(Buffer.byteLength(body)) };
        const response = await new Promise<IncomingMessage>((answered, failed) => {
          const sent = request(url, { method, headers: { ...headers, ...length }, agent, signal });
          sent.on("response", answered);
          sent.on("error", failed);
          sent.end(body ?? undefined);
        });
        const status = response.statusCode ?? 0;
        const text = await textOf(response);
        if (status >= 300 && status < 400) throw new Error("the partner redirects");
        return { status, text };
      },
    close(): void {
      for (const agent of [checked, ...Object.values(allowedAgents)]) agent.destroy();
    },
  };
}

export type PinnedExchange = ReturnType<typeof createPinnedExchange>;

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxAnswerBytes) throw new Error("the partner's answer is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
