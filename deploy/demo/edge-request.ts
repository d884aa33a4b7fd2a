import { request } from "node:http";
import { parseJson, printJson } from "../../services/kernel/json.js";

const timeoutMs = 15_000;

export interface EdgeRequest {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: Record<string, unknown>;
}

export interface EdgeReply {
  status: number;
  content: Record<string, unknown>;
}

/**
 * Sends one request to a gateway under a tenant's host name, which `fetch` would replace by the
 * address. Rejects where nobody answers, or not in JSON.
 */
export function sendToEdge(baseUrl: string, host: string, { method, path, headers, body }: EdgeRequest) {
  return new Promise<EdgeReply>((resolve, reject) => {
    const content = body === undefined ? undefined : printJson(body);
    const own = { Host: host, ...headers, ...(content === undefined ? {} : { "Content-Type": "application/json" }) };
    const signal = AbortSignal.timeout(timeoutMs);
    const sent = request(new URL(path, baseUrl), { method, headers: own, signal }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => void chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        try {
          const parsed = parseJson(Buffer.concat(chunks).toString()) as Record<string, unknown>;
          resolve({ status: response.statusCode ?? 0, content: parsed });
        } catch {
          reject(new Error(`${method} ${path} was answered ${response.statusCode}, and not in JSON`));
        }
      });
    });
    sent.on("error", reject);
    sent.end(content);
  });
}
