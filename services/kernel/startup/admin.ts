import { createServer, type ServerResponse } from "node:http";
import { processMetrics, type Metrics } from "../telemetry/metrics.js";

export interface Admin {
  setReady(ready: boolean): void;
  stop(): Promise<void>;
}

/**
 * Plain HTTP for the orchestrator: /healthz says that the process lives, /readyz that it takes
 * calls (not at first), and /metrics what it counts, for Prometheus.
 */
export async function startAdmin(port: number, host: string, metrics: Metrics = processMetrics): Promise<Admin> {
  let ready = false;
  const server = createServer((request, response) => {
    if (request.url === "/metrics") {
      void answerMetrics(response, metrics);
      return;
    }
    const known = request.url === "/healthz" || request.url === "/readyz";
    const ok = known && (ready || request.url === "/healthz");
    response.statusCode = ok ? 200 : known ? 503 : 404;
    response.setHeader("Content-Type", "text/plain");
    response.end(ok ? "ok\n" : known ? "not ready\n" : "not found\n");
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  return {
    setReady(value) {
      ready = value;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answerMetrics(response: ServerResponse, metrics: Metrics): Promise<void> {
  try {
    const { contentType, body } = await metrics.text();
    response.setHeader("Content-Type", contentType);
    response.end(body);
  } catch {
    response.statusCode = 500;
    response.end("metrics cannot be gathered\n");
  }
}
