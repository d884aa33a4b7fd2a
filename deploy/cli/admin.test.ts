import { randomBytes, randomUUID } from "node:crypto";
import { appendFile, readFile, writeFile } from "node:fs/promises";
import { MasterKeyServiceDefinition } from "../../proto/gen/operations/v1/master_key.js";
import { startIdentity } from "../../services/identity/server.js";
import type { Client } from "../../services/kernel/grpc/client.js";
import { loadMasterKeys } from "../../services/kernel/keys/file-keys.js";
import { startTestIdentity, inTenant, newTenant, type TestIdentity } from "../../test/support/identity.js";
import { readAdminArguments } from "./admin-arguments.js";
import { runAdmin } from "./admin-commands.js";

let identity: TestIdentity;
/** Of identity, who stands here for every service with keys. */
let masterKey: Client<MasterKeyServiceDefinition> & { close(): void };
beforeAll(async () => {
  identity = await startTestIdentity();
  masterKey = identity.operatorOf(MasterKeyServiceDefinition);
});
afterAll(async () => {
  masterKey.close();
  await identity.stop();
});

/** As the command line: what it prints. */
async function admin(args: string[], input = ""): Promise<string[]> {
  const lines: string[] = [];
  const deps = {
    identity: identity.rpc.operator,
    masterKeyOf: () => masterKey,
    screening: () => {
      throw new Error("is not asked for");
    },
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

test("the master key is rotated and the old version retired, and nobody is logged out", async () => {
  const tenant = await newTenant(identity);
  await tenant.customer("amina");
  const { refreshToken } = await tenant.login("amina");
  const file = identity.config.MASTER_KEY_FILE;
  const [old] = (await loadMasterKeys(file)).map(({ masterKeyId }) => masterKeyId);
  await expect(admin(["master-key", "retire", old!])).rejects.toThrow(/cannot be retired: it is the newest/);

  await appendFile(file, `\n${randomBytes(32).toString("base64")}\n`);
  const newest = (await loadMasterKeys(file)).at(-1)!.masterKeyId;
  await expect(admin(["master-key", "retire", old!])).rejects.toThrow(/cannot be retired: it wraps \d+ keys/);
  const lines = await admin(["master-key", "rotate"]);
  expect(lines[0]).toMatch(new RegExp(`^identity    (\\d+) of \\1 keys wrapped anew under ${newest}$`));
  expect(lines.at(-1)).toBe(`nothing is wrapped by ${old} any more: npm run admin -- master-key retire ${old}`);
  expect((await admin(["master-key", "rotate"]))[0]).toMatch(/^identity    0 of 0 keys/);
  await admin(["master-key", "retire", old!]);
  const listed = await admin(["master-key", "list"]);
  expect(listed.find((line) => line.includes(old!))).toMatch(/ 0 keys {2}retired 20/);
  expect(listed.find((line) => line.includes(newest))).toMatch(/ [1-9]\d* keys {2}newest$/);
  await expect(admin(["master-key", "retire", "nobody"])).rejects.toThrow(/no service knows/);

  // A process that starts without the old version.
  await writeFile(file, (await readFile(file, "utf8")).split("\n")[1]!);
  identity.running.push(await startIdentity(identity.config, identity.deps));
  const gateway = identity.clientOf("gateway", identity.running.length - 1);
  await expect(gateway.refresh({ refreshToken }, inTenant(tenant.tenantId))).resolves.toBeDefined();
});

test("erase takes out who a customer was, retention whoever was disabled long ago", async () => {
  const tenant = await newTenant(identity);
  const amina = await tenant.customer("amina");
  const printed = await admin(["erase", amina.customerId, "--tenant", tenant.tenantId, "--why", "asked for it"]);
  expect(printed[0]).toMatch(new RegExp(`^customer ${amina.customerId} was erased at 20`));
  expect(printed[1]).toMatch(/^records that the law wants kept are kept until 20/);
  expect(printed.slice(2)).toEqual(
    ["identity", "compliance", "remittance", "wallet", "lending", "events"].map(
      (name) => `${name.padEnd(10)}  PENDING  `,
    ),
  );
  expect(await admin(["erasure", "show", amina.customerId, "--tenant", tenant.tenantId])).toEqual(printed);
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
  [["master-key", "retire"], /name the version/],
  [["erase", "c1", "--tenant", "x"], /--why/],
  [["erasure", "show", "c1"], /--tenant/],
  [["tenant", "change", "x", "--record-retention-years", "101"], /0 to 100/],
  [["retention", "apply"], /--days/],
])("refuses %j", (args, message) => {
  expect(() => readAdminArguments(args)).toThrow(message);
});
