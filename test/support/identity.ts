import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hash, verify } from "@node-rs/argon2";
import { mongo } from "mongoose";
import { IdentityServiceDefinition, Role } from "../../proto/gen/identity/v1/identity.js";
import { createClient, outgoing, type BatchingClient, type OutgoingExtra } from "../../services/kernel/grpc/client.js";
import type { GrpcDefinition } from "../../services/kernel/grpc/definition.js";
import type { ServiceName } from "../../services/kernel/grpc/context.js";
import { createLogger } from "../../services/kernel/process/log.js";
import { createRedis, redisReady } from "../../services/kernel/process/redis.js";
import { makeServiceKeys } from "../../services/kernel/tokens/make-service-keys.js";
import { createServiceTokenSigner } from "../../services/kernel/tokens/service-tokens.js";
import { testMongoUri, workerRedisUrl } from "./index.js";
import { password, registration, tenantDraft } from "./identity-drafts.js";
import type { Message } from "../../services/platform/messages/message.js";
import type { Notifications } from "../../services/platform/messages/notifications.js";
import type { Logger } from "../../services/kernel/process/log.js";
import type { ServiceKeys } from "../../services/kernel/tokens/service-tokens.js";
import { startIdentity, type IdentityDeps } from "../../services/identity/server.js";

const services: ServiceName[] = [
  "gateway",
  "compliance",
  "remittance",
  "wallet",
  "lending",
  "investment",
  "ledger",
  "events",
  "operator",
];

export type IdentityClient = BatchingClient<IdentityServiceDefinition>;
export type TestIdentity = Awaited<ReturnType<typeof startTestIdentity>>;

type Neighbours = Partial<
  Record<`${"COMPLIANCE" | "REMITTANCE" | "WALLET" | "LENDING" | "INVESTMENT" | "EVENTS"}_ADDRESS`, string>
>;

export interface TestIdentityOptions {
  /** A Redis of its own, for tests that stop it. */
  redisUrl?: string;
  replicas?: number;
  /** Of the answer to a change of a tenant. */
  preferenceHeldForMs?: number;
  /** How often people are looked for of whom compliance was not told. */
  introduceEveryMs?: number;
  env?: { ARGON2_MEMORY_KIB?: number; ARGON2_PASSES?: number; PLUGIN_SANDBOX_ORIGINS?: string };
  /** In place of the name servers. */
  resolve?: IdentityDeps["resolve"];
  /** Starts services that identity calls; answers their addresses. */
  startNeighbours?: (deps: { keys: ServiceKeys; log: Logger }) => Promise<Neighbours>;
}

/**
 * Identity on real MongoDB, Redis and gRPC, with a clock that tests move, counted hashes and its
 * log at hand.
 */
export async function startTestIdentity({
  redisUrl,
  replicas = 1,
  env = {},
  startNeighbours,
  preferenceHeldForMs = 0,
  introduceEveryMs,
  resolve,
}: TestIdentityOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), "identity-"));
  const masterKeyFile = join(folder, "master.key");
  await writeFile(masterKeyFile, randomBytes(32).toString("base64"));
  const keys = await makeServiceKeys([...services, "identity"]);
  const config = {
    NODE_ENV: "test" as const,
    LOG_LEVEL: "debug" as const,
    HOST: "127.0.0.1",
    PORT: 0,
    MONGODB_URI: testMongoUri(),
    MONGODB_DATABASE: `test_identity_${randomUUID().slice(0, 8)}`,
    REDIS_URL: redisUrl ?? workerRedisUrl(),
    SERVICE_KEY_FILE: "",
    SERVICE_JWKS_FILE: "",
    MASTER_KEY_FILE: masterKeyFile,
    ARGON2_MEMORY_KIB: 8,
    ARGON2_PASSES: 1,
    ...env,
  };
  const lines: string[] = [];
  const log = createLogger({
    service: "identity",
    level: "debug",
    destination: { write: (line) => void lines.push(line) },
  });
  let shiftMs = 0;
  const clock = { now: () => new Date(Date.now() + shiftMs) };
  const hashing = { hashed: 0, verified: 0 };
  const argon2 = {
    hash: ((...args) => (hashing.hashed++, hash(...args))) as typeof hash,
    verify: ((...args) => (hashing.verified++, verify(...args))) as typeof verify,
  };
  const sent: (Message & { account: string })[] = [];
  const notifications: Notifications = { send: async (account, message) => void sent.push({ account, ...message }) };
  const deps = {
    log,
    clock,
    argon2,
    notifications,
    preferenceHeldForMs,
    ...(introduceEveryMs !== undefined && { introduceEveryMs }),
    ...(resolve !== undefined && { resolve }),
    keys: { privateJwk: keys.private.identity, jwks: keys.jwks },
  };
  const redis = createRedis({ url: config.REDIS_URL, log, commandTimeoutMs: 2_000 });
  await redisReady(redis);
  await redis.flushdb();
  // A client of its own: the tenant guard and its monitor watch those of mongoose.
  const mongoClient = await new mongo.MongoClient(config.MONGODB_URI).connect();
  const db = mongoClient.db(config.MONGODB_DATABASE);
  const running: Awaited<ReturnType<typeof startIdentity>>[] = [];
  const neighbours = (await startNeighbours?.(deps)) ?? {};
  for (let index = 0; index < replicas; index++) running.push(await startIdentity({ ...config, ...neighbours }, deps));

  const clients: (IdentityClient & { close(): void })[] = [];
  const clientOf = (service: ServiceName, replica = 0) => {
    const signer = createServiceTokenSigner({ service, privateJwk: keys.private[service as "gateway"] });
    const address = `127.0.0.1:${running[replica]!.port}`;
    const client = createClient(IdentityServiceDefinition, { address, audience: "identity", signer });
    clients.push(client);
    return client;
  };
  const rpc = {} as Record<ServiceName, IdentityClient>;
  for (const service of services) rpc[service] = clientOf(service);

  return {
    rpc,
    clientOf,
    /** Of another service of the same process, as the operator or somebody else. */
    operatorOf<Def extends GrpcDefinition>(definition: Def, caller: ServiceName = "operator") {
      const signer = createServiceTokenSigner({ service: caller, privateJwk: keys.private[caller as "gateway"] });
      return createClient(definition, { address: `127.0.0.1:${running[0]!.port}`, audience: "identity", signer });
    },
    config,
    deps,
    db,
    redis,
    running,
    /** What was logged, as JSON lines. */
    lines,
    hashing,
    /** Messages that identity sent. */
    sent,
    /** Moves identity's clock on from now. */
    passMs: (ms: number) => void (shiftMs += ms),
    async stop() {
      for (const client of clients) client.close();
      for (const server of running) await server.stop();
      redis.disconnect();
      await db.dropDatabase();
      await mongoClient.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Options of a call in a tenant, for a user where a token is given. */
export function inTenant(tenantId: string, userToken?: string, extra?: OutgoingExtra) {
  return outgoing({ tenantId, interactionId: randomUUID(), ...(userToken === undefined ? {} : { userToken }) }, extra);
}

export const aboveTenants = () => inTenant("");

type TenantChange = Partial<ReturnType<typeof tenantDraft>["preference"]> & {
  agentCounterSales?: boolean;
  staffTotpRequired?: boolean;
  corsOrigins?: string[];
  recordRetentionYears?: number;
  singlePersonLimits?: { kind: string; below: { amountMinor: bigint; currency: string } }[];
  requiredDetails?: { detail: string; at: string }[];
};

/** A fresh tenant with what tests make in it. */
export async function newTenant({ rpc }: Pick<TestIdentity, "rpc">, change: TenantChange = {}) {
  const tenantId = `t-${randomUUID()}`;
  const draft = tenantDraft(tenantId);
  await rpc.operator.putTenant(
    { tenant: { ...draft, preference: { ...draft.preference, ...change } } },
    aboveTenants(),
  );

  async function staff(role: "MANAGER" | "AGENT" | "CASHIER", name = role.toLowerCase()) {
    const request = {
      idempotencyKey: randomUUID(),
      email: `${name}@x.example`,
      password,
      role: Role[`ROLE_${role}`],
      name,
    };
    const { user } = await rpc.operator.createStaffUser(request, inTenant(tenantId));
    return user!;
  }

  async function customer(name = "amina", more: { agentId?: string; customerCode?: string } = {}) {
    const { customer: made } = await rpc.operator.registerCustomer(
      { ...registration(name), ...more },
      inTenant(tenantId),
    );
    return made!;
  }

  async function login(name: string) {
    const request = { email: `${name}@x.example`, currentPassword: password };
    return (await rpc.gateway.login(request, inTenant(tenantId))).session!;
  }

  return { tenantId, draft, staff, customer, login };
}
