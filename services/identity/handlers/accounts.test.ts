import { randomUUID } from "node:crypto";
import { waitFor } from "../../../test/support/index.js";
import { password, registration } from "../../../test/support/identity-drafts.js";
import {
  aboveTenants,
  inTenant,
  newTenant,
  startTestIdentity,
  type TestIdentity,
} from "../../../test/support/identity.js";
import { outlast } from "../../../test/support/time.js";

let identity: TestIdentity;
beforeAll(async () => {
  identity = await startTestIdentity({ replicas: 2 });
});
afterAll(() => identity.stop());

const refused = (code: string) => expect.objectContaining({ code });
const logIn = (tenantId: string, name: string, currentPassword = password) =>
  identity.rpc.gateway.login(
    { email: `${name}@x.example`, currentPassword, ipAddress: `10.0.0.${name.length}` },
    inTenant(tenantId),
  );

/** A tenant with people of each role, and what each is known by. */
async function peopledTenant(change: Parameters<typeof newTenant>[1] = {}) {
  const tenant = await newTenant(identity, change);
  const manager = await tenant.staff("MANAGER");
  const agent = await tenant.staff("AGENT");
  const cashier = await tenant.staff("CASHIER");
  const amina = await tenant.customer("amina", { agentId: agent.userId });
  const kofi = await tenant.customer("kofi");
  const tokens = new Map<string, string>();
  for (const name of ["manager", "agent", "cashier", "amina", "kofi"]) {
    tokens.set(name, (await tenant.login(name)).accessToken);
  }
  const as = (name: string) => inTenant(tenant.tenantId, tokens.get(name)!);
  return { ...tenant, manager, agent, cashier, amina, kofi, as };
}

describe("a password that others chose", () => {
  const choose = (own: string, given = password) => ({ currentPassword: given, newPassword: own });
  const scopeOf = (accessToken: string) =>
    JSON.parse(Buffer.from(accessToken.split(".")[1]!, "base64url").toString()).scope as string | undefined;

  test("signs in only to be changed: the session is limited until its owner has chosen another", async () => {
    const t = await peopledTenant();
    const { gateway, remittance } = identity.rpc;
    const { customer } = await gateway.registerCustomer(registration("zola"), t.as("agent"));
    const staff = { ...registration("ben"), role: "ROLE_CASHIER" as const, name: "Ben" };
    await gateway.createStaffUser(staff, t.as("manager"));
    for (const name of ["zola", "ben"]) {
      const session = await t.login(name);
      expect([name, scopeOf(session.accessToken)]).toEqual([name, "password:change"]);
      const call = inTenant(t.tenantId, session.accessToken);
      await expect(gateway.changePassword(choose(password), call)).rejects.toEqual(refused("INVALID_INPUT"));
      await gateway.changePassword(choose("another-horse-8"), call);
      const { session: next } = await gateway.refresh({ refreshToken: session.refreshToken }, inTenant(t.tenantId));
      expect([name, scopeOf(next!.accessToken)]).toEqual([name, undefined]);
      await expect(t.login(name)).rejects.toEqual(refused("LOGIN_FAILED"));
    }
    // Who registered her knew it, and could have paid with it.
    await gateway.registerCustomer(registration("yara"), t.as("agent"));
    const check = { userId: customer!.userId, password: "another-horse-8" };
    await expect(remittance.verifyCredentials(check, t.as("agent"))).resolves.toBeDefined();
    const yara = (await t.login("yara")).user!.userId;
    await expect(remittance.verifyCredentials({ userId: yara, password }, t.as("agent"))).rejects.toEqual(
      refused("PASSWORD_CHANGE_REQUIRED"),
    );
    await expect(remittance.verifyCredentials({ userId: yara, password: "wrong-1" }, t.as("agent"))).rejects.toEqual(
      refused("PASSWORD_WRONG"),
    );
  });

  test("is good for seven days; one that people chose themselves, or a fixture gives as theirs, for ever", async () => {
    const t = await newTenant(identity);
    const { operator } = identity.rpc;
    await t.customer("amina");
    const byOperator = { ...registration("ann"), passwordForOneSignIn: true };
    await operator.registerCustomer(byOperator, inTenant(t.tenantId));
    expect(scopeOf((await t.login("amina")).accessToken)).toBeUndefined();
    expect(scopeOf((await t.login("ann")).accessToken)).toBe("password:change");
    identity.passMs(7 * 86_400_000);
    await expect(t.login("ann")).rejects.toEqual(refused("LOGIN_FAILED"));
    await expect(t.login("amina")).resolves.toBeDefined();
  });
});

describe("managed customers", () => {
  test("a MANAGER moves a customer to another agent and back to nobody", async () => {
    const t = await peopledTenant();
    const assign = (who: string, agentId: string, customerId = t.amina.customerId) =>
      identity.rpc.gateway.assignCustomer({ customerId, agentId }, t.as(who));
    await expect(assign("manager", "")).resolves.toMatchObject({ customer: { agentId: "" } });
    await expect(assign("manager", t.agent.userId)).resolves.toMatchObject({ customer: { agentId: t.agent.userId } });
    await expect(assign("manager", t.cashier.userId)).rejects.toEqual(refused("INVALID_INPUT"));
    await expect(assign("manager", t.agent.userId, "nobody")).rejects.toEqual(refused("CUSTOMER_NOT_FOUND"));
    for (const who of ["agent", "cashier", "kofi"]) {
      await expect(assign(who, t.agent.userId)).rejects.toEqual(refused("FORBIDDEN"));
    }
  });

  test("phone numbers are unreadable in the database and found by a keyed hash", async () => {
    const t = await peopledTenant();
    const stored = await identity.db.collection("users").findOne({ "customer.id": t.amina.customerId });
    expect(JSON.stringify(stored)).not.toContain("8012345678");
    const { customer } = await identity.rpc.remittance.getCustomer(
      { phoneNumber: "+234 801 234 5678" },
      t.as("manager"),
    );
    expect(customer!.phoneNumber).toBe("+2348012345678");
    const answers = await identity.db.collection("idempotency").find({ tenantId: t.tenantId }).toArray();
    expect(JSON.stringify(answers)).not.toContain("8012345678");
  });
});

describe("profiles", () => {
  test("nobody is renamed to what has no letter", async () => {
    const t = await peopledTenant();
    const change = (userId: string, part: object) =>
      identity.rpc.gateway.updateProfile({ userId, ...part }, t.as("manager"));
    for (const [userId, part, path] of [
      [t.amina.userId, { firstName: "🙂" }, "firstName"],
      [t.amina.userId, { firstName: "1", lastName: "-" }, "lastName"],
      [t.cashier.userId, { name: "4711" }, "name"],
    ] as const) {
      const errors = [expect.objectContaining({ path })];
      await expect(change(userId, part)).rejects.toMatchObject({ code: "INVALID_INPUT", details: { errors } });
    }
    await change(t.amina.userId, { lastName: "-" });
    await expect(change(t.amina.userId, { firstName: "." })).rejects.toMatchObject({
      details: { errors: [expect.objectContaining({ path: "firstName" })] },
    });
  });

  test("staff change people that they manage", async () => {
    const t = await peopledTenant();
    const rename = (who: string, userId: string) =>
      identity.rpc.gateway.updateProfile({ userId, firstName: "Aminata" }, t.as(who));
    for (const who of ["manager", "agent", "cashier"]) {
      await expect(rename(who, t.amina.userId)).resolves.toMatchObject({
        profile: { user: { name: "Aminata Bello" } },
      });
    }
    await expect(rename("agent", t.kofi.userId)).rejects.toEqual(refused("FORBIDDEN"));
    await expect(rename("kofi", t.amina.userId)).rejects.toEqual(refused("FORBIDDEN"));
    await expect(rename("manager", "nobody")).rejects.toEqual(refused("NOT_FOUND"));
    await expect(rename("manager", t.cashier.userId)).rejects.toEqual(refused("INVALID_INPUT"));
    const own = identity.rpc.gateway.updateProfile({ name: "Head Cashier" }, t.as("cashier"));
    await expect(own).resolves.toMatchObject({ profile: { user: { name: "Head Cashier" } } });
  });
});

describe("disabling a user", () => {
  const disable = (call: ReturnType<typeof inTenant>, userId: string) =>
    identity.rpc.gateway.disableUser({ userId, reason: "left" }, call);

  test("ends every session at once and lets nobody in as them until they are enabled", async () => {
    const t = await peopledTenant();
    const session = await t.login("cashier");
    await expect(disable(t.as("manager"), t.cashier.userId)).resolves.toMatchObject({ user: { disabled: true } });
    const call = inTenant(t.tenantId, session.accessToken);
    await expect(identity.rpc.gateway.getProfile({}, call)).rejects.toEqual(refused("TOKEN_REVOKED"));
    await expect(
      identity.rpc.gateway.refresh({ refreshToken: session.refreshToken }, inTenant(t.tenantId)),
    ).rejects.toEqual(refused("TOKEN_REVOKED"));
    await expect(t.login("cashier")).rejects.toEqual(refused("LOGIN_FAILED"));
    await identity.rpc.gateway.enableUser({ userId: t.cashier.userId, reason: "back" }, t.as("manager"));
    // In the same second as the revocation: what is issued after it is good.
    const again = await t.login("cashier");
    await expect(identity.rpc.gateway.getProfile({}, inTenant(t.tenantId, again.accessToken))).resolves.toBeDefined();
    const audit = await identity.db.collection("audit").find({ subject: t.cashier.userId }).toArray();
    expect(audit.map(({ action, reason, actor }) => [action, reason, actor])).toEqual([
      ["user.disable", "left", t.manager.userId],
      ["user.enable", "back", t.manager.userId],
    ]);
  });

  test("is refused for those whom one does not manage, oneself included", async () => {
    const t = await peopledTenant();
    const may = async (who: string, userId: string) => {
      const outcome = await disable(t.as(who), userId).then(
        () => "yes",
        ({ code }: { code: string }) => code,
      );
      await identity.rpc.operator.enableUser({ userId, reason: "test" }, inTenant(t.tenantId));
      return outcome;
    };
    expect(await may("manager", t.manager.userId)).toBe("FORBIDDEN");
    expect(await may("agent", t.cashier.userId)).toBe("FORBIDDEN");
    expect(await may("agent", t.kofi.userId)).toBe("FORBIDDEN");
    expect(await may("agent", t.amina.userId)).toBe("yes");
    expect(await may("cashier", t.kofi.userId)).toBe("yes");
    expect(await may("cashier", t.agent.userId)).toBe("FORBIDDEN");
  });
});

describe("passwords", () => {
  const changed = "another-horse-8";

  test("a change needs the old one and ends the other sessions, not this one", async () => {
    const t = await peopledTenant();
    const here = await t.login("amina");
    const there = await t.login("amina");
    const change = (currentPassword: string, newPassword = changed) =>
      identity.rpc.gateway.changePassword({ currentPassword, newPassword }, inTenant(t.tenantId, here.accessToken));
    await expect(change("wrong-horse-1")).rejects.toEqual(refused("PASSWORD_WRONG"));
    await expect(change("")).rejects.toEqual(refused("PASSWORD_REQUIRED"));
    await expect(change(password, "short")).rejects.toEqual(refused("INVALID_INPUT"));
    await change(password);
    const profile = (accessToken: string) => identity.rpc.gateway.getProfile({}, inTenant(t.tenantId, accessToken));
    await expect(profile(here.accessToken)).resolves.toBeDefined();
    await expect(profile(there.accessToken)).rejects.toEqual(refused("TOKEN_REVOKED"));
    await expect(logIn(t.tenantId, "amina")).rejects.toEqual(refused("LOGIN_FAILED"));
    await expect(logIn(t.tenantId, "amina", changed)).resolves.toBeDefined();
  });

  test("a reset's token comes by mail, works once, and ends all sessions", async () => {
    const t = await peopledTenant();
    const before = await t.login("amina");
    const ask = (name: string) =>
      identity.rpc.gateway.requestPasswordReset({ email: `${name}@x.example` }, inTenant(t.tenantId));
    const mails = () => identity.sent.filter((mail) => mail.account === t.tenantId);
    expect(await ask("nobody")).toEqual(await ask("amina"));
    const mail = await waitFor(() => mails()[0]);
    expect(mail).toMatchObject({ channel: "EMAIL", to: "amina@x.example" });
    const token = /token: (\S+)/.exec(mail.text)![1]!;
    const reset = (given: string) =>
      identity.rpc.gateway.resetPassword({ token: given, newPassword: changed }, inTenant(t.tenantId));
    await expect(reset(`${token.startsWith("A") ? "B" : "A"}${token.slice(1)}`)).rejects.toEqual(
      refused("UNAUTHENTICATED"),
    );
    const elsewhere = await newTenant(identity);
    const foreign = identity.rpc.gateway.resetPassword({ token, newPassword: changed }, inTenant(elsewhere.tenantId));
    await expect(foreign).rejects.toEqual(refused("UNAUTHENTICATED"));
    const outcomes = await Promise.allSettled([reset(token), reset(token), reset(token)]);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expect(identity.rpc.gateway.getProfile({}, inTenant(t.tenantId, before.accessToken))).rejects.toEqual(
      refused("TOKEN_REVOKED"),
    );
    await expect(logIn(t.tenantId, "amina", changed)).resolves.toBeDefined();
    expect(mails().every(({ to }) => to === "amina@x.example")).toBe(true);
    expect(JSON.stringify(await identity.db.collection("password_resets").find().toArray())).not.toContain(token);
  });
});

describe("sessions", () => {
  test("a user sees and ends their own, and nobody else's", async () => {
    const t = await peopledTenant();
    const here = await t.login("amina");
    const there = await t.login("amina");
    const call = inTenant(t.tenantId, here.accessToken);
    const { sessions } = await identity.rpc.gateway.listSessions({}, call);
    expect(sessions).toHaveLength(3);
    expect(sessions.filter(({ current }) => current)).toHaveLength(1);
    const kofis = (await identity.rpc.gateway.listSessions({}, t.as("kofi"))).sessions[0]!;
    await expect(identity.rpc.gateway.endSession({ sessionId: kofis.sessionId }, call)).rejects.toEqual(
      refused("NOT_FOUND"),
    );
    const other = sessions[0]!;
    expect(other.current).toBe(false);
    await identity.rpc.gateway.endSession({ sessionId: other.sessionId }, call);
    await identity.rpc.gateway.endSession({ sessionId: other.sessionId }, call);
    await expect(identity.rpc.gateway.getProfile({}, inTenant(t.tenantId, there.accessToken))).rejects.toEqual(
      refused("TOKEN_REVOKED"),
    );
    expect((await identity.rpc.gateway.listSessions({}, call)).sessions).toHaveLength(2);
  });
});

describe("key rotation", () => {
  const kidOf = (token: string) =>
    (JSON.parse(Buffer.from(token.split(".")[0]!, "base64url").toString()) as { kid: string }).kid;

  test("publishes first, signs after the lead, and what the old keys made stays good in every replica", async () => {
    const t = await peopledTenant();
    const before = await t.login("amina");
    await identity.rpc.operator.rotateKeys({ leadS: 30 }, aboveTenants());
    await expect(identity.rpc.operator.rotateKeys({}, aboveTenants())).rejects.toEqual(refused("STATE_CONFLICT"));
    const { jwksJson } = await identity.rpc.gateway.getJwks({}, aboveTenants());
    expect((JSON.parse(jwksJson) as { keys: unknown[] }).keys).toHaveLength(2);
    expect(kidOf((await t.login("amina")).accessToken)).toBe(kidOf(before.accessToken));
    identity.passMs(31_000);
    const after = await t.login("amina");
    expect(kidOf(after.accessToken)).not.toBe(kidOf(before.accessToken));
    // Past the second in which a replica does not read the keys again.
    await outlast(1_100);
    const second = identity.clientOf("gateway", 1);
    for (const { accessToken, refreshToken } of [before, after]) {
      await expect(second.getProfile({}, inTenant(t.tenantId, accessToken))).resolves.toBeDefined();
      await expect(second.refresh({ refreshToken }, inTenant(t.tenantId))).resolves.toBeDefined();
    }
    const { keys } = await identity.rpc.operator.listKeys({}, aboveTenants());
    expect(keys.filter(({ active }) => active)).toHaveLength(4);
    expect(JSON.stringify(keys)).not.toContain("secret");
    const { profile } = await identity.rpc.gateway.getProfile({}, inTenant(t.tenantId, after.accessToken));
    expect(profile!.customer!.phoneNumber).toBe("+2348012345678");
  });

  test.each([1, -1, 90_000])("refuses a lead of %p s", async (leadS) => {
    await expect(identity.rpc.operator.rotateKeys({ leadS }, aboveTenants())).rejects.toEqual(refused("INVALID_INPUT"));
  });
});

test("a staff list is the MANAGER's", async () => {
  const t = await peopledTenant();
  const { users } = await identity.rpc.gateway.listStaffUsers({}, t.as("manager"));
  expect(users.map(({ role }) => role).toSorted()).toEqual(["ROLE_AGENT", "ROLE_CASHIER", "ROLE_MANAGER"]);
  for (const who of ["agent", "cashier", "amina"]) {
    await expect(identity.rpc.gateway.listStaffUsers({}, t.as(who))).rejects.toEqual(refused("FORBIDDEN"));
  }
  await expect(identity.rpc.gateway.getCustomer({ customerId: randomUUID() }, t.as("manager"))).rejects.toEqual(
    refused("CUSTOMER_NOT_FOUND"),
  );
});

test("names of staff who may log in are told by their ids, and nothing else of them, to the wallet alone", async () => {
  const [t, elsewhere] = [await peopledTenant(), await peopledTenant()];
  const { gateway, wallet } = identity.rpc;
  const { user } = await gateway.createStaffUser(
    { ...registration("gone"), role: "ROLE_CASHIER", name: "Gone Cashier" },
    t.as("manager"),
  );
  await gateway.disableUser({ userId: user!.userId, reason: "left" }, t.as("manager"));
  const { agent, cashier, amina } = t;
  const userIds = [cashier.userId, agent.userId, user!.userId, amina.userId, elsewhere.agent.userId, "nobody's"];
  const { names } = await wallet.getStaffNames({ userIds }, t.as("agent"));
  expect(names).toHaveLength(2);
  for (const { userId, name, role } of [agent, cashier]) expect(names).toContainEqual({ userId, name, role });
  await expect(wallet.getStaffNames({}, t.as("agent"))).resolves.toEqual({ names: [] });

  const tooMany = { userIds: Array.from({ length: 101 }, () => "x") };
  await expect(wallet.getStaffNames(tooMany, t.as("manager"))).rejects.toEqual(refused("INVALID_INPUT"));
  await expect(gateway.getStaffNames({ userIds }, t.as("manager"))).rejects.toEqual(refused("CALLER_NOT_ALLOWED"));
});
