import type { IncomingMessage } from "node:http";
import { boundedBytesOf, partnerJsonBounds } from "../../kernel/formats/bounded-json.js";
import type { AllowedOrigins } from "./address.js";
import type { Resolve } from "./addresses.js";
import { createPinnedRequests } from "./pinned-requests.js";

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

// More than a page of a statement; whoever answers more is not read on.
const maxAnswerBytes = partnerJsonBounds.bytes;

/** To whom the operator named: wherever the name leads. */
export const fetchExchange: Exchange = async (url, request) => {
  const response = await fetch(url, { ...request, redirect: "error" });
  return { status: response.status, text: (await boundedBytesOf(response, maxAnswerBytes)).toString() };
};

/** To whom a tenant named: by requests to addresses that were checked. */
export function createPinnedExchange({ resolve }: { resolve: Resolve }) {
  const requests = createPinnedRequests(resolve);
  return {
    to:
      (allowed: AllowedOrigins): Exchange =>
      async (url, request) => {
        const response = await requests.send(url, request, allowed);
        const status = response.statusCode ?? 0;
        const text = await textOf(response);
        if (status >= 300 && status < 400) throw new Error("the partner redirects");
        return { status, text };
      },
    close: () => requests.close(),
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
