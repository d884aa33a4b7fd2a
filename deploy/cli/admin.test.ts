import { randomUUID } from "node:crypto";
import { startTestIdentity, inTenant, newTenant, type TestIdentity } from "../../test/support/identity.js";
import { readAdminArguments } from "./admin-arguments.js";
import { runAdmin } from "./admin-commands.js";

let identity: TestIdentity;
beforeAll(async () => {
  identity = await startTestIdentity();
});
afterAll(() => identity.stop());

/** As the command line: what it prints. */
async function admin(args: string[], input = ""): Promise<string[]> {
  const lines: string[] = [];
  const deps = {
    identity: identity.rpc.operator,
    print: (line: string) => void lines.push(line),
    input: async () => input,
  };
  await runAdmin(readAdminArguments(args), deps);
  return lines;
}

const fresh = () => `cli-${randomUUID().slice(0, 8)}`;
const creation = (id: string) =>
  [
    "tenant",
    "create",
    id,
    "--name",
    "Kazi",
    "--host",
    `${id}.example`,
    "--currency",
    "USD",
    "--currency",
    "NGN",
  ].concat(["--country", "NG", "--country", "US", "--time-zone", "Africa/Lagos"]);
const show = async (id: string) => JSON.parse((await admin(["tenant", "show", id])).join("\n"));

describe("tenant", () => {
  test("create makes a tenant and its sandbox, once", async () => {
    const id = fresh();
    expect(await admin(creation(id))).toEqual([`tenant ${id} answers to ${id}.example; its sandbox is ${id}--sandbox`]);
    expect(await show(id)).toMatchObject({
      tenantId: id,
      hosts: [`${id}.example`],
      preference: { baseCurrency: "USD", currencies: ["USD", "NGN"], countries: ["NGA", "USA"], locale: "en" },
    });
    expect(await show(`${id}--sandbox`)).toMatchObject({ sandboxOf: id });
    await expect(admin(creation(id))).rejects.toThrow(/already/);
    expect((await admin(["tenant", "list"])).some((line) => line.startsWith(`${id}  Kazi  ${id}.example`))).toBe(true);
  });

  test("change changes what is named and keeps the rest, with limits as amounts", async () => {
    const id = fresh();
    await admin(creation(id));
    const limit = ["--single-person-limit", "REFUND=50.00 USD"];
    await admin(["tenant", "change", id, "--time-zone", "Africa/Nairobi", "--staff-totp", ...limit]);
    const changed = await show(id);
    expect(changed).toMatchObject({
      name: "Kazi",
      preference: {
        timeZone: "Africa/Nairobi",
        staffTotpRequired: true,
        currencies: ["USD", "NGN"],
        singlePersonLimits: [{ kind: "REFUND", below: "50.00 USD" }],
      },
    });
    await admin(["tenant", "change", id, "--record-retention-years", "5"]);
    expect((await show(id)).preference).toMatchObject({ recordRetentionYears: 5, staffTotpRequired: true });
    await admin(["tenant", "change", id, "--no-staff-totp", "--single-person-limit", "none"]);
    expect((await show(id)).preference).toMatchObject({ staffTotpRequired: false, singlePersonLimits: [] });
  });

  test("what identity refuses names every fault", async () => {
    const args = creation(fresh()).with(-1, "Mars/Base");
    await expect(admin(args)).rejects.toMatchObject({
      code: "INVALID_INPUT",
      details: { errors: [{ path: "preference.timeZone" }] },
    });
    await expect(admin(["tenant", "show", "nobody"])).rejects.toThrow("there is no tenant nobody");
  });
});

test("manager create prints a password that lets in, or takes one from standard input", async () => {
  const id = fresh();
  await admin(creation(id));
  const create = (email: string) => ["manager", "create", id, "--email", email, "--name", "Ann Ode"];
  const [made, shownOnce] = await admin(create("ann@kazi.example"));
  expect(made).toMatch(/^manager ann@kazi\.example of cli-\S+ is user /);
  const login = (email: string, currentPassword: string) =>
    identity.rpc.gateway.login({ email, currentPassword }, inTenant(id));
  const password = /^password: (\S+)/.exec(shownOnce!)![1]!;
  const { session } = await login("ann@kazi.example", password);
  expect(session!.user!.role).toBe("ROLE_MANAGER");
  // Whoever ran the command has seen it.
  const change = { currentPassword: password, newPassword: password };
  await expect(identity.rpc.gateway.changePassword(change, inTenant(id, session!.accessToken))).rejects.toMatchObject({
    code: "INVALID_INPUT",
  });
  const lines = await admin([...create("ben@kazi.example"), "--password-from-input"], "Correct-horse-42\n");
  expect(lines).toHaveLength(1);
  await expect(login("ben@kazi.example", "Correct-horse-42")).resolves.toBeDefined();
});

test("keys are listed and rotated, never shown, and nobody is logged out", async () => {
  const tenant = await newTenant(identity);
  await tenant.customer("amina");
  const { accessToken } = await tenant.login("amina");
  const before = await admin(["keys", "list"]);
  expect(before.filter((line) => line.endsWith("in use"))).toHaveLength(before.length);
  const after = await admin(["keys", "rotate", "--lead", "30"]);
  expect(after.at(-1)).toBe("the new keys are used in 30 s; nobody is logged out");
  expect(after.length).toBeGreaterThan(before.length);
  const read = identity.rpc.gateway.getProfile({}, inTenant(tenant.tenantId, accessToken));
  await expect(read).resolves.toBeDefined();
});

test("erase takes out who a customer was, retention whoever was disabled long ago", async () => {
  const tenant = await newTenant(identity);
  const amina = await tenant.customer("amina");
  const told = await admin(["erase", amina.customerId, "--tenant", tenant.tenantId, "--why", "asked for it"]);
  expect(told[0]).toMatch(new RegExp(`^customer ${amina.customerId} was erased at 20`));
  expect(told[1]).toMatch(/^records that the law wants kept are kept until 20/);
  expect(told.slice(2)).toEqual(
    ["compliance", "remittance", "wallet", "lending"].map((name) => `${name.padEnd(10)}  PENDING  `),
  );
  expect(await admin(["erasure", "show", amina.customerId, "--tenant", tenant.tenantId])).toEqual(told);
  const { customer } = await identity.rpc.wallet.getCustomer(
    { customerId: amina.customerId },
    inTenant(tenant.tenantId),
  );
  expect(customer).toMatchObject({ firstName: "erased", phoneNumber: "" });
  const kofi = await tenant.customer("kofi");
  const disable = { userId: kofi.userId, reason: "left" };
  await identity.rpc.operator.disableUser(disable, inTenant(tenant.tenantId));
  identity.passMs(31 * 86_400_000);
  expect((await admin(["retention", "apply", "--days", "30"])).at(0)).toMatch(/^[1-9]\d* customers were erased$/);
});

test.each([
  [[], /name a command/],
  [["tenant", "burn"], /no command tenant burn/],
  [["tenant", "create", "x", "--name", "X"], /needs --host, --currency, --country, --time-zone/],
  [["tenant", "create"], /needs/],
  [["tenant", "change"], /tenant's id/],
  [["tenant", "change", "x", "--single-person-limit", "REFUND"], /REFUND=50.00 USD/],
  [["manager", "create", "x"], /--email/],
  [["keys", "rotate", "--lead", "5"], /--lead/],
  [["erase", "c1", "--tenant", "x"], /--why/],
  [["erasure", "show", "c1"], /--tenant/],
  [["tenant", "change", "x", "--record-retention-years", "101"], /0 to 100/],
  [["retention", "apply"], /--days/],
])("refuses %j", (args, message) => {
  expect(() => readAdminArguments(args)).toThrow(message);
});
