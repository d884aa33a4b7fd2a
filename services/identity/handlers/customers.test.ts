import { randomUUID } from "node:crypto";
import { Role } from "../../../proto/gen/identity/v1/identity.js";
import { password, registration } from "../../../test/support/identity-drafts.js";
import { inTenant, newTenant, startTestIdentity, type TestIdentity } from "../../../test/support/identity.js";

let identity: TestIdentity;
beforeAll(async () => {
  identity = await startTestIdentity();
});
afterAll(() => identity.stop());

const staffRequest = (name: string, role: Role = Role.ROLE_CASHIER) => ({
  idempotencyKey: randomUUID(),
  email: `${name}@x.example`,
  password,
  role,
  name,
});

/** A tenant with one user of each role, and the access token of each. */
async function peopledTenant(change: { agentScope?: string } = {}) {
  const tenant = await newTenant(identity, change);
  const manager = await tenant.staff("MANAGER");
  const agent = await tenant.staff("AGENT");
  const cashier = await tenant.staff("CASHIER");
  const amina = await tenant.customer();
  const names = { manager: "manager", agent: "agent", cashier: "cashier", customer: "amina" };
  const tokens = {} as Record<keyof typeof names, string>;
  for (const [key, name] of Object.entries(names)) {
    tokens[key as keyof typeof names] = (await tenant.login(name)).accessToken;
  }
  const as = (who: keyof typeof tokens) => inTenant(tenant.tenantId, tokens[who]);
  return { ...tenant, manager, agent, cashier, amina, as };
}

describe("CreateStaffUser", () => {
  test("by the operator: every role of staff, who can log in", async () => {
    const tenant = await newTenant(identity);
    for (const role of ["MANAGER", "AGENT", "CASHIER"] as const) {
      const user = await tenant.staff(role);
      expect(user).toMatchObject({ role: `ROLE_${role}`, customerId: "", email: `${role.toLowerCase()}@x.example` });
      expect((await tenant.login(role.toLowerCase())).user).toEqual(user);
    }
  });

  test("by a MANAGER: AGENT and CASHIER, but no MANAGER", async () => {
    const { as } = await peopledTenant();
    const create = (role: Role, name: string) =>
      identity.rpc.gateway.createStaffUser(staffRequest(name, role), as("manager"));
    await expect(create(Role.ROLE_AGENT, "a2")).resolves.toMatchObject({ user: { role: "ROLE_AGENT" } });
    await expect(create(Role.ROLE_CASHIER, "c2")).resolves.toMatchObject({ user: { role: "ROLE_CASHIER" } });
    await expect(create(Role.ROLE_MANAGER, "m2")).rejects.toMatchObject({ code: "FORBIDDEN" });
  });

  test.each(["agent", "cashier", "customer"] as const)("not by a %s", async (who) => {
    const { as } = await peopledTenant();
    for (const role of [Role.ROLE_CASHIER, Role.ROLE_AGENT, Role.ROLE_MANAGER]) {
      const call = identity.rpc.gateway.createStaffUser(staffRequest("new", role), as(who));
      await expect(call).rejects.toMatchObject({ code: "FORBIDDEN" });
    }
  });

  test("not by the gateway without a user", async () => {
    const { tenantId } = await newTenant(identity);
    const call = identity.rpc.gateway.createStaffUser(staffRequest("new"), inTenant(tenantId));
    await expect(call).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  });

  test("refuses an unknown tenant", async () => {
    const call = identity.rpc.operator.createStaffUser(staffRequest("new"), inTenant("nobody"));
    await expect(call).rejects.toMatchObject({ code: "TENANT_NOT_FOUND" });
  });

  test.each([
    ["idempotencyKey", { idempotencyKey: "" }],
    ["idempotencyKey", { idempotencyKey: "k".repeat(256) }],
    ["email", { email: "nobody" }],
    ["password", { password: "short" }],
    ["password", { password: "password1" }],
    ["name", { name: "" }],
    ["role", { role: Role.ROLE_CUSTOMER }],
    ["role", { role: Role.ROLE_UNSPECIFIED }],
  ])("refuses a faulty %s", async (path, change) => {
    const { tenantId } = await newTenant(identity);
    const call = identity.rpc.operator.createStaffUser({ ...staffRequest("new"), ...change }, inTenant(tenantId));
    await expect(call).rejects.toMatchObject({ code: "INVALID_INPUT", details: { errors: [{ path }] } });
  });

  test("refuses an e-mail address that is taken, whatever its case, and says so again for the same key", async () => {
    const tenant = await newTenant(identity);
    await tenant.customer("amina");
    const request = { ...staffRequest("x"), email: "AMINA@X.example" };
    const create = () => identity.rpc.operator.createStaffUser(request, inTenant(tenant.tenantId));
    await expect(create()).rejects.toMatchObject({ code: "ALREADY_EXISTS" });
    await expect(create()).rejects.toMatchObject({ code: "ALREADY_EXISTS" });
  });

  test("makes one user of a key: sent again, at once or later, with another password too, the answer is the first one", async () => {
    const { tenantId } = await newTenant(identity);
    const request = staffRequest("new");
    const call = (change = {}, onReplayed = () => {}) =>
      identity.rpc.operator.createStaffUser({ ...request, ...change }, inTenant(tenantId, undefined, { onReplayed }));
    const together = await Promise.allSettled(Array.from({ length: 8 }, () => call()));
    const answers = together.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    for (const outcome of together) {
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "IDEMPOTENCY_IN_FLIGHT" });
    }
    const replayed = jest.fn();
    const again = await call({ password: "another-password-1" }, replayed);
    expect(replayed).toHaveBeenCalled();
    for (const answer of answers) expect(answer).toEqual(again);
    expect(await identity.db.collection("users").countDocuments({ tenantId })).toBe(1);
    await expect(call({ name: "Somebody else" })).rejects.toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED" });
  });

  test("a key of one tenant says nothing in another", async () => {
    const request = staffRequest("new");
    const one = await newTenant(identity);
    const two = await newTenant(identity);
    const { user: first } = await identity.rpc.operator.createStaffUser(request, inTenant(one.tenantId));
    const { user: second } = await identity.rpc.operator.createStaffUser(request, inTenant(two.tenantId));
    expect(second!.userId).not.toBe(first!.userId);
  });

  test("a key that was refused for its input is free for the corrected request", async () => {
    const { tenantId } = await newTenant(identity);
    const request = staffRequest("new");
    const create = (change: object) =>
      identity.rpc.operator.createStaffUser({ ...request, ...change }, inTenant(tenantId));
    await expect(create({ email: "" })).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await expect(create({})).resolves.toMatchObject({ user: { email: request.email } });
  });
});

describe("RegisterCustomer", () => {
  test("makes a user and a customer with a code, country in alpha-3", async () => {
    const tenant = await newTenant(identity);
    const customer = await tenant.customer("amina");
    expect(customer).toMatchObject({ firstName: "amina", lastName: "Bello", country: "NGA", agentId: "" });
    expect(customer.customerCode).toMatch(/^C-[34679ACDEFGHJKMNPQRTWXY]{8}$/);
    expect((await tenant.login("amina")).user).toMatchObject({
      userId: customer.userId,
      customerId: customer.customerId,
      role: "ROLE_CUSTOMER",
      name: "amina Bello",
    });
  });

  test("keeps a code that was chosen, once in the tenant and again in another", async () => {
    const tenant = await newTenant(identity);
    expect((await tenant.customer("amina", { customerCode: "c-Amina" })).customerCode).toBe("C-AMINA");
    await expect(tenant.customer("kofi", { customerCode: "C-AMINA" })).rejects.toMatchObject({
      code: "ALREADY_EXISTS",
      message: expect.stringContaining("code"),
    });
    const other = await newTenant(identity);
    await expect(other.customer("amina", { customerCode: "C-AMINA" })).resolves.toBeDefined();
  });

  test("the same person can be a customer of several tenants, once in each", async () => {
    const one = await newTenant(identity);
    const two = await newTenant(identity);
    const first = await one.customer("amina");
    const second = await two.customer("amina");
    expect(second.userId).not.toBe(first.userId);
    await expect(one.customer("AMINA")).rejects.toMatchObject({ code: "ALREADY_EXISTS" });
  });

  test("an AGENT registers customers of their own", async () => {
    const { as, agent } = await peopledTenant();
    const register = (more: object) =>
      identity.rpc.gateway.registerCustomer({ ...registration(randomUUID().slice(0, 8)), ...more }, as("agent"));
    await expect(register({})).resolves.toMatchObject({ customer: { agentId: agent.userId } });
    await expect(register({ agentId: agent.userId })).resolves.toMatchObject({ customer: { agentId: agent.userId } });
    await expect(register({ agentId: randomUUID() })).rejects.toMatchObject({ code: "FORBIDDEN" });
  });

  test("a MANAGER assigns an AGENT of the tenant, and nobody else", async () => {
    const { as, agent, cashier } = await peopledTenant();
    const elsewhere = await peopledTenant();
    const register = (agentId: string) =>
      identity.rpc.gateway.registerCustomer({ ...registration(randomUUID().slice(0, 8)), agentId }, as("manager"));
    await expect(register(agent.userId)).resolves.toMatchObject({ customer: { agentId: agent.userId } });
    for (const agentId of [cashier.userId, elsewhere.agent.userId, "nobody"]) {
      await expect(register(agentId)).rejects.toMatchObject({
        code: "INVALID_INPUT",
        details: { errors: [{ path: "agentId" }] },
      });
    }
  });

  test("a CASHIER registers customers and assigns nobody; a CUSTOMER registers nobody", async () => {
    const { as, agent } = await peopledTenant();
    const { gateway } = identity.rpc;
    await expect(gateway.registerCustomer(registration("new"), as("cashier"))).resolves.toMatchObject({
      customer: { agentId: "" },
    });
    const assigning = gateway.registerCustomer({ ...registration("newer"), agentId: agent.userId }, as("cashier"));
    await expect(assigning).rejects.toMatchObject({ code: "FORBIDDEN" });
    const byCustomer = gateway.registerCustomer(registration("newest"), as("customer"));
    await expect(byCustomer).rejects.toMatchObject({ code: "FORBIDDEN" });
  });

  test("refuses the gateway without a user, and an unknown tenant", async () => {
    const { tenantId } = await newTenant(identity);
    const anonymous = identity.rpc.gateway.registerCustomer(registration("new"), inTenant(tenantId));
    await expect(anonymous).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    const nowhere = identity.rpc.operator.registerCustomer(registration("new"), inTenant("nobody"));
    await expect(nowhere).rejects.toMatchObject({ code: "TENANT_NOT_FOUND" });
  });

  test("takes a name in any script, and none without a letter, since it could be compared with no list", async () => {
    const { tenantId } = await newTenant(identity);
    const register = (key: string, firstName: string, lastName: string) =>
      identity.rpc.operator.registerCustomer({ ...registration(key), firstName, lastName }, inTenant(tenantId));
    for (const [firstName, lastName, path] of [
      ["🙂🙃", "Bello", "firstName"],
      ["Amina", "?!", "lastName"],
      ["4711", "0815", "lastName"],
      ["-", ".", "lastName"],
    ] as const) {
      const errors = [expect.objectContaining({ path })];
      await expect(register("nameless", firstName, lastName)).rejects.toMatchObject({
        code: "INVALID_INPUT",
        details: { errors },
      });
    }
    for (const [key, firstName, lastName] of [
      ["han", "李", "小龙"],
      ["arabic", "منذر", "الذراقي"],
      ["mononym", "Suharto", "-"],
    ] as const) {
      await expect(register(key, firstName, lastName)).resolves.toMatchObject({ customer: { firstName, lastName } });
    }
  });

  test("names every fault of the input", async () => {
    const { tenantId } = await newTenant(identity);
    const faulty = {
      email: "x",
      password: "x",
      firstName: "",
      lastName: "",
      phoneNumber: "1",
      country: "ZZ",
      customerCode: "?",
    };
    const call = identity.rpc.operator.registerCustomer(faulty, inTenant(tenantId));
    await expect(call).rejects.toMatchObject({
      code: "INVALID_INPUT",
      details: {
        errors: [
          "idempotencyKey",
          "email",
          "password",
          "firstName",
          "lastName",
          "phoneNumber",
          "country",
          "customerCode",
        ].map((path) => expect.objectContaining({ path })),
      },
    });
  });

  test("makes one customer of a key, also when a code is made for them", async () => {
    const { tenantId } = await newTenant(identity);
    const request = registration("amina");
    const register = (change = {}) =>
      identity.rpc.operator.registerCustomer({ ...request, ...change }, inTenant(tenantId));
    const first = await register();
    await expect(register()).resolves.toEqual(first);
    await expect(register({ lastName: "Other" })).rejects.toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED" });
  });
});

describe("GetCustomers", () => {
  test("finds those of the tenant by id and by code in any case, and leaves the others out", async () => {
    const tenant = await peopledTenant();
    const kofi = await tenant.customer("kofi", { customerCode: "C-KOFI" });
    const other = await peopledTenant();
    const customerIds = [tenant.amina.customerId, other.amina.customerId, "nobody's", tenant.agent.userId];
    const requested = { customerIds, customerCodes: ["c-kofi", "C-NOBODY"] };
    const { customers } = await identity.rpc.remittance.getCustomers(requested, inTenant(tenant.tenantId));
    const found = customers.map(({ customerId }) => customerId);
    expect(found.toSorted()).toEqual([tenant.amina.customerId, kofi.customerId].toSorted());
    await expect(identity.rpc.remittance.getCustomers({}, inTenant(tenant.tenantId))).resolves.toEqual({
      customers: [],
    });
  });

  test("refuses too many, and whoever is no service that looks up many", async () => {
    const { tenantId } = await newTenant(identity);
    const tooMany = { customerIds: Array.from({ length: 101 }, () => "x") };
    await expect(identity.rpc.remittance.getCustomers(tooMany, inTenant(tenantId))).rejects.toMatchObject({
      code: "INVALID_INPUT",
    });
    await expect(identity.rpc.gateway.getCustomers({}, inTenant(tenantId))).rejects.toMatchObject({
      code: "CALLER_NOT_ALLOWED",
    });
  });
});

describe("GetCustomer", () => {
  test("finds by id, by code in any case and by user id", async () => {
    const tenant = await newTenant(identity);
    const customer = await tenant.customer("amina", { customerCode: "C-AMINA" });
    const find = (by: object) => identity.rpc.remittance.getCustomer(by, inTenant(tenant.tenantId));
    for (const by of [{ customerId: customer.customerId }, { customerCode: "c-amina" }, { userId: customer.userId }]) {
      await expect(find(by)).resolves.toEqual({ customer });
    }
  });

  test("finds nobody unknown, nobody of another tenant, and no staff", async () => {
    const tenant = await peopledTenant();
    const { customerId, customerCode, userId } = tenant.amina;
    const other = await newTenant(identity);
    for (const by of [{ customerId }, { customerCode }, { userId }]) {
      const call = identity.rpc.wallet.getCustomer(by, inTenant(other.tenantId));
      await expect(call).rejects.toMatchObject({ code: "CUSTOMER_NOT_FOUND" });
    }
    for (const by of [{ userId: tenant.agent.userId }, { customerId: "x" }, { customerCode: "C-NOBODY" }]) {
      const call = identity.rpc.wallet.getCustomer(by, inTenant(tenant.tenantId));
      await expect(call).rejects.toMatchObject({ code: "CUSTOMER_NOT_FOUND" });
    }
  });

  test("refuses a request that names nobody", async () => {
    const { tenantId } = await newTenant(identity);
    for (const by of [{}, { customerId: "" }]) {
      const call = identity.rpc.wallet.getCustomer(by, inTenant(tenantId));
      await expect(call).rejects.toMatchObject({ code: "INVALID_INPUT" });
    }
  });

  test("through the gateway: staff, the AGENT who manages them, and the customer themself", async () => {
    const tenant = await peopledTenant();
    const managed = await tenant.customer("kofi", { agentId: tenant.agent.userId });
    const find = (who: "manager" | "agent" | "cashier" | "customer", customerId: string) =>
      identity.rpc.gateway.getCustomer({ customerId }, tenant.as(who));
    const { customerId: own } = tenant.amina;
    for (const who of ["manager", "cashier", "agent"] as const) {
      await expect(find(who, managed.customerId)).resolves.toBeDefined();
    }
    await expect(find("customer", own)).resolves.toBeDefined();
    await expect(find("customer", managed.customerId)).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(find("agent", own)).rejects.toMatchObject({ code: "FORBIDDEN" });
    const anonymous = identity.rpc.gateway.getCustomer({ customerId: own }, inTenant(tenant.tenantId));
    await expect(anonymous).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  });

  test("through the gateway: every AGENT where the tenant says so", async () => {
    const tenant = await peopledTenant({ agentScope: "TENANT" });
    const call = identity.rpc.gateway.getCustomer({ customerId: tenant.amina.customerId }, tenant.as("agent"));
    await expect(call).resolves.toBeDefined();
  });
});

describe("ListManagedCustomers", () => {
  test("lists the customers of an agent, page by page, in one order", async () => {
    const tenant = await peopledTenant();
    const agentId = tenant.agent.userId;
    const made: string[] = [];
    for (const name of ["a1", "a2", "a3", "a4", "a5"]) made.push((await tenant.customer(name, { agentId })).customerId);
    const list = (request: object) => identity.rpc.remittance.listManagedCustomers(request, inTenant(tenant.tenantId));
    const all = await list({ agentId });
    expect(all.customers.map(({ customerId }) => customerId)).toEqual(made.toSorted());
    expect(all.nextPageToken).toBe("");
    const found: string[] = [];
    let pageToken = "";
    do {
      const page = await list({ agentId, pageSize: 2, pageToken });
      expect(page.customers.length).toBeLessThanOrEqual(2);
      found.push(...page.customers.map(({ customerId }) => customerId));
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
    expect(found).toEqual(made.toSorted());
  });

  test("an AGENT sees their own, and nobody else's; a MANAGER anybody's; others none", async () => {
    const tenant = await peopledTenant();
    const second = await tenant.staff("AGENT", "agent2");
    await tenant.customer("kofi", { agentId: tenant.agent.userId });
    const list = (who: "manager" | "agent" | "cashier" | "customer", agentId: string) =>
      identity.rpc.gateway.listManagedCustomers({ agentId }, tenant.as(who));
    await expect(list("agent", "")).resolves.toMatchObject({ customers: [{ firstName: "kofi" }] });
    await expect(list("agent", second.userId)).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(list("manager", second.userId)).resolves.toMatchObject({ customers: [] });
    expect((await list("manager", "")).customers).toHaveLength(2);
    await expect(list("cashier", tenant.agent.userId)).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(list("customer", tenant.agent.userId)).rejects.toMatchObject({ code: "FORBIDDEN" });
    const anonymous = identity.rpc.gateway.listManagedCustomers({ agentId: "a" }, inTenant(tenant.tenantId));
    await expect(anonymous).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  });

  test("lists all of the tenant, and only of the tenant, where its agents manage all", async () => {
    const tenant = await peopledTenant({ agentScope: "TENANT" });
    await peopledTenant();
    const { customers } = await identity.rpc.gateway.listManagedCustomers({}, tenant.as("agent"));
    expect(customers.map(({ customerId }) => customerId)).toEqual([tenant.amina.customerId]);
  });

  test("refuses a page that is too large, and an unknown tenant", async () => {
    const { tenantId } = await newTenant(identity);
    for (const pageSize of [1_001, -1]) {
      const call = identity.rpc.remittance.listManagedCustomers({ agentId: "a", pageSize }, inTenant(tenantId));
      await expect(call).rejects.toMatchObject({ code: "INVALID_INPUT" });
    }
    const nowhere = identity.rpc.remittance.listManagedCustomers({ agentId: "a" }, inTenant("nobody"));
    await expect(nowhere).rejects.toMatchObject({ code: "TENANT_NOT_FOUND" });
  });
});

describe("NoteCustomerStatus", () => {
  const note = (tenantId: string, customerId: string, status: string, sequence: number) =>
    identity.rpc.compliance.noteCustomerStatus({ customerId, status, sequence, at: new Date() }, inTenant(tenantId));

  test("keeps what compliance came to; what is late changes nothing", async () => {
    const tenant = await newTenant(identity);
    const { customerId } = await tenant.customer("amina");
    const status = async () =>
      (await identity.rpc.wallet.getCustomer({ customerId }, inTenant(tenant.tenantId))).customer!.status;
    expect(await status()).toBe("PENDING");
    await note(tenant.tenantId, customerId, "CONFIRMED", 1);
    await note(tenant.tenantId, customerId, "BLOCKED", 2);
    await note(tenant.tenantId, customerId, "CONFIRMED", 1);
    await note(tenant.tenantId, customerId, "BLOCKED", 2);
    expect(await status()).toBe("BLOCKED");
    await note(tenant.tenantId, customerId, "CONFIRMED", 3);
    expect(await status()).toBe("CONFIRMED");
  });

  test("is compliance's alone, about a customer of the tenant", async () => {
    const tenant = await newTenant(identity);
    const { customerId } = await tenant.customer("amina");
    const { tenantId } = tenant;
    await expect(note((await newTenant(identity)).tenantId, customerId, "CONFIRMED", 1)).rejects.toMatchObject({
      code: "CUSTOMER_NOT_FOUND",
    });
    await expect(note(tenantId, customerId, "RICH", 1)).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await expect(note(tenantId, customerId, "CONFIRMED", 0)).rejects.toMatchObject({ code: "INVALID_INPUT" });
    const other = identity.rpc.remittance.noteCustomerStatus(
      { customerId, status: "CONFIRMED", sequence: 1 },
      inTenant(tenantId),
    );
    await expect(other).rejects.toMatchObject({ code: "CALLER_NOT_ALLOWED" });
  });
});
