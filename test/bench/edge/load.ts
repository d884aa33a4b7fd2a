import { Agent, request } from "node:http";

export interface Shot {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface Measured {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  failed: number;
}

/**
 * Keeps `clients` requests in flight for `seconds`; each client waits for its answer before it asks
 * again.
 */
export async function load(
  shot: Shot | ((client: number) => Shot),
  clients: number,
  seconds: number,
): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const latencies: number[] = [];
  let failed = 0;
  const startedAt = performance.now();
  const until = startedAt + seconds * 1_000;
  const client = async (_each: unknown, index: number): Promise<void> => {
    while (performance.now() < until) {
      const sentAt = performance.now();
      const status = await once(typeof shot === "function" ? shot(index) : shot, agent).catch(() => 0);
      latencies.push(performance.now() - sentAt);
      if (status !== 200) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const elapsedS = (performance.now() - startedAt) / 1_000;
  agent.destroy();
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? NaN;
  return { perSecond: latencies.length / elapsedS, p50Ms: at(0.5), p99Ms: at(0.99), failed };
}

/** One request, its answer read to the end. Its status. */
export function once({ url, method = "GET", headers = {}, body }: Shot, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent }, (response) => {
      response.resume();
      response.once("end", () => resolve(response.statusCode ?? 0));
      response.once("error", reject);
    });
    sent.once("error", reject);
    sent.end(body);
  });
}
