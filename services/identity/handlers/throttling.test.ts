import { password } from "../../../test/support/identity-drafts.js";
import { inTenant, newTenant, startTestIdentity, type TestIdentity } from "../../../test/support/identity.js";

let identity: TestIdentity;
beforeAll(async () => {
  identity = await startTestIdentity({ replicas: 2 });
});
afterAll(() => identity.stop());

const refused = (code: string) => expect.objectContaining({ code });
const logIn = (tenantId: string, name: string, currentPassword = password) =>
  identity.rpc.gateway.login(
    { email: `${name}@x.example`, currentPassword, ipAddress: `10.0.1.${name.length}` },
    inTenant(tenantId),
  );
const fail = (tenantId: string, name: string) =>
  logIn(tenantId, name, "wrong-horse-1").then(
    () => undefined,
    (error: { code: string; details?: { retryAfterS?: number } }) => error,
  );

test("waits grow with each failure, the same for somebody unknown, and the right password waits too", async () => {
  const t = await newTenant(identity);
  await t.customer("amina");
  const waits = async (name: string) => {
    const seen: number[] = [];
    let failures = 0;
    while (seen.length < 3) {
      const { code, details } = (await fail(t.tenantId, name))!;
      if (code === "LOGIN_FAILED") failures += 1;
      else seen.push(details!.retryAfterS!);
      if (code === "RATE_LIMITED") identity.passMs(details!.retryAfterS! * 1_000);
    }
    expect(failures).toBeGreaterThanOrEqual(5);
    return seen;
  };
  for (const name of ["amina", "nobody"]) {
    const grown = await waits(name);
    expect(grown).toEqual(grown.toSorted((a, b) => a - b));
  }
  while ((await fail(t.tenantId, "amina"))!.code !== "RATE_LIMITED");
  await expect(logIn(t.tenantId, "amina")).rejects.toEqual(refused("RATE_LIMITED"));
  identity.passMs(15 * 60_000);
  await expect(logIn(t.tenantId, "amina")).resolves.toBeDefined();
  expect((await fail(t.tenantId, "amina"))!.code).toBe("LOGIN_FAILED");
});

test("guesses made at the same time are counted too", async () => {
  const t = await newTenant(identity);
  await t.customer("amina");
  const codes = await Promise.all(Array.from({ length: 60 }, () => fail(t.tenantId, "amina")));
  // 30 at once, and as many again as may fail before the fifth makes everybody wait.
  expect(codes.filter((error) => error?.code === "LOGIN_FAILED").length).toBeLessThanOrEqual(34);
  expect((await fail(t.tenantId, "amina"))!.code).toBe("RATE_LIMITED");
});

test("an address that tries one account after another waits as well, whoever it asks for; others go on", async () => {
  const t = await newTenant(identity);
  await t.customer("amina");
  const from = (ipAddress: string, name: string, currentPassword: string) =>
    identity.rpc.gateway.login({ email: `${name}@x.example`, currentPassword, ipAddress }, inTenant(t.tenantId)).then(
      () => "LOGGED_IN",
      ({ code }: { code: string }) => code,
    );
  const [guesser, other] = ["203.0.113.77", "203.0.113.78"];
  const codes: string[] = [];
  for (let guess = 0; guess < 100; guess++) codes.push(await from(guesser, `victim-${guess}`, "wrong-horse-1"));
  expect(new Set(codes)).toEqual(new Set(["LOGIN_FAILED"]));
  expect(await from(guesser, "amina", password)).toBe("RATE_LIMITED");
  expect(await from(other, "amina", password)).toBe("LOGGED_IN");
  identity.passMs(1_000);
  expect(await from(guesser, "amina", password)).toBe("LOGGED_IN");
  // The right password has forgotten the account's failures, not the address's.
  expect(await from(guesser, "victim-100", "wrong-horse-1")).toBe("LOGIN_FAILED");
  expect(await from(guesser, "amina", password)).toBe("RATE_LIMITED");
});

const from = (tenantId: string, ipAddress: string, currentPassword = password, name = "amina") =>
  identity.rpc.gateway.login({ email: `${name}@x.example`, currentPassword, ipAddress }, inTenant(tenantId)).then(
    () => "LOGGED_IN",
    ({ code, details }: { code: string; details?: { retryAfterS?: number } }) =>
      code === "RATE_LIMITED" ? `${code} ${details!.retryAfterS}` : code,
  );

test("who guesses at an account from one place shuts out nobody elsewhere, known there or not", async () => {
  const t = await newTenant(identity);
  await t.customer("amina");
  const attacker = "198.51.100.1";
  for (let guess = 0; guess < 5; guess++)
    expect(await from(t.tenantId, attacker, "wrong-horse-1")).toBe("LOGIN_FAILED");
  expect(await from(t.tenantId, attacker)).toMatch(/^RATE_LIMITED/);
  expect(await from(t.tenantId, "198.51.100.2")).toBe("LOGGED_IN");
  // An IPv6 client has a whole network to choose addresses from.
  for (let guess = 0; guess < 5; guess++) await from(t.tenantId, `2001:db8:1:1::${guess}`, "wrong-horse-1");
  expect(await from(t.tenantId, "2001:db8:1:1:2::9", "wrong-horse-1")).toMatch(/^RATE_LIMITED/);
  expect(await from(t.tenantId, "2001:db8:1:2::9")).toBe("LOGGED_IN");
});

test("many places that guess at one account get two guesses each; the owner's places and a right password from elsewhere get in", async () => {
  const t = await newTenant(identity);
  await t.customer("amina");
  const home = "192.0.2.1";
  expect(await from(t.tenantId, home)).toBe("LOGGED_IN");
  for (const name of ["amina", "nobody"]) {
    for (let place = 0; place < 20; place++) {
      for (let guess = 0; guess < 5; guess++) await from(t.tenantId, `198.18.0.${place}`, "wrong-horse-1", name);
    }
    const guesses: string[] = [];
    for (let guess = 0; guess < 3; guess++) guesses.push(await from(t.tenantId, "198.18.1.1", "wrong-horse-1", name));
    expect(guesses).toEqual(["LOGIN_FAILED", "LOGIN_FAILED", "RATE_LIMITED 900"]);
    identity.passMs(600_000);
    expect(await from(t.tenantId, "198.18.1.1", "wrong-horse-1", name)).toBe("RATE_LIMITED 300");
  }
  // At home four typing errors cost nothing.
  for (let typo = 0; typo < 4; typo++) expect(await from(t.tenantId, home, "wrong-horse-1")).toBe("LOGIN_FAILED");
  expect(await from(t.tenantId, home)).toBe("LOGGED_IN");
  expect(await from(t.tenantId, "203.0.113.200")).toBe("LOGGED_IN");
  const places = await identity.db.collection("known_places").find({ tenantId: t.tenantId }).toArray();
  expect(places.length).toBe(2);
  expect(JSON.stringify(places)).not.toMatch(/192\.0\.2\.1|amina/);
});

test("a stolen session that guesses at the password shuts out only itself", async () => {
  const t = await newTenant(identity);
  const { userId } = await t.customer("amina");
  const [stolen, own] = [await t.login("amina"), await t.login("amina")];
  const check = (session: { accessToken: string }, given: string) =>
    identity.rpc.remittance.verifyCredentials({ userId, password: given }, inTenant(t.tenantId, session.accessToken));
  for (let guess = 0; guess < 5; guess++) {
    await expect(check(stolen, "wrong-horse-1")).rejects.toEqual(refused("PASSWORD_WRONG"));
  }
  await expect(check(stolen, password)).rejects.toEqual(refused("RATE_LIMITED"));
  await expect(check(own, password)).resolves.toBeDefined();
});

test("many log-ins of one person at the same time are no guessing", async () => {
  const t = await newTenant(identity);
  await t.customer("amina");
  await Promise.all(Array.from({ length: 16 }, () => logIn(t.tenantId, "amina")));
});
