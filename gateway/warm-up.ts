import { Agent, createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import type { Role } from "../services/kernel/grpc/context.js";
import { printJson } from "../services/kernel/json.js";
import { createLogger } from "../services/kernel/process/log.js";
import { warmUpTenantId } from "../services/kernel/process/warm-up-tenant.js";
import { Refusal } from "../services/kernel/refusal.js";
import { createMetrics } from "../services/kernel/telemetry/metrics.js";
import type { UserTokenVerifier } from "../services/kernel/tokens/user-tokens.js";
import type { WarmUp } from "../services/kernel/startup/warm-up.js";
import { createApp } from "./app.js";
import type { Clients } from "./clients.js";
import type { OfferedRoutes } from "./offered-routes.js";
import type { RateLimiter } from "./rate-limits.js";
import type { Route } from "./route.js";

// What apps ask for most, and at least one of every service. All of them ask for a user, which no
// service finds in the token that is sent: it refuses, and nothing happens behind it.
const hotOperations = [
  "listWalletAccounts",
  "payFromWallet",
  "createTransaction",
  "readTransaction",
  "createQuote",
  "findAllBeneficiaries",
  "fetchOrganisationPreference",
  "listOrganisationCompliancePolicy",
  "ledgerHistoryByInteractionId",
  "loanHistory",
  "listInvestments",
];
const timesEach = 5;
const deadlineMs = 5_000;
const fapiHeaders = {
  "x-fapi-interaction-id": "warm-up",
  "x-fapi-auth-date": "2026-01-01T00:00:00Z",
  "x-fapi-customer-ip-address": "192.0.2.1",
};

/** An application like the one that serves, with counts, limits and a log that nobody reads. */
export async function startRehearsal(
  clients: Clients,
  offered: OfferedRoutes,
): Promise<{ warmUps: WarmUp[]; stop(): void }> {
  const nowhere = async () => ({ tenantId: warmUpTenantId, sandboxTenantId: "", corsOrigins: [] });
  const app = createApp({
    clients: { ...clients, identity: { ...clients.identity, resolveHost: nowhere as never } },
    verifyUserToken: anybody,
    count: unlimited,
    log: createLogger({ service: "gateway", level: "silent" }),
    deadlineMs,
    metrics: createMetrics(),
    trustedProxyHops: 0,
    routes: offered,
    openApi: "{}",
  });
  const server = createServer(app.callback());
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  const warmUps = offered.offered
    .filter(({ operationId }) => hotOperations.includes(operationId))
    .map((route) => ({ name: route.operationId, times: timesEach, run: () => send(route, port, agent) }));
  const stop = (): void => {
    agent.destroy();
    server.close();
  };
  return { warmUps, stop };
}

const unlimited: RateLimiter = async (name) => ({ name, limit: 1, remaining: 1, resetS: 1, exceeded: false });

/** The token names the role. Services are sent it as it is, and refuse it. */
const anybody: UserTokenVerifier = async (token) => ({
  userId: warmUpTenantId,
  role: token as Role,
  tenantId: warmUpTenantId,
  customerId: warmUpTenantId,
  sessionId: warmUpTenantId,
  jti: warmUpTenantId,
  issuedAt: new Date(),
  expiresAt: new Date(Date.now() + deadlineMs),
});

/** Throws UNAVAILABLE where a service could not be reached, and where the edge itself refuses. */
async function send({ method, path, access, example = {} }: Route, port: number, agent: Agent): Promise<void> {
  const { params = {}, query = {}, headers = {}, body } = example;
  const filled = path.replaceAll(/:(\w+)/g, (_all, name: string) => params[name] ?? warmUpTenantId);
  const asked = new URLSearchParams(query).toString();
  const text = body && printJson(body);
  const own = { "X-Auth-Token": typeof access === "string" ? "CUSTOMER" : access[0]!, ...fapiHeaders, ...headers };
  const typed = text === undefined ? own : { ...own, "Content-Type": "application/json" };
  const status = await new Promise<number>((resolve, reject) => {
    const sent = httpRequest(
      { agent, port, host: "127.0.0.1", method, path: `${filled}?${asked}`, headers: typed },
      (response) => {
        response.resume();
        response.once("end", () => resolve(response.statusCode ?? 0));
        response.once("error", reject);
      },
    );
    sent.once("error", reject);
    sent.end(text);
  });
  if (status >= 500) throw new Refusal("UNAVAILABLE", `was answered ${status}`);
  // Another refusal is the edge's own: no service was reached.
  if (status !== 401) throw new Error(`was answered ${status} and not by a service`);
}
