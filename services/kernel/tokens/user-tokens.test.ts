import { SignJWT, exportJWK, generateKeyPair, type JSONWebKeySet } from "jose";
import { waitFor } from "../../../test/support/index.js";
import { Refusal } from "../refusal.js";
import type { RevocationSubject } from "../grpc/revocations.js";
import { createUserTokenVerifier } from "./user-tokens.js";

interface IssuingKey {
  kid: string;
  privateKey: CryptoKey;
  jwks: JSONWebKeySet;
}

async function makeKey(kid: string): Promise<IssuingKey> {
  const { publicKey, privateKey } = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
  return { kid, privateKey, jwks: { keys: [{ ...(await exportJWK(publicKey)), kid, alg: "EdDSA", use: "sig" }] } };
}

const startMs = Date.UTC(2026, 0, 2, 3, 4, 5);
const iat = startMs / 1_000;
const customer = {
  iss: "manilla",
  aud: "acme",
  sub: "u1",
  sid: "s1",
  jti: "j1",
  role: "CUSTOMER",
  customer_id: "c1",
  iat,
  exp: iat + 900,
};

let first: IssuingKey;
let second: IssuingKey;
beforeAll(async () => {
  first = await makeKey("k1");
  second = await makeKey("k2");
});
afterEach(() => jest.restoreAllMocks());

const sign = (claims: object, { kid, privateKey }: IssuingKey = first) =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg: "EdDSA", kid }).sign(privateKey);

/** A verifier with everything around it in the test's hand. */
function setUp() {
  const world = {
    nowMs: startMs,
    jwks: first.jwks,
    fetches: 0,
    identityAway: false,
    revoked: false as boolean,
    asked: [] as RevocationSubject[],
  };
  const verify = createUserTokenVerifier({
    clock: { now: () => new Date(world.nowMs) },
    jwks: async () => {
      world.fetches += 1;
      if (world.identityAway) throw new Error("identity is away");
      return world.jwks;
    },
    revocations: async (subject) => {
      world.asked.push(subject);
      return world.revoked;
    },
  });
  return { world, verify };
}

test("a customer's token becomes their principal", async () => {
  const { verify, world } = setUp();
  await expect(verify(await sign(customer), { tenantId: "acme" })).resolves.toEqual({
    userId: "u1",
    role: "CUSTOMER",
    tenantId: "acme",
    customerId: "c1",
    sessionId: "s1",
    jti: "j1",
    issuedAt: new Date(startMs),
    expiresAt: new Date(startMs + 900_000),
  });
  expect(world.asked).toEqual([
    expect.objectContaining({ userId: "u1", sessionId: "s1", issuedAt: new Date(startMs) }),
  ]);
});

test.each(["MANAGER", "AGENT", "CASHIER"])("a %s has no customer", async (role) => {
  const { customer_id: _, ...staff } = { ...customer, role };
  await expect(setUp().verify(await sign(staff))).resolves.not.toHaveProperty("customerId");
});

test.each([
  ["of another tenant", {}, "other"],
  ["of another issuer", { iss: "gateway" }, "acme"],
  ["with an unknown role", { role: "OPERATOR" }, "acme"],
  ["of a customer without a customer id", { customer_id: undefined }, "acme"],
  ["of staff with a customer id", { role: "AGENT" }, "acme"],
  ["without a subject", { sub: "" }, "acme"],
  ["without a session", { sid: undefined }, "acme"],
  ["without an id", { jti: 5 }, "acme"],
  ["for several tenants", { aud: ["acme", "other"] }, "acme"],
  ["not valid before later", { nbf: iat + 6 }, "acme"],
  ["issued in time to come", { iat: iat + 6 }, "acme"],
])("401 UNAUTHENTICATED: a token %s, whose revocation is not even looked up", async (_, change, tenantId) => {
  const { verify, world } = setUp();
  const failure = verify(await sign({ ...customer, ...change }), { tenantId });
  await expect(failure).rejects.toMatchObject({ name: "Refusal", code: "UNAUTHENTICATED" });
  expect(world.asked).toEqual([]);
});

test("401 UNAUTHENTICATED: HS256, alg none, and a key that is not identity's", async () => {
  const { verify } = setUp();
  const hmac = await new SignJWT(customer).setProtectedHeader({ alg: "HS256", kid: "k1" }).sign(new Uint8Array(32));
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const none = `${part({ alg: "none", kid: "k1" })}.${part(customer)}.`;
  const foreign = await sign(customer, { ...second, kid: "k1" });
  for (const token of [hmac, none, foreign]) {
    await expect(verify(token)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  }
});

test("401 TOKEN_EXPIRED: 5 s after its end, on a cached token too; a refresh may still read it", async () => {
  const { verify, world } = setUp();
  const token = await sign(customer);
  await verify(token);
  world.nowMs += 904_999;
  await expect(verify(token)).resolves.toBeDefined();
  world.nowMs += 1;
  await expect(verify(token)).rejects.toMatchObject({ code: "TOKEN_EXPIRED" });
  await expect(verify(token, { allowExpired: true })).resolves.toMatchObject({ sessionId: "s1" });
});

test("401 TOKEN_REVOKED: the very next time it is seen; only the signature is remembered", async () => {
  const { verify, world } = setUp();
  const token = await sign(customer);
  const check = jest.spyOn(crypto.subtle, "verify");
  await verify(token);
  await verify(token);
  world.revoked = true;
  await expect(verify(token)).rejects.toMatchObject({ code: "TOKEN_REVOKED" });
  expect(check).toHaveBeenCalledTimes(1);
  expect(world.asked).toHaveLength(3);
});

test("503: nobody can say whether it is revoked", async () => {
  const verify = createUserTokenVerifier({
    clock: { now: () => new Date(startMs) },
    jwks: async () => first.jwks,
    revocations: async () => {
      throw new Refusal("UNAVAILABLE", "away");
    },
  });
  await expect(verify(await sign(customer))).rejects.toMatchObject({ code: "UNAVAILABLE" });
});

describe("keys", () => {
  test("are fetched once for all who ask at once, and again after 5 minutes without anybody waiting", async () => {
    const { verify, world } = setUp();
    const token = await sign({ ...customer, exp: iat + 86_400 });
    await Promise.all([verify(token), verify(token), verify(token)]);
    world.nowMs += 5 * 60_000;
    await verify(token);
    expect(world.fetches).toBe(1);
    world.nowMs += 1;
    await verify(token);
    await verify(token);
    expect(world.fetches).toBe(2);
  });

  test("an unknown kid has them fetched again, at most once in 10 s", async () => {
    const { verify, world } = setUp();
    await verify(await sign(customer));
    world.nowMs += 10_000;
    world.jwks = { keys: [...first.jwks.keys, ...second.jwks.keys] };
    await expect(verify(await sign(customer, second))).resolves.toBeDefined();
    expect(world.fetches).toBe(2);
    for (let index = 0; index < 20; index += 1) {
      const unknown = await sign(customer, { ...second, kid: `unknown-${index}` });
      await expect(verify(unknown)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    }
    expect(world.fetches).toBe(2);
    world.nowMs += 10_000;
    await expect(verify(await sign(customer, { ...second, kid: "unknown" }))).rejects.toBeInstanceOf(Refusal);
    expect(world.fetches).toBe(3);
  });

  test("a key that identity has withdrawn is refused, although the signature was remembered", async () => {
    const { verify, world } = setUp();
    const token = await sign({ ...customer, exp: iat + 86_400 });
    await verify(token);
    world.jwks = second.jwks;
    world.nowMs += 5 * 60_000 + 1;
    const refusal = await waitFor(() =>
      verify(token).then(
        () => undefined,
        (error: unknown) => error,
      ),
    );
    expect(refusal).toMatchObject({ code: "UNAUTHENTICATED" });
  });

  test("503 while there have never been any; with some, identity may be away for an hour", async () => {
    const { verify, world } = setUp();
    const token = await sign({ ...customer, exp: iat + 86_400 });
    world.identityAway = true;
    await expect(verify(token)).rejects.toMatchObject({ code: "UNAVAILABLE", details: { retryAfterS: 1 } });
    world.identityAway = false;
    await verify(token);
    world.identityAway = true;
    world.nowMs += 60 * 60_000;
    await expect(verify(token)).resolves.toBeDefined();
    world.nowMs += 1;
    await expect(verify(token)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });
});
