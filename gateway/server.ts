import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { startAdmin } from "../services/kernel/startup/admin.js";
import { keyFilesOf } from "../services/kernel/process/config.js";
import { createServiceAuth } from "../services/kernel/grpc/service-auth.js";
import { createLogger, type Logger } from "../services/kernel/process/log.js";
import { createRedis, redisReady } from "../services/kernel/process/redis.js";
import { Refusal, type RefusalCode } from "../services/kernel/refusal.js";
import { loadServiceKeys } from "../services/kernel/tokens/service-tokens.js";
import { createApp } from "./app.js";
import { createClients, type Clients } from "./clients.js";
import { processMetrics } from "../services/kernel/telemetry/metrics.js";
import {
  warmUp,
  warmUpCalls,
  warmUpKeys,
  warmUpRedis,
  warmUpSeconds,
  type WarmUp,
} from "../services/kernel/startup/warm-up.js";
import { limitsOf, type GatewayConfig } from "./config.js";
import { failureOf } from "./failure.js";
import { endEventStreams } from "./event-stream.js";
import { offeredRoutes } from "./offered-routes.js";
import { createRateLimiter } from "./rate-limits.js";

const requestDeadlineMs = 10_000;
const headersTimeoutMs = 10_000;
// A body that trickles in holds a connection no longer than the whole request may take.
const requestTimeoutMs = 10_000;
const connectionSweepMs = 1_000;
// A client that reads no answer, or keeps a connection for nothing, is cut off after so long.
const silenceMs = 30_000;
const maxHeaderBytes = 16 * 1024;
// A connection is kept longer than load balancers keep it, so that they close first and never send
// on one that we are closing.
const keepAliveMs = 75_000;
const drainMs = 15_000;
// Late clients are served so long after the quiet time; with preStop and the drain it stays below
// the chart's grace period.
const maxLingerMs = 12_000;
const redisWaitMs = 1_000;

export interface Gateway {
  port: number;
  /** Stops accepting, lets running requests end for up to 15 s, then closes everything. */
  stop(): Promise<void>;
}

/**
 * Starts the HTTP edge. It serves at once, and says that it is ready when it is warm; a service
 * that is away is a 503 of the operations that need it.
 */
export async function startGateway(
  config: GatewayConfig,
  deps: { log?: Logger; deadlineMs?: number; requestTimeoutMs?: number; consoleFolder?: string } = {},
): Promise<Gateway> {
  const log = deps.log ?? createLogger({ service: "gateway", level: config.LOG_LEVEL, isBusy: true });
  const keys = await loadServiceKeys(keyFilesOf(config, log));
  const redis = createRedis({ url: config.REDIS_URL, log });
  // Limits are counted together from the first request on, if Redis is there at all.
  await redisReady(redis, redisWaitMs).catch(() => undefined);
  const auth = createServiceAuth({ service: "gateway", keys, redis, identityAddress: config.IDENTITY_ADDRESS });
  const metrics = processMetrics;
  const clients = createClients(config, auth, metrics);
  const { deadlineMs = requestDeadlineMs } = deps;
  const routes = offeredRoutes({ investment: config.INVESTMENT_ADDRESS !== undefined });
  const app = createApp({
    clients,
    verifyUserToken: auth.verifyUserToken,
    count: createRateLimiter(redis, limitsOf(config), metrics),
    log,
    deadlineMs,
    metrics,
    trustedProxyHops: config.TRUSTED_PROXY_HOPS,
    routes,
    consoleFolder: deps.consoleFolder,
  });
  const server = createServer(
    {
      headersTimeout: Math.min(headersTimeoutMs, deps.requestTimeoutMs ?? headersTimeoutMs),
      requestTimeout: deps.requestTimeoutMs ?? requestTimeoutMs,
      connectionsCheckingInterval: Math.min(connectionSweepMs, deps.requestTimeoutMs ?? connectionSweepMs),
      maxHeaderSize: maxHeaderBytes,
      keepAliveTimeout: keepAliveMs,
      // A request without Host is answered in our own shape, as one for an unknown host.
      requireHostHeader: false,
    },
    app.callback(),
  );
  server.setTimeout(silenceMs);
  server.on("clientError", answerBrokenRequest);
  await auth.reachIdentity(config.BOOT_WAIT_S);
  const port = await listen(server, config.PORT, config.HOST);
  const admin = config.ADMIN_PORT === undefined ? undefined : await startAdmin(config.ADMIN_PORT, config.HOST);
  const warmUps = [warmUpRedis(redis), warmUpKeys(auth.verifyUserToken), ...warmUpConnections(clients)];
  await warmUp(warmUps, warmUpSeconds(config), log);
  admin?.setReady(true);
  log.info({ port }, "gateway is listening");
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    admin?.setReady(false);
    endEventStreams();
    await drain(server, config.DRAIN_LINGER_MS ?? 0);
    clients.close();
    auth.close();
    redis.disconnect();
    await admin?.stop();
  };
  return { port, stop: () => (stopping ??= stop()) };
}

/** Opens a connection to each service, which refuses the call since no user rides along. */
function warmUpConnections({ workQueues, ledger }: Pick<Clients, "workQueues" | "ledger">): WarmUp[] {
  const counted = Object.entries(workQueues).map(
    ([name, { countWork }]) => [name, countWork.bind(undefined, {})] as const,
  );
  return warmUpCalls({ ...Object.fromEntries(counted), ledger: (call) => ledger.getChart({}, call) }, 1);
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

/**
 * Sends clients away by the answers they get, as long as some come who do not know yet; closes when
 * none has come for `quietMs`, so that no request meets a closing connection.
 */
async function drain(server: Server, quietMs: number): Promise<void> {
  let lastRequestAt = performance.now();
  // Answers from now on close their connections, rather than keep them for more.
  server.prependListener("request", (_req, res) => {
    lastRequestAt = performance.now();
    res.setHeader("Connection", "close");
  });
  const giveUpAt = performance.now() + quietMs + maxLingerMs;
  for (;;) {
    const waitMs = Math.min(lastRequestAt + quietMs, giveUpAt) - performance.now();
    if (waitMs <= 0) break;
    await sleep(waitMs);
  }
  // Sockets are read before they close: else a connection with an unread request counts as idle,
  // and one not yet accepted is reset.
  const afterReading = (work: () => void) => setImmediate(work);
  const closed = new Promise<void>((resolve) => afterReading(() => server.close(() => resolve())));
  const sweep = setInterval(() => afterReading(() => server.closeIdleConnections()), 100);
  const cut = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}

const brokenRequests: Record<string, { code: RefusalCode; line: string; message: string }> = {
  HPE_HEADER_OVERFLOW: {
    code: "HEADERS_TOO_LARGE",
    line: "431 Request Header Fields Too Large",
    message: `the URL and headers together are larger than ${maxHeaderBytes / 1024} kB`,
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: "REQUEST_TIMEOUT",
    line: "408 Request Timeout",
    message: "the request did not arrive in time",
  },
};

// What helmet gives to every other answer.
const brokenHeaders = [
  "Content-Type: application/json; charset=utf-8",
  "Cache-Control: no-store",
  "Strict-Transport-Security: max-age=31536000; includeSubDomains",
  "X-Content-Type-Options: nosniff",
  "Referrer-Policy: no-referrer",
  "Content-Security-Policy: default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none';object-src 'none'",
  "Connection: close",
];

/**
 * Node could not read the request as HTTP: it never became one, so the answer is written to the
 * socket.
 */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const broken = brokenRequests[error.code ?? ""] ?? {
    code: "INVALID_INPUT" as const,
    line: "400 Bad Request",
    message: "the request is not valid HTTP",
  };
  const { body } = failureOf(new Refusal(broken.code, broken.message));
  const head = [`HTTP/1.1 ${broken.line}`, ...brokenHeaders, `Content-Length: ${Buffer.byteLength(body)}`];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
