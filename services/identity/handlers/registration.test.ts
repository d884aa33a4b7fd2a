import { randomUUID } from "node:crypto";
import { waitFor } from "../../../test/support/index.js";
import { password, registration } from "../../../test/support/identity-drafts.js";
import { inTenant, newTenant, startTestIdentity, type TestIdentity } from "../../../test/support/identity.js";

let identity: TestIdentity;
beforeAll(async () => {
  identity = await startTestIdentity();
});
afterAll(() => identity.stop());

const refused = (code: string) => expect.objectContaining({ code });

async function openTenant() {
  const tenant = await newTenant(identity, { selfRegistration: true });
  const begin = (name: string, change: object = {}) =>
    identity.rpc.gateway.beginRegistration({ ...registration(name), ...change }, inTenant(tenant.tenantId));
  const confirm = (registrationId: string, code: string, ipAddress = "") =>
    identity.rpc.gateway.confirmRegistration({ registrationId, code, ipAddress }, inTenant(tenant.tenantId));
  const mailsTo = (name: string) =>
    identity.sent.filter(({ account, to }) => account === tenant.tenantId && to === `${name}@x.example`);
  const mailTo = (name: string, index = 0) => waitFor(() => mailsTo(name)[index]);
  const users = () => identity.db.collection("users").countDocuments({ tenantId: tenant.tenantId });
  return { ...tenant, begin, confirm, mailsTo, mailTo, users };
}

const wrong = (code: string) => (code === "000000" ? "000001" : "000000");

test("an account is made when the code of the mail is entered, with the password that was given", async () => {
  const t = await openTenant();
  const begun = await t.begin("zola");
  expect(Object.keys(begun).toSorted()).toEqual(["expiresAt", "registrationId"]);
  const mail = await t.mailTo("zola");
  expect(await t.users()).toBe(0);
  await expect(t.login("zola")).rejects.toEqual(refused("LOGIN_FAILED"));
  const code = mail.text.slice(0, 6);
  await expect(t.confirm(begun.registrationId, wrong(code))).rejects.toEqual(refused("VERIFICATION_FAILED"));
  const { customer } = await t.confirm(begun.registrationId, code);
  expect(customer).toMatchObject({ firstName: "zola", email: "zola@x.example", agentId: "", country: "NGA" });
  // Whoever lost the answer asks again.
  await expect(t.confirm(begun.registrationId, code)).resolves.toEqual({ customer });
  await expect(t.login("zola")).resolves.toMatchObject({ user: { customerId: customer!.customerId } });
  const stored = await identity.db.collection("registrations").findOne({ _id: begun.registrationId as never });
  expect(Object.keys(stored!).toSorted()).toEqual(["_id", "createdAt", "expiresAt", "tenantId", "tries", "userId"]);
  // Compliance is told that the address is proven.
  const row = await identity.db.collection("outbox").findOne({ aggregate: `person:${customer!.customerId}` });
  expect(row).toMatchObject({ seq: 1, payload: { revision: 1, changed: ["REGISTERED"], proven: ["EMAIL"] } });
});

test("somebody known gets the same answer and work, is written to, and nobody can become them", async () => {
  const t = await openTenant();
  const amina = await t.customer("amina");
  identity.hashing.hashed = 0;
  const known = await t.begin("AMINA");
  const unknown = await t.begin("zola");
  expect(identity.hashing.hashed).toBe(2);
  expect(Object.keys(known)).toEqual(Object.keys(unknown));
  const mail = await waitFor(() => t.mailsTo("AMINA")[0]);
  expect(mail.text).toMatch(/has an account already/);
  expect(mail.text).not.toMatch(/^\d{6}/);
  await expect(t.confirm(known.registrationId, "000000")).rejects.toEqual(refused("VERIFICATION_FAILED"));
  expect(await t.users()).toBe(1);
  await expect(t.login("amina")).resolves.toMatchObject({ user: { userId: amina.userId } });
});

test("of two registrations of one address the first that is confirmed counts", async () => {
  const t = await openTenant();
  const [one, two] = [await t.begin("zola"), await t.begin("zola", { password: "another-horse-8" })];
  const codeOf = async (id: string) =>
    (await waitFor(() => t.mailsTo("zola").find(({ reference }) => reference === id))).text.slice(0, 6);
  const [first, second] = [await codeOf(one.registrationId), await codeOf(two.registrationId)];
  await expect(t.confirm(two.registrationId, first)).rejects.toEqual(refused("VERIFICATION_FAILED"));
  await t.confirm(one.registrationId, first);
  await expect(t.confirm(two.registrationId, second)).rejects.toEqual(refused("VERIFICATION_FAILED"));
  await expect(t.login("zola")).resolves.toBeDefined();
});

test("confirmed five times at once, one account is made, and each is answered with it", async () => {
  const t = await openTenant();
  const { registrationId } = await t.begin("zola");
  const code = (await t.mailTo("zola")).text.slice(0, 6);
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => t.confirm(registrationId, code)));
  expect(outcomes.flatMap((outcome) => (outcome.status === "rejected" ? outcome.reason : []))).toEqual([]);
  expect(await t.users()).toBe(1);
  await expect(t.confirm(registrationId, code)).resolves.toBeDefined();
});

test("a code is tried five times, and for an hour", async () => {
  const t = await openTenant();
  const [one, two] = [await t.begin("zola"), await t.begin("yara")];
  const code = (await t.mailTo("zola")).text.slice(0, 6);
  for (let miss = 0; miss < 5; miss++) {
    await expect(t.confirm(one.registrationId, wrong(code))).rejects.toEqual(refused("VERIFICATION_FAILED"));
  }
  await expect(t.confirm(one.registrationId, code)).rejects.toEqual(refused("VERIFICATION_FAILED"));
  const late = (await t.mailTo("yara")).text.slice(0, 6);
  identity.passMs(60 * 60_000);
  await expect(t.confirm(two.registrationId, late)).rejects.toEqual(refused("VERIFICATION_FAILED"));
  await expect(t.confirm(randomUUID(), "123456")).rejects.toEqual(refused("VERIFICATION_FAILED"));
});

test("a key gives one registration and one mail, of one password, and says nothing to somebody else", async () => {
  const t = await openTenant();
  const request = registration("zola");
  const begin = (change: object) => t.begin("zola", { ...request, ...change });
  const first = await begin({});
  await expect(begin({})).resolves.toEqual(first);
  // Else whoever guessed the key would have chosen the password of an account that its owner
  // confirms.
  await expect(begin({ password: "another-horse-8" })).rejects.toEqual(refused("IDEMPOTENCY_KEY_REUSED"));
  await expect(begin({ lastName: "Other" })).rejects.toEqual(refused("IDEMPOTENCY_KEY_REUSED"));
  const other = await begin({ email: "yara@x.example" });
  expect(other.registrationId).not.toBe(first.registrationId);
  await t.mailTo("yara");
  expect(t.mailsTo("zola")).toHaveLength(1);
});

test("is for tenants that allow it, and names every fault", async () => {
  const closed = await newTenant(identity);
  const begun = identity.rpc.gateway.beginRegistration(registration("zola"), inTenant(closed.tenantId));
  await expect(begun).rejects.toEqual(refused("FORBIDDEN"));
  const t = await openTenant();
  const faulty = { email: "x", password: "x", firstName: "", country: "ZZ" };
  await expect(t.begin("zola", faulty)).rejects.toMatchObject({
    code: "INVALID_INPUT",
    details: { errors: ["email", "password", "firstName", "country"].map((path) => expect.objectContaining({ path })) },
  });
});

test("is paced by source and by address before a password is hashed", async () => {
  const t = await openTenant();
  const codes: string[] = [];
  identity.hashing.hashed = 0;
  const ipAddress = `203.0.113.${Math.floor(Math.random() * 250)}`;
  for (let each = 0; each < 30; each++) {
    const outcome = t.begin(`z${each}`, { ipAddress }).then(
      () => "BEGUN",
      (error: { code: string; details?: { retryAfterS?: number } }) => {
        expect(error.details?.retryAfterS).toBeGreaterThan(0);
        return error.code;
      },
    );
    codes.push(await outcome);
  }
  expect(codes.filter((code) => code === "BEGUN")).toHaveLength(20);
  expect(codes.at(-1)).toBe("RATE_LIMITED");
  expect(identity.hashing.hashed).toBe(20);
  // Another source goes on; the address of one person is written to five times, known or not.
  await t.customer("amina");
  for (const name of ["amina", "nobody"]) {
    const outcomes: string[] = [];
    for (let each = 0; each < 7; each++) {
      const request = { ipAddress: `198.51.100.${each}` };
      outcomes.push(
        await t.begin(name, request).then(
          () => "BEGUN",
          ({ code }: { code: string }) => code,
        ),
      );
    }
    expect(outcomes).toEqual([...Array.from({ length: 5 }, () => "BEGUN"), "RATE_LIMITED", "RATE_LIMITED"]);
  }
});

test("who registers is unreadable in the database until the account is made", async () => {
  const t = await openTenant();
  await t.begin("zola-of-the-sea", { password });
  await t.mailTo("zola-of-the-sea");
  for (const collection of ["registrations", "outbox", "idempotency"]) {
    const rows = await identity.db.collection(collection).find({ tenantId: t.tenantId }).toArray();
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain("of-the-sea");
  }
});
