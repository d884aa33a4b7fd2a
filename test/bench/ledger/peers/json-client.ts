import { Agent, request } from "node:http";

export interface JsonAnswer {
  readonly status: number;
  readonly text: string;
}

export type PostJson = (path: string, body: unknown, headers?: Record<string, string>) => Promise<JsonAnswer>;

/** Posts JSON over so many connections that stay open. */
export function createJsonClient(port: number, connections: number): { post: PostJson; close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const post: PostJson = (path, body, headers = {}) =>
    new Promise((resolve, reject) => {
      const bytes = Buffer.from(JSON.stringify(body));
      const own = { "content-type": "application/json", "content-length": String(bytes.length), ...headers };
      const call = request({ host: "127.0.0.1", port, path, method: "POST", agent, headers: own }, (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("error", reject);
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString("utf8") }),
        );
      });
      call.on("error", reject);
      call.end(bytes);
    });
  return { post, close: () => agent.destroy() };
}

/** Throws unless the answer is one of success. */
export function assertOk(what: string, { status, text }: JsonAnswer): void {
  if (status < 200 || status > 299) throw new Error(`${what}: ${status} ${text.slice(0, 500)}`);
}
