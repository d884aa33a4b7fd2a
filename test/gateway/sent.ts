import { request as httpRequest, type Agent, type IncomingHttpHeaders } from "node:http";

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  json: any;
}

export interface Sent {
  method?: string;
  path: string;
  headers?: Record<string, string | string[]>;
  /** Text or bytes as they are; anything else as JSON. */
  body?: unknown;
  signal?: AbortSignal;
  /** Keeps connections; without one each request has its own. */
  agent?: Agent;
}

export function send(port: number, { method = "GET", path, headers = {}, body, signal, agent }: Sent): Promise<Answer> {
  const bytes = bytesOf(body);
  return new Promise((resolve, reject) => {
    const json = bytes === undefined ? {} : { "Content-Type": "application/json", "Content-Length": bytes.length };
    const request = httpRequest({
      port,
      host: "127.0.0.1",
      method,
      path,
      agent: agent ?? false,
      headers: { Host: "demo.test", ...json, ...headers },
      ...(signal && { signal }),
    });
    request.once("error", reject);
    request.once("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("error", reject);
      response.once("end", () => {
        const text = Buffer.concat(chunks).toString();
        const isJson = response.headers["content-type"]?.startsWith("application/json") ?? false;
        const json = isJson && text !== "" ? (JSON.parse(text) as unknown) : undefined;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json });
      });
    });
    request.end(bytes);
  });
}

function bytesOf(body: unknown): Buffer | undefined {
  if (body === undefined) return undefined;
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
}
