import { registration } from "../../../test/support/identity-drafts.js";
import { inTenant, newTenant, startTestIdentity, type TestIdentity } from "../../../test/support/identity.js";
import { plansOf } from "../../../test/support/read-plans.js";

let identity: TestIdentity;
beforeAll(async () => {
  identity = await startTestIdentity();
});
afterAll(() => identity.stop());

const refused = (code: string, path?: string) =>
  expect.objectContaining({
    code,
    ...(path !== undefined && { details: { errors: [expect.objectContaining({ path })] } }),
  }) as Error;

type Tenant = Awaited<ReturnType<typeof newTenant>>;

async function register({ tenantId }: Pick<Tenant, "tenantId">, name: string, more: object = {}) {
  const request = { ...registration(name), phoneNumber: "", ...more };
  return (await identity.rpc.operator.registerCustomer(request, inTenant(tenantId))).customer!;
}

const passport = { type: "PASSPORT", number: "A-0123 4567", country: "NGA", expiresAt: "2100-03-04", gender: "" };
const details = (dateOfBirth: string, identityDocuments: object[] = []) => ({
  dateOfBirth,
  nationality: "",
  identityDocuments,
});

/** A desk with three customers of whom an agent has one, and what finds their first names. */
async function desk(change: Parameters<typeof newTenant>[1] = {}) {
  const tenant = await newTenant(identity, change);
  await tenant.staff("MANAGER");
  await tenant.staff("CASHIER");
  const agent = await tenant.staff("AGENT");
  const ngozi = await register(tenant, "ngozi", {
    firstName: "Ngozi",
    lastName: "Okafor",
    phoneNumber: "+2348031234567",
    customerCode: "C-NGOZI",
    details: details("1990-05-17", [passport]),
  });
  const mohamed = await register(tenant, "mohamed", {
    firstName: "Mohamed",
    lastName: "Ibrahim",
    phoneNumber: "+12025550123",
    details: details("1985-01-02"),
  });
  const seun = await register(tenant, "seun", {
    firstName: "Oluwaseun",
    lastName: "Adeyemi",
    agentId: agent.userId,
    details: details("1979-12-31"),
  });
  const seyi = await register(tenant, "seyi", { firstName: "Oluwaseyi", lastName: "Adeyemi" });
  const tokens = new Map<string, string>();
  for (const name of ["manager", "agent", "cashier", "ngozi"]) tokens.set(name, (await tenant.login(name)).accessToken);
  const as = (who: string) => inTenant(tenant.tenantId, tokens.get(who)!);
  const find = (request: object, who = "cashier") => identity.rpc.gateway.findCustomers(request, as(who));
  const found = async (request: object, who?: string) =>
    (await find(request, who)).customers.map(({ customer, foundBy }) => [customer!.firstName, ...foundBy]);
  return { ...tenant, agent, ngozi, mohamed, seun, seyi, as, find, found };
}

const stored = (tenantId: string, customerId: string) =>
  identity.db.collection("users").findOne({ tenantId, "customer.id": customerId });

describe("a customer at the desk", () => {
  test.each([
    ["Ngozi Okafor", "NAME"],
    ["okafor, NGOZI", "NAME"],
    ["Ngosi Okafor", "NAME_ALIKE"],
    ["Ng0zi Okafor", "NAME_ALIKE"],
    ["Nogzi Okafor", "NAME_ALIKE"],
    ["Ngozzi Okaforr", "NAME_ALIKE"],
    ["Ngozi Okaffo", "NAME_ALIKE"],
    ["Okafo Ngozi", "NAME_ALIKE"],
    ["NgoziOkafor", "NAME"],
    ["Ngozi", "NAME_ALIKE"],
    ["Okaforr", "NAME_ALIKE"],
  ])("is found by %s", async (name, by) => {
    const t = await shared;
    expect(await t.found({ name })).toEqual([["Ngozi", by]]);
  });

  test.each(["Muhammad Ibrahim", "Mohammed Ebrahim", "محمد ابراهيم", "Ibraheem Mohamad"])(
    "is found by another spelling of the name: %s",
    async (name) => expect(await (await shared).found({ name })).toEqual([["Mohamed", "NAME_ALIKE"]]),
  );

  test("of a name that is near stands below whose name it is", async () => {
    const t = await shared;
    expect(await t.found({ name: "Oluwaseun Adeyemi" })).toEqual([
      ["Oluwaseun", "NAME"],
      ["Oluwaseyi", "NAME_ALIKE"],
    ]);
    expect(await t.found({ name: "Oluwa Seyi Adeyemi" })).toEqual([["Oluwaseyi", "NAME"]]);
  });

  test.each(["+234 803 123 4567", "00234 0803 1234567", "2348031234567", "0803 123 4567", "(0803) 123-4567"])(
    "is found by their number as they say it: %s",
    async (phone) => expect(await (await shared).found({ phone })).toEqual([["Ngozi", "PHONE_NUMBER"]]),
  );

  test("is found by a number of the second country of the organisation, and of the one that is said", async () => {
    const t = await shared;
    expect(await t.found({ phone: "(202) 555-0123" })).toEqual([["Mohamed", "PHONE_NUMBER"]]);
    const abroad = await register(t, "kofi", { firstName: "Kofi", lastName: "Mensah", phoneNumber: "+233201234567" });
    await expect(t.find({ phone: "020 123 4567" })).rejects.toEqual(refused("INVALID_INPUT", "phone"));
    const [one] = (await t.find({ phone: "020 123 4567", country: "GH" })).customers;
    expect(one!.customer!.customerId).toBe(abroad.customerId);
  });

  test("is found by document and code however they are written, and not by a document of another type", async () => {
    const t = await shared;
    expect(await t.found({ document: { number: "a01234567" } })).toEqual([["Ngozi", "DOCUMENT"]]);
    expect(await t.found({ document: { type: "PASSPORT", number: "A 0123-4567" } })).toEqual([["Ngozi", "DOCUMENT"]]);
    expect(await t.found({ document: { type: "NATIONAL_ID", number: "A01234567" } })).toEqual([]);
    expect(await t.found({ customerCode: " c-ngozi" })).toEqual([["Ngozi", "CUSTOMER_CODE"]]);
  });

  test("of whom more fits stands above, and a day of birth finds a name that is spelt far off", async () => {
    const t = await shared;
    const name = "Oluwaseyi Adeyemi";
    expect(await t.found({ name, dateOfBirth: "1979-12-31", customerCode: "C-NGOZI" })).toEqual([
      ["Ngozi", "CUSTOMER_CODE"],
      ["Oluwaseun", "NAME_ALIKE", "DATE_OF_BIRTH"],
      ["Oluwaseyi", "NAME"],
    ]);
    expect(await t.found({ name: "Nguzo Okate" })).toEqual([]);
    expect(await t.found({ name: "Nguzo Okate", dateOfBirth: "1990-05-17" })).toEqual([
      ["Ngozi", "NAME_ALIKE", "DATE_OF_BIRTH"],
    ]);
  });
});

let shared: ReturnType<typeof desk>;
beforeAll(() => {
  shared = desk();
});

test("contacts and numbers are masked for CASHIER and AGENT, and a MANAGER sees contacts whole", async () => {
  const t = await desk({ agentScope: "TENANT" });
  for (const who of ["cashier", "agent"]) {
    const [one] = (await t.find({ customerCode: "C-NGOZI" }, who)).customers;
    expect(one!.customer).toMatchObject({
      customerCode: "C-NGOZI",
      email: "n***@x.example",
      phoneNumber: "+234*******567",
      status: "PENDING",
      details: { dateOfBirth: "1990-05-17", identityDocuments: [{ type: "PASSPORT", number: "*****567" }] },
    });
  }
  const [whole] = (await t.find({ customerCode: "C-NGOZI" }, "manager")).customers;
  expect(whole!.customer).toMatchObject({
    email: "ngozi@x.example",
    phoneNumber: "+2348031234567",
    details: { identityDocuments: [{ number: "*****567" }] },
  });
});

test("an AGENT finds their own alone, all where the tenant says so; a CUSTOMER finds nobody, and no tenant another's", async () => {
  const [t, wide] = [await desk(), await desk({ agentScope: "TENANT" })];
  expect(await t.found({ name: "Adeyemi" }, "agent")).toEqual([["Oluwaseun", "NAME_ALIKE"]]);
  for (const request of [
    { customerCode: "C-NGOZI" },
    { phone: "08031234567" },
    { document: { number: "A01234567" } },
  ]) {
    expect(await t.found(request, "agent")).toEqual([]);
    expect((await wide.found(request, "agent")).map(([name]) => name)).toEqual(["Ngozi"]);
  }
  await expect(t.find({ name: "Ngozi" }, "ngozi")).rejects.toEqual(refused("FORBIDDEN"));
  const ids = (await t.find({ name: "Ngozi Okafor" })).customers.map(({ customer }) => customer!.customerId);
  expect(ids).toEqual([t.ngozi.customerId]);
});

test("each search is noted: who, by which kinds and how many, and no word of what was said", async () => {
  const t = await desk();
  await t.find({ name: "Ngosi Okafor", dateOfBirth: "1990-05-17", country: "NG" });
  await t.find({ phone: "+2348031234568" });
  const noted = await identity.db
    .collection("audit")
    .find({ tenantId: t.tenantId, action: "customer.find" })
    .sort({ _id: 1 })
    .toArray();
  expect(noted.map(({ reason, detail }) => [reason, detail])).toEqual([
    ["by NAME, DATE_OF_BIRTH, COUNTRY", "1 found"],
    ["by PHONE_NUMBER", "0 found"],
  ]);
  expect(new Set(noted.map(({ actor, subject }) => `${actor} ${subject}`)).size).toBe(1);
  expect(`${JSON.stringify(noted)}${identity.lines.join("")}`).not.toMatch(/Ngosi|1990-05-17|2348031234568/);
});

test.each([
  [{}, "name"],
  [{ name: "  " }, "name"],
  [{ dateOfBirth: "1990-05-17", country: "NG" }, "name"],
  [{ name: "4711" }, "name"],
  [{ name: "x".repeat(71) }, "name"],
  [{ phone: "12345" }, "phone"],
  [{ document: { number: "-." } }, "document.number"],
  [{ document: { type: "LIBRARY_CARD", number: "A123" } }, "document.type"],
  [{ customerCode: "?" }, "customerCode"],
  [{ name: "Ngozi", dateOfBirth: "1990-02-30" }, "dateOfBirth"],
  [{ name: "Ngozi", country: "XX" }, "country"],
])("%j is refused by name of the field", async (request, path) => {
  await expect((await shared).find(request)).rejects.toEqual(refused("INVALID_INPUT", path));
});

test("a new name, document and day of birth are found and the old are not; of whoever was erased no key stays", async () => {
  const t = await desk();
  const change = { userId: t.ngozi.userId, firstName: "Adaeze", lastName: "Nwosu" };
  await identity.rpc.gateway.updateProfile(change, t.as("manager"));
  expect(await t.found({ name: "Ngozi Okafor" })).toEqual([]);
  expect(await t.found({ name: "Adaese Nwosu" })).toEqual([["Adaeze", "NAME_ALIKE"]]);
  const given = { ...passport, number: "B7654321" };
  await identity.rpc.gateway.updateProfile({ userId: t.ngozi.userId, details: details("", [given]) }, t.as("manager"));
  expect(await t.found({ document: { number: "A01234567" } })).toEqual([]);
  expect(await t.found({ document: { number: "B7654321" } })).toEqual([["Adaeze", "DOCUMENT"]]);
  expect(JSON.stringify(await stored(t.tenantId, t.ngozi.customerId))).not.toMatch(/B7654321|1990-05-17/);

  const { customerId } = t.ngozi;
  await identity.rpc.operator.eraseCustomer({ customerId, reason: "asked for it" }, inTenant(t.tenantId));
  for (const request of [{ name: "Adaeze Nwosu" }, { document: { number: "B7654321" } }, { customerCode: "C-NGOZI" }]) {
    expect(await t.found(request)).toEqual([]);
  }
  expect((await stored(t.tenantId, customerId))!["customer"].findKeys).toBeUndefined();
});

test("of many with one name twenty are shown and it is said that there are more; a search reads as much in a large tenant", async () => {
  const t = await desk();
  const { customer: known, ...one } = (await stored(t.tenantId, t.ngozi.customerId))!;
  // What is sealed opens for its owner alone.
  const { phone: _phone, details: _details, ...named } = known as Record<string, unknown>;
  const many = Array.from({ length: 1_500 }, (_, index) => {
    const id = `${t.tenantId}-${index}`;
    return { ...one, _id: id as never, emailKey: id, customer: { ...named, id, code: `C-${id}`.toUpperCase() } };
  });
  await identity.db.collection("users").insertMany(many);
  const { customers, isCut } = await t.find({ name: "Ngozi Okafor" });
  expect([customers.length, isCut]).toEqual([20, true]);
  const database = { uri: identity.config.MONGODB_URI, database: identity.config.MONGODB_DATABASE };
  for (const request of [
    { name: "Ngozi Okafor" },
    { name: "Ngosi Okafo" },
    { name: "Ngosi" },
    { phone: "08031234567" },
  ]) {
    const plans = await plansOf(database, () => t.find(request));
    const searches = plans.filter(({ collection, plan }) => collection === "users" && !/_id|IDHACK/.test(plan));
    expect(searches.length).toBeGreaterThan(0);
    for (const { plan } of searches) expect(plan).not.toContain("COLLSCAN");
    // Keys and documents, of all ways together.
    const examined = searches.reduce((sum, each) => sum + each.examined, 0);
    expect([request, examined < 500]).toEqual([request, true]);
  }
});
