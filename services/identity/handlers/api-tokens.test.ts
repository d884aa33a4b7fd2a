import { Secret, TOTP } from "otpauth";
import { randomUUID } from "node:crypto";
import { waitFor } from "../../../test/support/index.js";
import { password } from "../../../test/support/identity-drafts.js";
import { inTenant, newTenant, startTestIdentity, type TestIdentity } from "../../../test/support/identity.js";
import { expiryOf, type ApiTokenLifetime } from "../domain/api-tokens.js";

let identity: TestIdentity;
beforeAll(async () => {
  identity = await startTestIdentity();
});
afterAll(() => identity.stop());

const refused = (code: string) => expect.objectContaining({ code });

async function owner() {
  const tenant = await newTenant(identity);
  const amina = await tenant.customer("amina");
  await tenant.customer("kofi");
  await tenant.staff("MANAGER");
  const tokens = new Map<string, string>();
  for (const name of ["amina", "kofi", "manager"]) tokens.set(name, (await tenant.login(name)).accessToken);
  const as = (name: string) => inTenant(tenant.tenantId, tokens.get(name)!);
  const create = (change: object = {}, who = "amina") =>
    identity.rpc.gateway.createApiToken(
      {
        idempotencyKey: randomUUID(),
        name: "Reports",
        lifetime: "API_TOKEN_LIFETIME_MONTH",
        scopes: ["profile:read"],
        password,
        ...change,
      },
      as(who),
    );
  const exchange = (token: string, tenantId = tenant.tenantId) =>
    identity.rpc.gateway.exchangeApiToken({ token }, inTenant(tenantId));
  const use = (accessToken: string) => identity.rpc.gateway.getProfile({}, inTenant(tenant.tenantId, accessToken));
  const rotate = (apiTokenId: string, overlapS: number, idempotencyKey: string = randomUUID()) =>
    identity.rpc.gateway.rotateApiToken({ apiTokenId, overlapS, idempotencyKey, password }, as("amina"));
  return { ...tenant, amina, as, create, exchange, use, rotate };
}

describe("lifetimes", () => {
  test.each<[ApiTokenLifetime, string, string]>([
    ["API_TOKEN_LIFETIME_DAY", "2026-03-28T12:00:00Z", "2026-03-29T12:00:00.000Z"],
    ["API_TOKEN_LIFETIME_MONTH", "2026-01-31T10:00:00Z", "2026-02-28T10:00:00.000Z"],
    ["API_TOKEN_LIFETIME_THREE_MONTHS", "2026-11-30T10:00:00Z", "2027-02-28T10:00:00.000Z"],
    ["API_TOKEN_LIFETIME_SIX_MONTHS", "2026-08-31T10:00:00Z", "2027-02-28T10:00:00.000Z"],
    ["API_TOKEN_LIFETIME_YEAR", "2028-02-29T10:00:00Z", "2029-02-28T10:00:00.000Z"],
  ])("%s from %s ends %s", (lifetime, from, until) => {
    expect(expiryOf(lifetime, new Date(from)).toISOString()).toBe(until);
  });
});

describe("an API token", () => {
  test("is shown once, kept as a hash, and stands for its owner within its scopes", async () => {
    const t = await owner();
    const { apiToken, token } = await t.create();
    expect(token.startsWith(`${apiToken!.prefix}`)).toBe(true);
    expect(apiToken).toMatchObject({ status: "ACTIVE", scopes: ["profile:read"], lastUsedAt: undefined });
    const { accessToken, expiresInS } = await t.exchange(token);
    expect(expiresInS).toBe(300);
    await expect(t.use(accessToken)).resolves.toMatchObject({ profile: { user: { userId: t.amina.userId } } });
    const { apiTokens } = await identity.rpc.gateway.listApiTokens({}, t.as("amina"));
    expect(apiTokens).toMatchObject([{ apiTokenId: apiToken!.apiTokenId, lastUsedAt: expect.any(Date) }]);
    for (const collection of ["api_tokens", "idempotency"]) {
      const stored = await identity.db.collection(collection).find({ tenantId: t.tenantId }).toArray();
      expect(JSON.stringify(stored)).not.toContain(token.slice(-43));
    }
    expect(identity.lines.join("")).not.toContain(token.slice(-43));
  });

  test("is made once per key, and the repeated answer shows it again", async () => {
    const t = await owner();
    const idempotencyKey = randomUUID();
    const first = await t.create({ idempotencyKey });
    await expect(t.create({ idempotencyKey })).resolves.toEqual(first);
    await expect(t.create({ idempotencyKey, name: "Other" })).rejects.toEqual(refused("IDEMPOTENCY_KEY_REUSED"));
  });

  test.each([
    [{ scopes: [] }, "INVALID_INPUT"],
    [{ name: "" }, "INVALID_INPUT"],
    [{ lifetime: "API_TOKEN_LIFETIME_UNSPECIFIED" }, "INVALID_INPUT"],
    [{ idempotencyKey: "" }, "INVALID_INPUT"],
    [{ scopes: ["users:write"] }, "FORBIDDEN"],
    [{ scopes: ["profile:read", "approvals:decide"] }, "FORBIDDEN"],
  ])("%j is %s for a CUSTOMER", async (change, code) => {
    const t = await owner();
    await expect(t.create(change)).rejects.toEqual(refused(code));
  });

  test("is made and rotated only with the owner's password, who is told", async () => {
    const t = await owner();
    const messages = () =>
      identity.sent.filter(({ account, subject }) => account === t.tenantId && /API token/.test(subject));
    await expect(t.create({ password: "" })).rejects.toEqual(refused("PASSWORD_REQUIRED"));
    await expect(t.create({ password: "wrong-horse-1" })).rejects.toEqual(refused("PASSWORD_WRONG"));
    const idempotencyKey = randomUUID();
    const { apiToken } = await t.create({ idempotencyKey });
    // A repeat shows the token again.
    await expect(t.create({ idempotencyKey, password: "wrong-horse-1" })).rejects.toEqual(refused("PASSWORD_WRONG"));
    const request = { apiTokenId: apiToken!.apiTokenId, idempotencyKey: randomUUID(), password: "wrong-horse-1" };
    await expect(identity.rpc.gateway.rotateApiToken(request, t.as("amina"))).rejects.toEqual(
      refused("PASSWORD_WRONG"),
    );
    await t.rotate(apiToken!.apiTokenId, 0);
    await waitFor(() => messages().length === 2);
    expect(
      messages()
        .map(({ to, subject }) => [to, subject.replace(/^.*: /, "")])
        .toSorted(),
    ).toEqual([
      ["amina@x.example", "an API token was made"],
      ["amina@x.example", "an API token was rotated"],
    ]);
  });

  test("is made and rotated only with the factor that its owner has enrolled, once", async () => {
    const t = await owner();
    const { gateway } = identity.rpc;
    await gateway.setPin({ password, pin: "2846" }, t.as("amina"));
    await expect(t.create()).rejects.toEqual(refused("PIN_REQUIRED"));
    await expect(t.create({ pin: "1111" })).rejects.toEqual(refused("PIN_WRONG"));
    await expect(t.create({ pin: "2846" })).resolves.toBeDefined();
    const { secret } = await gateway.enrolTotp({ password, proof: { pin: "2846" } }, t.as("amina"));
    const codeNow = () =>
      TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: identity.deps.clock.now().getTime() });
    await gateway.confirmTotp({ otp: codeNow() }, t.as("amina"));
    await expect(t.create({ pin: "2846" })).rejects.toEqual(refused("OTP_REQUIRED"));
    identity.passMs(30_000);
    const idempotencyKey = randomUUID();
    const otp = codeNow();
    const made = await t.create({ otp, idempotencyKey });
    await expect(t.create({ otp })).rejects.toEqual(refused("OTP_WRONG"));
    // A repeat uses up no other code.
    await expect(t.create({ otp, idempotencyKey })).resolves.toEqual(made);
  });

  test("is refused once it has expired, was cut, or belongs to another tenant", async () => {
    const t = await owner();
    const { token } = await t.create({ lifetime: "API_TOKEN_LIFETIME_DAY" });
    const elsewhere = await newTenant(identity);
    for (const bad of ["", "mnl_", token.slice(0, -1), `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`]) {
      await expect(t.exchange(bad)).rejects.toEqual(refused("UNAUTHENTICATED"));
    }
    await expect(t.exchange(token, elsewhere.tenantId)).rejects.toEqual(refused("UNAUTHENTICATED"));
    identity.passMs(86_400_000);
    await expect(t.exchange(token)).rejects.toEqual(refused("TOKEN_EXPIRED"));
  });

  test("that is rotated works on for the overlap, and not a moment longer, however long what it was exchanged for would live", async () => {
    const t = await owner();
    const { apiToken, token } = await t.create();
    const before = await t.exchange(token);
    await t.rotate(apiToken!.apiTokenId, 60);
    await expect(t.use(before.accessToken)).resolves.toBeDefined();
    identity.passMs(60_000);
    await expect(t.use(before.accessToken)).rejects.toEqual(refused("TOKEN_REVOKED"));
  });

  test("that is rotated works on for the overlap, and not a second longer", async () => {
    const t = await owner();
    const { apiToken, token } = await t.create();
    const before = await t.exchange(token);
    const rotated = await t.rotate(apiToken!.apiTokenId, 3_600);
    expect(rotated.apiToken!.status).toBe("ROTATING");
    await expect(t.use(before.accessToken)).resolves.toBeDefined();
    await expect(t.exchange(token)).resolves.toBeDefined();
    await expect(t.exchange(rotated.token)).resolves.toBeDefined();
    identity.passMs(3_600_000 - 10_000);
    // What it is exchanged for ends with it.
    expect((await t.exchange(token)).expiresInS).toBeLessThanOrEqual(10);
    identity.passMs(10_000);
    await expect(t.exchange(token)).rejects.toEqual(refused("TOKEN_EXPIRED"));
    await expect(t.exchange(rotated.token)).resolves.toBeDefined();
  });

  test("that is rotated without overlap ends at once; a repeat of the rotation harms nothing", async () => {
    const t = await owner();
    const { apiToken, token } = await t.create();
    const before = await t.exchange(token);
    const key = randomUUID();
    const rotated = await t.rotate(apiToken!.apiTokenId, 0, key);
    await expect(t.use(before.accessToken)).rejects.toEqual(refused("TOKEN_REVOKED"));
    await expect(t.exchange(token)).rejects.toEqual(refused("TOKEN_EXPIRED"));
    const after = await t.exchange(rotated.token);
    await expect(t.rotate(apiToken!.apiTokenId, 0, key)).resolves.toEqual(rotated);
    await expect(t.use(after.accessToken)).resolves.toBeDefined();
  });

  test.each([-1, 604_801])("is not rotated with an overlap of %p s", async (overlapS) => {
    const t = await owner();
    const { apiToken } = await t.create();
    await expect(t.rotate(apiToken!.apiTokenId, overlapS)).rejects.toEqual(refused("INVALID_INPUT"));
  });

  test("that is invalidated or deleted ends everywhere at once, with what it was exchanged for", async () => {
    const t = await owner();
    for (const way of ["invalidateApiToken", "deleteApiToken"] as const) {
      const { apiToken, token } = await t.create();
      const { accessToken } = await t.exchange(token);
      const { apiTokenId } = apiToken!;
      await identity.rpc.gateway[way]({ apiTokenId }, t.as("amina"));
      await expect(t.use(accessToken)).rejects.toEqual(refused("TOKEN_REVOKED"));
      const gone = way === "deleteApiToken";
      await expect(t.exchange(token)).rejects.toEqual(refused(gone ? "UNAUTHENTICATED" : "TOKEN_REVOKED"));
      await expect(t.rotate(apiTokenId, 0)).rejects.toEqual(refused(gone ? "NOT_FOUND" : "STATE_CONFLICT"));
    }
    const { apiTokens } = await identity.rpc.gateway.listApiTokens({}, t.as("amina"));
    expect(apiTokens.map(({ status }) => status)).toEqual(["INVALIDATED"]);
  });

  test("is nobody else's, a MANAGER's neither", async () => {
    const t = await owner();
    const { apiTokenId } = (await t.create()).apiToken!;
    for (const who of ["kofi", "manager"]) {
      const { gateway } = identity.rpc;
      expect((await gateway.listApiTokens({}, t.as(who))).apiTokens).toEqual([]);
      await expect(gateway.invalidateApiToken({ apiTokenId }, t.as(who))).rejects.toEqual(refused("NOT_FOUND"));
      await expect(gateway.deleteApiToken({ apiTokenId }, t.as(who))).rejects.toEqual(refused("NOT_FOUND"));
      const request = { apiTokenId, idempotencyKey: randomUUID(), password };
      await expect(gateway.rotateApiToken(request, t.as(who))).rejects.toEqual(refused("NOT_FOUND"));
    }
  });

  test("of somebody who is disabled is worth nothing, and its access tokens end", async () => {
    const t = await owner();
    const { token } = await t.create();
    const { accessToken } = await t.exchange(token);
    const { userId } = t.amina;
    await identity.rpc.gateway.disableUser({ userId, reason: "asked to" }, t.as("manager"));
    await expect(t.use(accessToken)).rejects.toEqual(refused("TOKEN_REVOKED"));
    await expect(t.exchange(token)).rejects.toEqual(refused("UNAUTHENTICATED"));
    await identity.rpc.gateway.enableUser({ userId, reason: "back" }, t.as("manager"));
    await expect(t.use((await t.exchange(token)).accessToken)).resolves.toBeDefined();
  });

  test("ends with a change of the password, and what it was exchanged for too, unless its owner says otherwise", async () => {
    const t = await owner();
    const { token } = await t.create();
    const { accessToken } = await t.exchange(token);
    const request = { currentPassword: password, newPassword: "another-horse-8", keepApiTokens: true };
    await identity.rpc.gateway.changePassword(request, t.as("amina"));
    await expect(t.use(accessToken)).resolves.toBeDefined();
    const change = { currentPassword: "another-horse-8", newPassword: password };
    await identity.rpc.gateway.changePassword(change, t.as("amina"));
    await expect(t.use(accessToken)).rejects.toEqual(refused("TOKEN_REVOKED"));
    await expect(t.exchange(token)).rejects.toEqual(refused("TOKEN_REVOKED"));
    await expect(t.exchange((await t.create()).token)).resolves.toBeDefined();
  });
});
