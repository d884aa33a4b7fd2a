import { randomUUID } from "node:crypto";
import { SignJWT, exportJWK, generateKeyPair, type JSONWebKeySet } from "jose";
import { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { silentLog, testRedis, workerRedisUrl } from "../../../test/support/index.js";
import { createProbeNetwork } from "../../../test/support/transport.js";
import type { Redis } from "../process/redis.js";
import { revocationKeys } from "./revocations.js";
import { createServiceTokenVerifier } from "../tokens/service-tokens.js";
import { outgoing } from "./client.js";
import type { Call } from "./context.js";
import { startGrpcServer, type Access, type GrpcServer, type Handlers } from "./server.js";
import { createServiceAuth, type ServiceAuth } from "./service-auth.js";

const amount = { amountMinor: 1n, currency: "USD" };

let redis: Redis;
let network: Awaited<ReturnType<typeof createProbeNetwork>>;
let issuing: { privateKey: CryptoKey; jwks: JSONWebKeySet };
let identity: Awaited<ReturnType<typeof startIdentity>>;
let auth: ServiceAuth;

beforeAll(async () => {
  redis = await testRedis(workerRedisUrl());
  network = await createProbeNetwork();
  const { publicKey, privateKey } = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
  issuing = { privateKey, jwks: { keys: [{ ...(await exportJWK(publicKey)), kid: "k1" }] } };
});
beforeEach(async () => {
  await redis.flushdb();
  identity = await startIdentity();
  auth = createServiceAuth({
    service: "ledger",
    keys: { privateJwk: network.keys.private.ledger, jwks: network.keys.jwks },
    redis,
    identityAddress: `127.0.0.1:${identity.port}`,
  });
});
afterEach(async () => {
  auth.close();
  await network.close();
  await identity.stop(100);
});
afterAll(() => redis.quit());

/** Identity as far as other services need it to verify tokens. */
async function startIdentity(): Promise<GrpcServer & { calls: Record<string, Call[]>; revoked: Set<string> }> {
  const calls = { getJwks: [] as Call[], checkRevocation: [] as Call[] };
  const revoked = new Set<string>();
  const handlers: Pick<Handlers<typeof IdentityServiceDefinition>, "getJwks" | "checkRevocation"> = {
    getJwks: async (_, call) => {
      calls.getJwks.push(call);
      return { jwksJson: JSON.stringify(issuing.jwks) };
    },
    checkRevocation: async ({ sessionId }, call) => {
      calls.checkRevocation.push(call);
      return { revoked: revoked.has(sessionId) };
    },
  };
  const { getJwks, checkRevocation } = IdentityServiceDefinition.methods;
  const access: Pick<Access<typeof IdentityServiceDefinition>, "getJwks" | "checkRevocation"> = {
    getJwks: { callers: ["ledger"], tenant: "none" },
    checkRevocation: { callers: ["ledger"] },
  };
  const server = await startGrpcServer({
    service: "identity",
    definition: { ...IdentityServiceDefinition, methods: { getJwks, checkRevocation } },
    handlers,
    access,
    host: "127.0.0.1",
    port: 0,
    verifyServiceToken: createServiceTokenVerifier({ self: "identity", jwks: network.keys.jwks }),
    log: silentLog,
    reflection: false,
  });
  return { ...server, calls, revoked };
}

async function accessToken(sessionId: string, part: { scope?: string } = {}): Promise<string> {
  const iat = Math.floor(Date.now() / 1_000);
  const claims = { iss: "manilla", aud: "acme", sub: "u1", sid: sessionId, jti: randomUUID(), role: "AGENT", ...part };
  return new SignJWT({ ...claims, iat, exp: iat + 900 })
    .setProtectedHeader({ alg: "EdDSA", kid: "k1" })
    .sign(issuing.privateKey);
}

async function serveForUsers() {
  const { address } = await network.serve({
    verifyUserToken: auth.verifyUserToken,
    access: { read: { callers: ["wallet"], user: "required" } },
    handlers: { read: async (request, { user }) => ({ ...request, currency: user?.userId }) },
  });
  return network.client({ address });
}

test("a user's token is verified with identity's keys, fetched once, and with the mirror alone", async () => {
  const client = await serveForUsers();
  await redis.set(revocationKeys.complete, "1", "PX", 10_000);
  const call = outgoing({ tenantId: "acme", interactionId: "i-1", userToken: await accessToken("s1") });
  for (let index = 0; index < 5; index += 1) {
    await expect(client.read(amount, call)).resolves.toMatchObject({ currency: "u1" });
  }
  expect(identity.calls["getJwks"]).toHaveLength(1);
  expect(identity.calls["checkRevocation"]).toHaveLength(0);
  await expect(client.read(amount, { ...call, tenantId: "other" })).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
});

test("a handler is told what an API token is limited to, and that whoever logged in is limited to nothing", async () => {
  await redis.set(revocationKeys.complete, "1", "PX", 10_000);
  const stated: unknown[] = [];
  const { address } = await network.serve({
    verifyUserToken: auth.verifyUserToken,
    access: { read: { callers: ["wallet"], user: "required" } },
    handlers: { read: async (request, { user }) => (stated.push(user?.scopes), request) },
  });
  const client = network.client({ address });
  for (const part of [{ scope: "transactions:read compliance:read" }, { scope: "" }, {}]) {
    const userToken = await accessToken("s1", part);
    await client.read(amount, outgoing({ tenantId: "acme", interactionId: "i-1", userToken }));
  }
  expect(stated).toEqual([["transactions:read", "compliance:read"], [], undefined]);
});

test("a revocation in the mirror holds for the next call", async () => {
  const client = await serveForUsers();
  await redis.set(revocationKeys.complete, "1", "PX", 10_000);
  const call = outgoing({ tenantId: "acme", interactionId: "i-1", userToken: await accessToken("s1") });
  await client.read(amount, call);
  await redis.set(revocationKeys.session("s1"), String(Date.now()));
  await expect(client.read(amount, call)).rejects.toMatchObject({ code: "TOKEN_REVOKED" });
});

test("without the mirror identity is asked by rpc, under the call's tenant, interaction and deadline", async () => {
  const client = await serveForUsers();
  const call = outgoing(
    { tenantId: "acme", interactionId: "i-7", userToken: await accessToken("s2") },
    { timeoutMs: 3_000 },
  );
  await expect(client.read(amount, call)).resolves.toBeDefined();
  identity.revoked.add("s2");
  await expect(client.read(amount, call)).rejects.toMatchObject({ code: "TOKEN_REVOKED" });
  const [requested] = identity.calls["checkRevocation"] ?? [];
  expect(requested).toMatchObject({ tenantId: "acme", interactionId: "i-7", caller: "ledger" });
  expect((requested?.deadline?.getTime() ?? 0) - Date.now()).toBeLessThan(3_000);
});

test("503: neither the mirror nor identity is there", async () => {
  const client = await serveForUsers();
  const call = outgoing({ tenantId: "acme", interactionId: "i-1", userToken: await accessToken("s1") });
  await client.read(amount, call);
  await identity.stop();
  await expect(client.read(amount, call)).rejects.toMatchObject({ code: "UNAVAILABLE", details: { retryAfterS: 1 } });
});
