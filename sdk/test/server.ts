import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
  method: string;
  /** Path and query. */
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  /** Text as it is, else an object as JSON. */
  body?: string | object;
  /** The connection breaks instead of an answer. */
  breaks?: boolean;
  /** It breaks in the middle of the body. */
  cut?: boolean;
  /** The body is sent, and never ends. */
  stays?: boolean;
  /** No answer ever comes. */
  hangs?: boolean;
}

export type Handler = (received: Received, count: number) => Reply | Promise<Reply>;

/** A server that answers as a test says, and keeps what it received. */
export async function serve(handler: Handler) {
  const received: Received[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => void chunks.push(chunk));
    request.on("end", () => {
      void (async () => {
        const one = {
          method: request.method ?? "",
          url: request.url ?? "",
          headers: request.headers,
          body: Buffer.concat(chunks).toString(),
        };
        received.push(one);
        const {
          status = 200,
          headers = {},
          body = {},
          breaks,
          cut,
          stays,
          hangs,
        } = await handler(one, received.length);
        if (hangs) return;
        if (breaks) return void request.socket.destroy();
        const text = typeof body === "string" ? body : JSON.stringify(body);
        response.writeHead(status, { "content-type": "application/json", ...headers });
        if (stays) return void response.write(text);
        if (!cut) return void response.end(text);
        response.write(text.slice(0, text.length / 2), () => request.socket.destroy());
      })();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => void server.close(resolve));
    },
  };
}

export type TestServer = Awaited<ReturnType<typeof serve>>;

/** `data` in the envelope of the contract. */
export function enveloped(data: unknown): object {
  return { status: "SUCCESS", data, message: "done" };
}

export function refusal(status: number, code: string, headers: Record<string, string> = {}): Reply {
  return { status, headers, body: { status: "FAILED", message: code.toLowerCase(), code } };
}
