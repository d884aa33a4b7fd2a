import { randomUUID } from "node:crypto";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { permissionsOf } from "../domain/roles.js";
import { password } from "../../../test/support/identity-drafts.js";
import {
  aboveTenants,
  inTenant,
  newTenant,
  startTestIdentity,
  type TestIdentity,
} from "../../../test/support/identity.js";
import { refusalFromTrailer } from "../../kernel/grpc/refusal-trailer.js";

let identity: TestIdentity;
beforeAll(async () => {
  identity = await startTestIdentity();
});
afterAll(() => identity.stop());

describe("Login", () => {
  test("hands out what the contract lists, and an access token with exactly these claims", async () => {
    const tenant = await newTenant(identity);
    const customer = await tenant.customer("amina");
    const session = await tenant.login("amina");
    expect(session).toMatchObject({
      expiresInS: 3_600,
      user: { userId: customer.userId, customerId: customer.customerId, role: "ROLE_CUSTOMER", email: customer.email },
      permissions: permissionsOf("CUSTOMER"),
    });
    const { kid } = JSON.parse((await identity.rpc.wallet.getJwks({}, aboveTenants())).jwksJson).keys[0];
    expect(decodeProtectedHeader(session.accessToken)).toEqual({ alg: "EdDSA", typ: "JWT", kid });
    const claims = decodeJwt(session.accessToken);
    expect(claims).toEqual({
      iss: "manilla",
      aud: tenant.tenantId,
      sub: customer.userId,
      sid: expect.any(String),
      jti: expect.any(String),
      role: "CUSTOMER",
      customer_id: customer.customerId,
      iat: expect.any(Number),
      exp: claims.iat! + 3_600,
    });
  });

  test("names no customer in the token of staff", async () => {
    const tenant = await newTenant(identity);
    await tenant.staff("MANAGER");
    const session = await tenant.login("manager");
    expect(decodeJwt(session.accessToken)).not.toHaveProperty("customer_id");
    expect(session.permissions).toEqual(permissionsOf("MANAGER"));
  });

  test("takes the e-mail address in any case, and a password however it was composed", async () => {
    const tenant = await newTenant(identity);
    const email = "jose@x.example";
    const request = { idempotencyKey: "k", email, name: "José", role: "ROLE_CASHIER" as const };
    await identity.rpc.operator.createStaffUser(
      { ...request, password: "jose\u0301-jose\u0301" },
      inTenant(tenant.tenantId),
    );
    const login = { email: " JOSE@X.example ", currentPassword: "jos\u00e9-jos\u00e9" };
    await expect(identity.rpc.gateway.login(login, inTenant(tenant.tenantId))).resolves.toBeDefined();
  });

  test("a wrong password and an unknown person get the same answer for the same work", async () => {
    const tenant = await newTenant(identity);
    await tenant.customer("amina");
    const attempt = async (email: string, currentPassword: string) => {
      const before = { ...identity.hashing };
      const refusal = await identity.rpc.gateway.login({ email, currentPassword }, inTenant(tenant.tenantId)).then(
        () => undefined,
        ({ code, message, details }) => ({ code, message, details }),
      );
      const { hashed, verified } = identity.hashing;
      return { refusal, work: { hashed: hashed - before.hashed, verified: verified - before.verified } };
    };
    const known = await attempt("amina@x.example", "wrong-password-1");
    expect(known).toMatchObject({ refusal: { code: "LOGIN_FAILED" }, work: { hashed: 0, verified: 1 } });
    await expect(attempt("nobody@x.example", "wrong-password-1")).resolves.toEqual(known);
    await expect(attempt("nobody@x.example", password)).resolves.toEqual(known);
    await expect(attempt("amina@x.example", "x".repeat(10_000))).resolves.toEqual(known);
    await expect(attempt("amina@x.example", "\u0000")).resolves.toEqual(known);
    await expect(attempt("nobody@x.example", "x".repeat(10_000))).resolves.toEqual(known);
    const right = await attempt("amina@x.example", password);
    expect(right).toEqual({ refusal: undefined, work: { hashed: 0, verified: 1 } });
  });

  test("knows nobody of another tenant", async () => {
    const tenant = await newTenant(identity);
    await tenant.customer("amina");
    const other = await newTenant(identity);
    const login = { email: "amina@x.example", currentPassword: password };
    await expect(identity.rpc.gateway.login(login, inTenant(other.tenantId))).rejects.toMatchObject({
      code: "LOGIN_FAILED",
    });
    await expect(identity.rpc.gateway.login(login, inTenant("nobody"))).rejects.toMatchObject({ code: "LOGIN_FAILED" });
    await expect(identity.rpc.gateway.login(login, aboveTenants())).rejects.toMatchObject({ code: "HEADER_REQUIRED" });
  });

  test("refuses empty fields by name", async () => {
    const { tenantId } = await newTenant(identity);
    await expect(identity.rpc.gateway.login({ email: " " }, inTenant(tenantId))).rejects.toMatchObject({
      code: "INVALID_INPUT",
      details: { errors: [{ path: "email" }, { path: "currentPassword" }] },
    });
  });
});

describe("Logout", () => {
  test("ends the session at once, and only this one", async () => {
    const tenant = await newTenant(identity);
    await tenant.customer("amina");
    const ended = await tenant.login("amina");
    const other = await tenant.login("amina");
    const call = inTenant(tenant.tenantId, ended.accessToken);
    await expect(identity.rpc.gateway.logout({}, call)).resolves.toEqual({});
    await expect(identity.rpc.gateway.logout({}, call)).rejects.toMatchObject({ code: "TOKEN_REVOKED" });
    await expect(identity.rpc.gateway.getOrganisationPreference({}, call)).rejects.toMatchObject({
      code: "TOKEN_REVOKED",
    });
    const refresh = { refreshToken: ended.refreshToken };
    await expect(identity.rpc.gateway.refresh(refresh, inTenant(tenant.tenantId))).rejects.toMatchObject({
      code: "TOKEN_REVOKED",
    });
    const sid = decodeJwt(ended.accessToken)["sid"] as string;
    expect(await identity.redis.get(`revocations:session:${sid}`)).not.toBeNull();
    expect(await identity.redis.pttl(`revocations:session:${sid}`)).toBeGreaterThan(3_600_000);
    const stillIn = inTenant(tenant.tenantId, other.accessToken);
    await expect(identity.rpc.gateway.getOrganisationPreference({}, stillIn)).resolves.toBeDefined();
  });

  test("needs a user, of this tenant", async () => {
    const tenant = await newTenant(identity);
    await tenant.customer("amina");
    const { accessToken } = await tenant.login("amina");
    const other = await newTenant(identity);
    const { gateway } = identity.rpc;
    await expect(gateway.logout({}, inTenant(tenant.tenantId))).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    await expect(gateway.logout({}, inTenant(other.tenantId, accessToken))).rejects.toMatchObject({
      code: "UNAUTHENTICATED",
    });
  });

  test("holds for a session that MongoDB has removed already", async () => {
    const tenant = await newTenant(identity);
    await tenant.customer("amina");
    const { accessToken } = await tenant.login("amina");
    await identity.db.collection("sessions").deleteOne({ _id: decodeJwt(accessToken)["sid"] as never });
    const call = inTenant(tenant.tenantId, accessToken);
    await identity.rpc.gateway.logout({}, call);
    await expect(identity.rpc.gateway.getOrganisationPreference({}, call)).rejects.toMatchObject({
      code: "TOKEN_REVOKED",
    });
  });
});

describe("GetJwks", () => {
  test("answers public Ed25519 keys and nothing private", async () => {
    const { jwksJson } = await identity.rpc.ledger.getJwks({}, aboveTenants());
    const { keys } = JSON.parse(jwksJson) as { keys: object[] };
    expect(keys).toHaveLength(1);
    expect(Object.keys(keys[0]!).toSorted()).toEqual(["alg", "crv", "kid", "kty", "use", "x"]);
    expect(keys[0]).toMatchObject({ kty: "OKP", crv: "Ed25519", alg: "EdDSA", use: "sig" });
  });
});

describe("CheckRevocation", () => {
  const check = (request: object) => identity.rpc.wallet.checkRevocation(request, aboveTenants());

  test("says from MongoDB whether a session is revoked", async () => {
    const tenant = await newTenant(identity);
    await tenant.customer("amina");
    const { accessToken } = await tenant.login("amina");
    const { sid, sub, iat } = decodeJwt(accessToken);
    const subject = { sessionId: sid as string, userId: sub!, issuedAt: new Date(iat! * 1_000) };
    await expect(check(subject)).resolves.toEqual({ revoked: false });
    await identity.rpc.gateway.logout({}, inTenant(tenant.tenantId, accessToken));
    await identity.redis.flushdb();
    await expect(check(subject)).resolves.toEqual({ revoked: true });
    await expect(check({ ...subject, sessionId: randomUUID() })).resolves.toEqual({ revoked: false });
  });

  test("of a user's tokens, those issued before the revocation are revoked", async () => {
    const userId = randomUUID();
    const issuedBefore = new Date();
    const at = (ms: number) => new Date(issuedBefore.getTime() + ms);
    await identity.db.collection("revocations").insertOne({
      _id: `user:${userId}` as never,
      tenantId: "t",
      kind: "user",
      subjectId: userId,
      issuedBefore,
      expiresAt: at(60_000),
      mirrored: false,
    });
    const subject = { sessionId: "s", userId };
    await expect(check({ ...subject, issuedAt: at(-1_000) })).resolves.toEqual({ revoked: true });
    await expect(check({ ...subject, issuedAt: at(1_000) })).resolves.toEqual({ revoked: false });
  });

  test("refuses a question that is not whole", async () => {
    await expect(check({})).rejects.toMatchObject({
      code: "INVALID_INPUT",
      details: { errors: [{ path: "sessionId" }, { path: "userId" }, { path: "issuedAt" }] },
    });
  });
});

describe("VerifyCredentials", () => {
  test("accepts the password, refuses another and none", async () => {
    const tenant = await newTenant(identity);
    const { userId } = await tenant.customer("amina");
    const { accessToken } = await tenant.login("amina");
    for (const caller of ["wallet", "remittance"] as const) {
      const verify = (given: string) =>
        identity.rpc[caller].verifyCredentials({ userId, password: given }, inTenant(tenant.tenantId, accessToken));
      await expect(verify(password)).resolves.toEqual({});
      await expect(verify("wrong-password-1")).rejects.toMatchObject({ code: "PASSWORD_WRONG" });
      await expect(verify("x".repeat(10_000))).rejects.toMatchObject({ code: "PASSWORD_WRONG" });
      await expect(verify("")).rejects.toMatchObject({ code: "PASSWORD_REQUIRED" });
    }
  });

  test("knows nobody of another tenant", async () => {
    const { userId } = await (await newTenant(identity)).customer("amina");
    const other = await newTenant(identity);
    const call = identity.rpc.wallet.verifyCredentials({ userId, password }, inTenant(other.tenantId));
    await expect(call).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("a CUSTOMER presents their own credentials only; a CASHIER may bring a customer's", async () => {
    const tenant = await newTenant(identity);
    const amina = await tenant.customer("amina");
    await tenant.customer("kofi");
    await tenant.staff("CASHIER");
    const verifyAs = async (name: string) => {
      const { accessToken } = await tenant.login(name);
      return identity.rpc.wallet.verifyCredentials(
        { userId: amina.userId, password },
        inTenant(tenant.tenantId, accessToken),
      );
    };
    await expect(verifyAs("kofi")).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(verifyAs("cashier")).resolves.toEqual({});
  });
});

describe("VerifyCredentials in a batch", () => {
  test("lets each through, or refuses them, by themselves", async () => {
    const tenant = await newTenant(identity);
    const [amina, kofi] = await Promise.all([tenant.customer("amina"), tenant.customer("kofi")]);
    const elsewhere = await (await newTenant(identity)).customer("zola");
    const requested = (userId: string, given: string) => ({ interactionId: "i", request: { userId, password: given } });
    const checks = [
      requested(amina.userId, password),
      requested(kofi.userId, "wrong-password-1"),
      requested(elsewhere.userId, password),
      requested(amina.userId, password),
      requested(kofi.userId, ""),
      { ...requested(amina.userId, password), interactionId: "" },
    ];
    const answers = await identity.rpc.wallet.batch("verifyCredentials", checks, inTenant(tenant.tenantId));
    expect(answers.map(({ response, refusal }) => response ?? refusalFromTrailer(refusal)!.code)).toEqual([
      {},
      "PASSWORD_WRONG",
      "NOT_FOUND",
      {},
      "PASSWORD_REQUIRED",
      "INVALID_INPUT",
    ]);
  });

  test("takes 64 at most, and nobody's but wallet's", async () => {
    const tenant = await newTenant(identity);
    const checks = Array.from({ length: 65 }, () => ({ interactionId: "i", request: { userId: "u", password } }));
    await expect(
      identity.rpc.wallet.batch("verifyCredentials", checks, inTenant(tenant.tenantId)),
    ).rejects.toMatchObject({ code: "INVALID_INPUT", details: { errors: [{ path: "calls" }] } });
    await expect(
      identity.rpc.remittance.batch("verifyCredentials", [], inTenant(tenant.tenantId)),
    ).rejects.toMatchObject({ code: "CALLER_NOT_ALLOWED" });
  });
});

test("no password, token or hash is ever logged", async () => {
  const tenant = await newTenant(identity);
  await tenant.customer("amina");
  const { accessToken, refreshToken } = await tenant.login("amina");
  const call = inTenant(tenant.tenantId, accessToken);
  const { session } = await identity.rpc.gateway.refresh({ refreshToken, accessToken }, call);
  await identity.rpc.gateway.refresh({ refreshToken: `${refreshToken}x` }, call).catch(() => undefined);
  await identity.rpc.gateway
    .login({ email: "amina@x.example", currentPassword: "wrong-password-1" }, call)
    .catch(() => undefined);
  await identity.rpc.gateway.logout({}, inTenant(tenant.tenantId, session!.accessToken));
  const log = identity.lines.join("");
  expect(log).toContain("login refused");
  // Who got in, and by what.
  expect(log).toMatch(/"by":"password".*"msg":"signed in"/);
  const secrets = [password, "wrong-password-1", accessToken, refreshToken, session!.refreshToken, "$argon2id", "eyJ"];
  for (const secret of secrets) expect(log).not.toContain(secret);
});
