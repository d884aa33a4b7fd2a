import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { Redis } from "ioredis";
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, type CryptoKey, type JSONWebKeySet } from "jose";
import { definitions } from "../../gateway/clients.js";
import type { GatewayConfig } from "../../gateway/config.js";
import { startGateway, type Gateway } from "../../gateway/server.js";
import { CloseBlockerServiceDefinition } from "../../proto/gen/operations/v1/closing.js";
import { ReportServiceDefinition } from "../../proto/gen/operations/v1/reports.js";
import { WorkQueueServiceDefinition } from "../../proto/gen/operations/v1/work_queues.js";
import { PluginOwnerServiceDefinition } from "../../proto/gen/plugins/v1/owner.js";
import type { Role, ServiceName } from "../../services/kernel/grpc/context.js";
import type { GrpcDefinition } from "../../services/kernel/grpc/definition.js";
import {
  alsoServe,
  startGrpcServer,
  type Access,
  type GrpcServer,
  type Handlers,
} from "../../services/kernel/grpc/server.js";
import { createLogger } from "../../services/kernel/process/log.js";
import { Refusal } from "../../services/kernel/refusal.js";
import { makeServiceKeys } from "../../services/kernel/tokens/make-service-keys.js";
import { createServiceTokenVerifier } from "../../services/kernel/tokens/service-tokens.js";
import { createUserTokenVerifier } from "../../services/kernel/tokens/user-tokens.js";
import { send, type Answer, type Sent } from "./sent.js";

const serviceNames = [
  "identity",
  "compliance",
  "remittance",
  "wallet",
  "lending",
  "investment",
  "ledger",
  "events",
] as const;
type Played = (typeof serviceNames)[number];

const otherDefinitions = {
  /** Of each service that owns a kind of plugin. */
  pluginOwners: PluginOwnerServiceDefinition,
  /** Of every service: the edge takes of an answer what is that service's. */
  workQueues: WorkQueueServiceDefinition,
  /** Of every service. */
  closeBlockers: CloseBlockerServiceDefinition,
  /** Of those that have reports of their own. */
  reports: ReportServiceDefinition,
} as const;
const allDefinitions = { ...definitions, ...otherDefinitions };
type Definitions = typeof allDefinitions;

/** What the played services answer; tests replace single rpcs. */
export type Fakes = { [Name in keyof Definitions]: Partial<Handlers<Definitions[Name]>> };

export { send, type Answer, type Sent };

export interface TokenClaims {
  role?: Role;
  tenantId?: string;
  userId?: string;
  customerId?: string;
  expiresInS?: number;
  /** Of an access token that stands for an API token. */
  scopes?: readonly string[];
}

export type Edge = Awaited<ReturnType<typeof startEdge>>;

export interface EdgeOptions {
  deadlineMs?: number;
  adminPort?: number;
  requestTimeoutMs?: number;
  consoleFolder?: string;
  /** Variables of the gateway, by their parsed values. */
  config?: Partial<GatewayConfig>;
}

/**
 * A database of Redis for each worker, where no mirror of revocations is kept: they are asked of
 * identity.
 */
const redisUrl = () =>
  `${process.env["REDIS_URL"] ?? "redis://127.0.0.1:6379"}/${14 + (Number(process.env["JEST_WORKER_ID"] ?? 0) % 2)}`;

/** What this worker's earlier tests have been counted for. */
export async function forgetCounts(): Promise<void> {
  const redis = new Redis(redisUrl());
  await redis.flushdb();
  redis.disconnect();
}

export async function startEdge(options: EdgeOptions = {}) {
  const keys = await makeServiceKeys(["gateway", ...serviceNames]);
  const signing = await userKeys();
  const revoked = new Set<string>();
  const fakes = { ...standardFakes(signing.jwks, revoked) };
  const servers = await playServices(fakes, keys.jwks, signing.jwks);
  const folder = await mkdtemp(join(tmpdir(), "manilla-edge-"));
  await writeFile(join(folder, "key.json"), JSON.stringify(keys.private.gateway));
  await writeFile(join(folder, "jwks.json"), JSON.stringify(keys.jwks));
  const logged: string[] = [];
  const destination = new Writable({ write: (line, _encoding, done) => (logged.push(String(line)), done()) });
  const addressOf = (name: Played) => `127.0.0.1:${servers[name].port}`;
  const config = {
    NODE_ENV: "test",
    LOG_LEVEL: "info",
    HOST: "127.0.0.1",
    PORT: 0,
    ...(options.adminPort && { ADMIN_PORT: options.adminPort }),
    REDIS_URL: redisUrl(),
    SERVICE_KEY_FILE: join(folder, "key.json"),
    SERVICE_JWKS_FILE: join(folder, "jwks.json"),
    IDENTITY_ADDRESS: addressOf("identity"),
    COMPLIANCE_ADDRESS: addressOf("compliance"),
    REMITTANCE_ADDRESS: addressOf("remittance"),
    WALLET_ADDRESS: addressOf("wallet"),
    INVESTMENT_ADDRESS: addressOf("investment"),
    LENDING_ADDRESS: addressOf("lending"),
    LEDGER_ADDRESS: addressOf("ledger"),
    EVENTS_ADDRESS: addressOf("events"),
    TRUSTED_PROXY_HOPS: 0,
    DRAIN_LINGER_MS: 0,
    ...options.config,
  } as const;
  const log = createLogger({ service: "gateway", level: "info", destination });
  const gateway: Gateway = await startGateway(config, {
    log,
    ...(options.deadlineMs && { deadlineMs: options.deadlineMs }),
    ...(options.requestTimeoutMs && { requestTimeoutMs: options.requestTimeoutMs }),
    ...(options.consoleFolder && { consoleFolder: options.consoleFolder }),
  });
  return {
    port: gateway.port,
    fakes,
    servers,
    revoked,
    logged,
    gateway,
    token: (claims: TokenClaims = {}) => signing.sign(claims),
    /** A customer's token and what a forger can know of it. */
    genuineToken: async () => {
      const token = await signing.sign({});
      const [header = "", claims = ""] = token.split(".");
      const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString()) as Record<string, unknown>;
      const [publicJwk = {}] = signing.jwks.keys;
      return { token, header: read(header), claims: read(claims), publicJwk, publicPem: signing.publicPem };
    },
    /** Signs anything with the users' key. */
    resign: signing.signAnything,
    send: (sent: Sent) => send(gateway.port, sent),
    stop: async () => {
      await gateway.stop();
      await Promise.all(Object.values(servers).map((server) => server.stop(0)));
      await rm(folder, { recursive: true });
    },
  };
}

async function userKeys() {
  const { publicKey, privateKey } = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
  const jwks: JSONWebKeySet = {
    keys: [{ ...(await exportJWK(publicKey)), kid: "user-key", alg: "EdDSA", use: "sig" }],
  };
  return {
    jwks,
    publicPem: await exportSPKI(publicKey),
    sign: (claims: TokenClaims) => signUserToken(privateKey, claims),
    signAnything: async (header: Record<string, unknown>, claims: Record<string, unknown>) => {
      const input = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
      const signature = await crypto.subtle.sign("Ed25519", privateKey, Buffer.from(input));
      return `${input}.${Buffer.from(signature).toString("base64url")}`;
    },
  };
}

function signUserToken(key: CryptoKey, claims: TokenClaims): Promise<string> {
  const { role = "CUSTOMER", tenantId = "demo", userId = "user-1", customerId, expiresInS = 3_600, scopes } = claims;
  const customer = role === "CUSTOMER" ? { customer_id: customerId ?? "customer-1" } : {};
  const issuedAtS = Math.floor(Date.now() / 1_000) - (expiresInS < 0 ? 7_200 : 0);
  return new SignJWT({ sid: `session-of-${userId}`, role, ...customer, ...(scopes && { scope: scopes.join(" ") }) })
    .setProtectedHeader({ alg: "EdDSA", kid: "user-key", typ: "JWT" })
    .setIssuer("manilla")
    .setAudience(tenantId)
    .setSubject(userId)
    .setJti(randomUUID())
    .setIssuedAt(issuedAtS)
    .setExpirationTime(expiresInS < 0 ? Math.floor(Date.now() / 1_000) + expiresInS : issuedAtS + expiresInS)
    .sign(key);
}

function standardFakes(jwks: JSONWebKeySet, revoked: Set<string>): Fakes {
  const tenants: Record<string, string> = { "demo.test": "demo", "other.test": "other", localhost: "demo" };
  return {
    ...(nothingPlayed() as Omit<Fakes, "identity">),
    identity: {
      resolveHost: async ({ host }) => {
        const tenantId = tenants[host];
        if (tenantId === undefined) throw new Refusal("TENANT_NOT_FOUND", "no such host");
        return {
          tenantId,
          sandboxTenantId: `${tenantId}-sandbox`,
          corsOrigins: [`https://app.${host}`],
          name: `${tenantId} & "Sons"`,
        };
      },
      getJwks: async () => ({ jwksJson: JSON.stringify(jwks) }),
      checkRevocation: async ({ sessionId }) => ({ revoked: revoked.has(sessionId) }),
    },
  };
}

const nothingPlayed = () => Object.fromEntries(Object.keys(allDefinitions).map((name) => [name, {}]));

async function playServices(fakes: Fakes, serviceJwks: JSONWebKeySet, userJwks: JSONWebKeySet) {
  const verifyUserToken = createUserTokenVerifier({ jwks: async () => userJwks, revocations: async () => false });
  const played = (name: keyof Fakes) => {
    const definition: GrpcDefinition = allDefinitions[name];
    const handlers: Record<string, unknown> = {};
    const access: Record<string, unknown> = {};
    for (const rpc of Object.keys(definition.methods)) {
      handlers[rpc] = (request: never, call: never) => {
        const handler = (fakes[name] as Record<string, ((request: never, call: never) => unknown) | undefined>)[rpc];
        if (!handler) throw new Error(`the test does not play ${name}.${rpc}`);
        return handler(request, call);
      };
      const aboveTenants = ["resolveHost", "getJwks", "findPlugin"].includes(rpc);
      access[rpc] = { callers: ["gateway"], user: "optional", tenant: aboveTenants ? "none" : "required" };
    }
    return { definition, handlers: handlers as Handlers<GrpcDefinition>, access: access as Access<GrpcDefinition> };
  };
  const play = (service: Played & ServiceName, more: readonly (keyof Fakes)[] = []): Promise<GrpcServer> =>
    startGrpcServer({
      service,
      ...played(service),
      extraDefinitions: [...more, "workQueues" as const, "closeBlockers" as const].map((name) =>
        alsoServe(played(name)),
      ),
      host: "127.0.0.1",
      port: 0,
      verifyServiceToken: createServiceTokenVerifier({ self: service, jwks: serviceJwks }),
      verifyUserToken,
      log: createLogger({ service, level: "silent" }),
      reflection: false,
    });
  return {
    identity: await play("identity", ["plugins"]),
    compliance: await play("compliance", ["cases", "screening"]),
    remittance: await play("remittance", ["pluginOwners", "reports"]),
    wallet: await play("wallet", [
      "tills",
      "branchCash",
      "counter",
      "agents",
      "agentAccounts",
      "agentSettlements",
      "reports",
    ]),
    investment: await play("investment"),
    lending: await play("lending", ["reports"]),
    ledger: await play("ledger", [
      "settlements",
      "manualJournals",
      "positions",
      "partnerBalances",
      "periods",
      "packages",
      "reports",
    ]),
    events: await play("events", ["webhooks", "notifications", "pluginOwners"]),
  };
}
