import { randomUUID } from "node:crypto";
import { registration } from "../../../test/support/identity-drafts.js";
import { inTenant, newTenant, startTestIdentity, type TestIdentity } from "../../../test/support/identity.js";
import { plansOf } from "../../../test/support/read-plans.js";
import { searchWordsOf } from "../domain/search-words.js";

let identity: TestIdentity;
beforeAll(async () => {
  identity = await startTestIdentity();
});
afterAll(() => identity.stop());

const refused = (code: string) => expect.objectContaining({ code });

type Tenant = Awaited<ReturnType<typeof newTenant>>;

async function register({ tenantId }: Pick<Tenant, "tenantId">, name: string, more: object = {}) {
  const request = { ...registration(name), phoneNumber: "", ...more };
  return (await identity.rpc.operator.registerCustomer(request, inTenant(tenantId))).customer!;
}

/** A manager, an agent with one of three customers, and what finds their first names. */
async function office(change: Parameters<typeof newTenant>[1] = {}) {
  const tenant = await newTenant(identity, change);
  await tenant.staff("MANAGER");
  const agent = await tenant.staff("AGENT");
  const amina = await register(tenant, "amina", { firstName: "Ngozi Amína", lastName: "Bello-Okafor" });
  const kofi = await register(tenant, "kofi.mensah", {
    firstName: "Kofi",
    lastName: "O’Brien",
    phoneNumber: "+233201234567",
    customerCode: "C-KOFI9",
  });
  const ben = await register(tenant, "ben", { firstName: "Ben", lastName: "Belmont", agentId: agent.userId });
  const tokens = new Map<string, string>();
  for (const name of ["manager", "agent", "ben"]) tokens.set(name, (await tenant.login(name)).accessToken);
  const as = (who: string) => inTenant(tenant.tenantId, tokens.get(who)!);
  const list = (request: object, who = "manager") => identity.rpc.gateway.listManagedCustomers(request, as(who));
  const found = async (request: object, who?: string) =>
    (await list(request, who)).customers.map(({ firstName }) => firstName).toSorted();
  return { ...tenant, agent, amina, kofi, ben, as, list, found };
}

/** Customers in the database, past the service. */
const users = (tenantId: string, customerId: string) => {
  const filter = { tenantId, "customer.id": customerId };
  return {
    words: async () => (await identity.db.collection("users").findOne(filter))!["customer"].searchWords as unknown,
    set: (change: object) => identity.db.collection("users").updateOne(filter, change),
  };
};

const database = () => ({ uri: identity.config.MONGODB_URI, database: identity.config.MONGODB_DATABASE });

test("a MANAGER finds customers by beginnings of their words, by address, code and number", async () => {
  const t = await office();
  const searches: [string, string[]][] = [
    ["bel", ["Ben", "Ngozi Amína"]],
    ["AMINA", ["Ngozi Amína"]],
    ["okafor ngo", ["Ngozi Amína"]],
    ["AMİNA", ["Ngozi Amína"]],
    ["beŁŁo", ["Ngozi Amína"]],
    ["bello-ok", ["Ngozi Amína"]],
    ["obrien", ["Kofi"]],
    ["o'bri kof", ["Kofi"]],
    ["kofi.mensah@x.example", ["Kofi"]],
    ["mensah", ["Kofi"]],
    ["c-kof", ["Kofi"]],
    ["+233 20 123 4567", ["Kofi"]],
    ["233201234567", ["Kofi"]],
    ["+233 (0)20 123 4567", ["Kofi"]],
    ["00233 020 123 4567", ["Kofi"]],
    ["+233201234568", []],
    // No word begins so, and all of them have to.
    ["mina", []],
    ["bel kofi", []],
    // What patterns are made of is text here.
    ["b.*", []],
    ["^bel", []],
  ];
  for (const [search, names] of searches) expect([search, await t.found({ search })]).toEqual([search, names]);
});

test("an AGENT finds their own alone, all where the tenant says so; others search nobody, and no other tenant's", async () => {
  const [t, wide] = [await office(), await office({ agentScope: "TENANT" })];
  expect(await t.found({ search: "be" }, "agent")).toEqual(["Ben"]);
  expect(await t.found({ search: "+233201234567" }, "agent")).toEqual([]);
  expect(await wide.found({ search: "be" }, "agent")).toEqual(["Ben", "Ngozi Amína"]);
  await expect(t.list({ search: "be" }, "ben")).rejects.toEqual(refused("FORBIDDEN"));
  const mine = (await t.list({ search: "be" })).customers.map(({ customerId }) => customerId);
  expect(mine.toSorted()).toEqual([t.amina.customerId, t.ben.customerId].toSorted());
});

test("status narrows what is found; a customer of whom nothing was said is PENDING; pages go on where they ended", async () => {
  const t = await office();
  const note = { customerId: t.amina.customerId, status: "CONFIRMED", sequence: 1, at: new Date() };
  await identity.rpc.compliance.noteCustomerStatus(note, inTenant(t.tenantId));
  expect(await t.found({ status: "CONFIRMED" })).toEqual(["Ngozi Amína"]);
  expect(await t.found({ status: "PENDING" })).toEqual(["Ben", "Kofi"]);
  expect(await t.found({ status: "PENDING", search: "bel" })).toEqual(["Ben"]);
  expect(await t.found({ status: "BLOCKED" })).toEqual([]);
  const first = await t.list({ search: "bel", pageSize: 1 });
  const second = await t.list({ search: "bel", pageSize: 1, pageToken: first.nextPageToken });
  const paged = [...first.customers, ...second.customers].map(({ customerId }) => customerId);
  expect(paged.toSorted()).toEqual([t.amina.customerId, t.ben.customerId].toSorted());
  expect(second.nextPageToken).toBe("");
});

test("refuses what nobody can be looked up by, and a status that there is not", async () => {
  const t = await office();
  const wrong = [
    { search: "b" },
    { search: "x".repeat(101) },
    { search: "ab ".repeat(11) },
    { status: "RICH" },
    { search: "ben", pageSize: 1_001 },
  ];
  for (const request of wrong) await expect(t.list(request)).rejects.toEqual(refused("INVALID_INPUT"));
});

test("a new name is found and the old one is not; who was erased is found by nothing, and nothing of their words stays", async () => {
  const t = await office();
  // Their address has the name still.
  const rename = { userId: t.ben.userId, firstName: "Zola", lastName: "Ade" };
  await identity.rpc.gateway.updateProfile(rename, t.as("manager"));
  expect(await t.found({ search: "zola ade" })).toEqual(["Zola"]);
  expect(await t.found({ search: "belm" })).toEqual([]);
  expect(await t.found({ search: "ben" })).toEqual(["Zola"]);

  const { customerId } = t.kofi;
  await identity.rpc.operator.eraseCustomer({ customerId, reason: "asked for it" }, inTenant(t.tenantId));
  for (const search of ["kofi", "erased", "c-kofi9", "+233201234567"]) expect(await t.found({ search })).toEqual([]);
  expect(await t.found({ status: "PENDING" })).toEqual(["Ngozi Amína", "Zola"]);
  expect(await users(t.tenantId, customerId).words()).toBeUndefined();
});

describe("of many customers whose names begin alike", () => {
  /** So many whose first words are `word`, past the service. */
  const addMany = (tenantId: string, count: number, words: (index: number) => string[], more: object = {}) =>
    identity.db.collection("users").insertMany(
      Array.from({ length: count }, (_, index) => ({
        _id: randomUUID() as never,
        tenantId,
        email: `${randomUUID()}@x.example`,
        emailKey: `${randomUUID()}@x.example`,
        role: "CUSTOMER",
        name: "",
        passwordHash: "",
        createdAt: new Date(),
        customer: {
          id: randomUUID(),
          code: `C-${randomUUID()}`,
          firstName: String(index),
          lastName: "",
          country: "NGA",
          revision: 1,
          searchWords: words(index).toSorted(),
          ...more,
        },
      })),
    );

  async function allPages(t: Awaited<ReturnType<typeof office>>, request: object) {
    const found: string[] = [];
    let pageToken = "";
    do {
      const page = await t.list({ ...request, pageToken });
      found.push(...page.customers.map(({ customerId }) => customerId));
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
    return found;
  }

  test("pages give each of them once, also one who has several words that begin so, and one who has the number too", async () => {
    const t = await office();
    // Of ten words, so that pages end within a word and between two.
    await addMany(t.tenantId, 40, (index) => [`zu${index % 10}`, `zu${(index + 3) % 10}`, `a${index}`]);
    await register(t, "z233201234567", { firstName: "Last", lastName: "Of", phoneNumber: "+233201234567" });
    for (const pageSize of [7, 100]) {
      const found = await allPages(t, { search: "zu", pageSize });
      expect([pageSize, found.length, new Set(found).size]).toEqual([pageSize, 40, 40]);
      const two = await allPages(t, { search: "zu zu3", pageSize });
      expect([pageSize, two.length, new Set(two).size]).toEqual([pageSize, 8, 8]);
      expect(new Set(await allPages(t, { search: "+233201234567", pageSize })).size).toBe(2);
    }
  });

  const examinedBy = async (t: Awaited<ReturnType<typeof office>>, request: object) =>
    (await plansOf(database(), () => t.list({ pageSize: 10, ...request })))
      .filter(({ collection, isSorted }) => collection === "users" && !isSorted)
      .reduce((sum, { examined }) => sum + examined, 0);

  test("two words that many have find those who have both, by their pair", async () => {
    const t = await office();
    const named = (index: number) => ({
      firstName: index % 2 === 0 ? "Zola" : "Zuri",
      lastName: index % 50 === 0 ? "Quartey" : "Okoro",
      code: `C-${index}`,
    });
    const wordsAt = (index: number) => searchWordsOf({ emailKey: `n${index}@x.example`, customer: named(index) });
    await addMany(t.tenantId, 1_000, (index) => [...wordsAt(index), ...(index % 3 === 0 ? ["quick"] : [])]);
    const found = await allPages(t, { search: "zo quart", pageSize: 7 });
    expect([found.length, new Set(found).size]).toEqual([20, 20]);
    // As many of each word as tell that it is of many, by key and document, and then the page.
    const { nextPageToken } = await t.list({ search: "zola okor", pageSize: 10 });
    for (const request of [{ search: "okor zola" }, { search: "zola okor", pageToken: nextPageToken }]) {
      expect(await examinedBy(t, request)).toBeLessThan(4 * 202 + 50);
    }
    expect(await allPages(t, { search: "zola okor", pageSize: 100 })).toHaveLength(480);
    expect(await allPages(t, { search: "zu zo", pageSize: 100 })).toEqual([]);
  });

  test("a word that many have, of a status that few have, finds them by both; what is told of somebody moves them", async () => {
    const t = await office();
    const name = { firstName: "Zola", lastName: "Quartey" };
    const standing = (status: "CONFIRMED" | "PENDING") => ({ status, sequence: 1, at: new Date(0) });
    for (const [status, count] of [["CONFIRMED", 980] as const, ["PENDING", 20] as const]) {
      const customer = { ...name, code: "C-1", standing: standing(status) };
      const words = searchWordsOf({ emailKey: "n@x.example", customer });
      await addMany(t.tenantId, count, () => words, { ...name, standing: standing(status) });
    }
    const search = { search: "zola", status: "PENDING", pageSize: 7 };
    const found = await allPages(t, search);
    expect([found.length, new Set(found).size]).toEqual([20, 20]);
    const { nextPageToken } = await t.list(search);
    for (const pageToken of ["", nextPageToken])
      expect(await examinedBy(t, { ...search, pageToken })).toBeLessThan(2 * (202 + 22) + 50);

    const noteOf = (customerId: string, status: string, sequence: number) =>
      identity.rpc.compliance.noteCustomerStatus(
        { customerId, status, sequence, at: new Date() },
        inTenant(t.tenantId),
      );
    await noteOf(found[0]!, "CONFIRMED", 2);
    await noteOf(found[0]!, "PENDING", 1);
    expect(await allPages(t, search)).toEqual(found.slice(1));
    await noteOf(found[0]!, "BLOCKED", 3);
    expect(await allPages(t, { ...search, status: "BLOCKED" })).toEqual(found.slice(0, 1));

    // Pages go on where they ended, whatever has become of their last customer.
    const page = await t.list(search);
    await noteOf(page.customers.at(-1)!.customerId, "CONFIRMED", 4);
    const next = await t.list({ ...search, pageToken: page.nextPageToken });
    const ids = [...page.customers, ...next.customers].map(({ customerId }) => customerId);
    expect(ids).toEqual(found.slice(1, 15));
  });

  test("a status that most of a tenant have is not gone along", async () => {
    const t = await office();
    const words = (index: number) =>
      searchWordsOf({
        emailKey: "n@x.example",
        customer: { firstName: "Zola", lastName: `Qu${index % 2}`, code: "C" },
      });
    await addMany(t.tenantId, 2_300, words);
    const found = await t.list({ search: "zola qu1", status: "PENDING", pageSize: 10 });
    expect(found.customers).toHaveLength(10);
    // 200 keys of each word and 2,000 of the status tell; then the page, of the pair.
    expect(await examinedBy(t, { search: "zola qu1", status: "PENDING" })).toBeLessThan(2 * (2 * 202 + 2_002) + 100);
  });

  test("two words that begin alike find whoever has the rare one", async () => {
    const t = await office();
    await addMany(t.tenantId, 600, (index) => [index === 300 ? "zora" : "zola", "zolani"]);
    expect((await t.list({ search: "zolani zora" })).customers).toHaveLength(1);
    expect(await examinedBy(t, { search: "zolani zora" })).toBeLessThan(500);
  });

  test("a name of many words is found by each of them, whatever the status", async () => {
    const t = await office();
    const many = Array.from({ length: 20 }, (_, index) => `${String.fromCodePoint(97 + index)}x`);
    const customer = await register(t, "long", { firstName: many.join(" "), lastName: "Last" });
    await addMany(t.tenantId, 300, () => ["lasting", " PENDING la"]);
    const pending = { search: "last", status: "PENDING", pageSize: 500 };
    expect((await t.list(pending)).customers.map(({ customerId }) => customerId)).toContain(customer.customerId);
  });

  test("a status that is told beside a new name leaves words of both, and none of whoever was erased", async () => {
    const t = await office();
    const { customerId, userId } = t.ben;
    for (let round = 1; round <= 10; round++) {
      const [status, firstName] = [round % 2 === 0 ? "PENDING" : "BLOCKED", `Zuri${round}`];
      await Promise.all([
        identity.rpc.compliance.noteCustomerStatus(
          { customerId, status, sequence: round, at: new Date() },
          inTenant(t.tenantId),
        ),
        identity.rpc.gateway.updateProfile({ userId, firstName }, t.as("manager")),
      ]);
      const standing = { status: status as "PENDING", sequence: round, at: new Date(0) };
      const customer = { firstName, lastName: "Belmont", code: t.ben.customerCode, standing };
      expect(await users(t.tenantId, customerId).words()).toEqual(
        searchWordsOf({ emailKey: "ben@x.example", customer }),
      );
    }
    await identity.rpc.operator.eraseCustomer({ customerId, reason: "asked for it" }, inTenant(t.tenantId));
    const late = { customerId, status: "BLOCKED", sequence: 11, at: new Date() };
    await identity.rpc.compliance.noteCustomerStatus(late, inTenant(t.tenantId));
    expect(await users(t.tenantId, customerId).words()).toBeUndefined();
  });

  test("a page looks at as many of them as it gives, wherever it begins, and a rare word is looked for first", async () => {
    const t = await office();
    const examined = (request: object) => examinedBy(t, request);
    await addMany(t.tenantId, 1_500, (index) => [`zu${index % 3}`, "zola", "zz", index === 700 ? "zebedee" : "za"]);
    const first = await t.list({ search: "zo", pageSize: 10 });
    expect(await examined({ search: "zo" })).toBeLessThan(50);
    expect(await examined({ search: "zu" })).toBeLessThan(50);
    expect(await examined({ search: "zo", pageToken: first.nextPageToken })).toBeLessThan(50);
    // To know that a word is of many, as many of its keys are counted as tell it.
    expect(await examined({ search: "zola zebedee" })).toBeLessThan(600);
    expect((await t.list({ search: "zola zebedee" })).customers).toHaveLength(1);
  });
});

test("every search goes along an index", async () => {
  const t = await office();
  const few = Array.from({ length: 300 }, (_, index) => ({
    _id: `${t.tenantId}-${index}` as never,
    tenantId: t.tenantId,
    emailKey: `n${index}@x.example`,
    role: "CUSTOMER",
    customer: { id: `${t.tenantId}-${index}`, code: `C-${t.tenantId}-${index}`, searchWords: [`other${index}`] },
  }));
  await identity.db.collection("users").insertMany(few);
  for (const request of [
    { search: "bel okaf" },
    { search: "+233201234567" },
    { search: "bel", status: "PENDING" },
    { search: "bel", agentId: t.agent.userId },
    { status: "CONFIRMED" },
  ]) {
    const plans = (await plansOf(database(), () => t.list(request))).filter(({ collection }) => collection === "users");
    const searches = plans.filter(({ plan }) => !/_id|IDHACK/.test(plan));
    expect([request, searches.length > 0]).toEqual([request, true]);
    for (const { plan, examined } of searches) {
      expect(plan).not.toContain("COLLSCAN");
      expect([request, plan, examined < 30]).toEqual([request, plan, true]);
    }
  }
  const [byStatus] = (await plansOf(database(), () => t.list({ status: "CONFIRMED" }))).filter(
    ({ collection, plan }) => collection === "users" && plan.includes("standing"),
  );
  expect(byStatus).toMatchObject({ isSorted: false });
});
