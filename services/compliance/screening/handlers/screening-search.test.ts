import {
  createComplianceWorld,
  manager,
  on,
  question,
  refused,
  secondManager,
  type ComplianceWorld,
} from "../../../../test/support/compliance-fixture.js";
import { testTenant } from "../../../../test/support/index.js";
import { sandboxIdOf } from "../../../platform/sandbox/sandbox.js";

jest.setTimeout(120_000);

let world: ComplianceWorld;
beforeAll(async () => {
  world = await createComplianceWorld("screening_search");
});
afterAll(() => world.close());

let keys = 0;
const desk = () => world.screening[0]!;
type Requested = Parameters<ComplianceWorld["screening"][number]["searchScreeningLists"]>[0];
type Party = NonNullable<Requested["party"]>;
async function search(
  tenantId: string,
  names: readonly string[],
  part: Partial<Party> = {},
  requested: Requested = {},
) {
  const idempotencyKey = `search-${(keys += 1)}`;
  const request = { idempotencyKey, party: { names: [...names], ...part }, ...requested };
  return (await desk().searchScreeningLists(request, on(tenantId, manager))).screening!;
}
const sourcesOf = ({ hits }: Awaited<ReturnType<typeof search>>) => new Set(hits.map(({ entry }) => entry?.source));

test("a search says whom the lists name, why, and by which lists and policy; and it is kept", async () => {
  const tenantId = testTenant();
  const found = await search(tenantId, ["Jaromil Worskutin"], { dateOfBirth: "1961-02-14", countries: ["RU"] });
  expect(found).toMatchObject({ trigger: "MANUAL", status: "IN_REVIEW", policyVersion: 0, transactionIds: [] });
  expect(found.subject).toMatchObject({ kind: "SEARCH", id: found.screeningId, customerId: "" });
  expect(found.lists.map(({ source }) => source).toSorted()).toEqual(["EU", "OFAC_SDN", "UK", "UN"]);
  expect(sourcesOf(found)).toEqual(new Set(["OFAC_SDN", "EU", "UK"]));
  for (const hit of found.hits) {
    expect(hit.parts.reduce((sum, { effect }) => sum + effect, 0)).toBe(hit.score);
    expect(hit.parts.map(({ part }) => part)).toEqual(expect.arrayContaining(["DATE_OF_BIRTH", "COUNTRY"]));
  }
  expect(
    (await desk().getScreening({ screeningId: found.screeningId }, on(tenantId, secondManager))).screening,
  ).toEqual(found);
  const subject = `screening:${found.screeningId}`;
  const { entries } = await world.gateway.listAuditEntries({ subject }, on(tenantId, manager));
  expect(entries.map(({ action, actor }) => [action, actor])).toEqual([["screening.search", "MA1"]]);
});

test("another gender than a list states takes a little and hides no name that fits", async () => {
  const tenantId = testTenant();
  const by = async (gender: string) => {
    const { hits } = await search(tenantId, ["Yaromil Ostapovich Vorskutin"], { gender });
    const hit = hits.find(({ entry }) => entry?.source === "OFAC_SDN")!;
    return { hit, part: hit.parts.find(({ part }) => part === "GENDER") };
  };
  const [not, same, other] = [await by(""), await by("MALE"), await by("FEMALE")];
  expect(not.hit).toMatchObject({ score: 1_000, entry: { gender: "MALE" } });
  expect(not.part).toBeUndefined();
  expect(same.part).toMatchObject({ ours: "MALE", theirs: "MALE", effect: 0 });
  expect(other.part).toMatchObject({ ours: "FEMALE", theirs: "MALE", effect: -50 });
  expect([same.hit.score, other.hit.score]).toEqual([1_000, 950]);
  await expect(refused(search(tenantId, ["Yaromil Vorskutin"], { gender: "TALL" }))).resolves.toMatchObject({
    code: "INVALID_INPUT",
    message: expect.stringContaining("gender"),
  });
});

test("nobody is found who is not listed; a limit and a threshold count for this search alone", async () => {
  const tenantId = testTenant();
  expect(await search(tenantId, ["Adaeze Nwachukwu"])).toMatchObject({ status: "NO_HIT", hits: [] });
  expect((await search(tenantId, ["Yaromil Vorskutin"], {}, { limit: 1 })).hits).toHaveLength(1);
  const low = await search(tenantId, ["Yaromil Borskutov"], {}, { threshold: 500 });
  const high = await search(tenantId, ["Yaromil Borskutov"], {}, { threshold: 1_000 });
  expect([low.hits.length > 0, high.hits.length]).toEqual([true, 0]);
});

test("a search for one word finds all that have it, as one for the whole name does", async () => {
  const tenantId = testTenant();
  const whole = await search(tenantId, ["Jaromil Worskutin"]);
  for (const word of ["Worskutin", "Jaromil"]) {
    const found = await search(tenantId, [word]);
    expect({ word, sources: sourcesOf(found) }).toEqual({ word, sources: sourcesOf(whole) });
    expect(found).toMatchObject({ status: "IN_REVIEW", isCut: false });
  }
  const cut = await search(tenantId, ["Worskutin"], {}, { limit: 1 });
  expect([cut.hits.length, cut.isCut]).toEqual([1, true]);
});

test("one key is one search, and another search under it is refused", async () => {
  const tenantId = testTenant();
  const request = { idempotencyKey: "once", party: { names: ["Yaromil Vorskutin"] } };
  const both = await Promise.allSettled([0, 1].map(() => desk().searchScreeningLists(request, on(tenantId, manager))));
  const again = await desk().searchScreeningLists(request, on(tenantId, manager));
  const answered = both.filter((one) => one.status === "fulfilled").map(({ value }) => value.screening?.screeningId);
  expect(new Set([...answered, again.screening?.screeningId]).size).toBe(1);
  const other = { ...request, party: { names: ["Somebody Else"] } };
  expect((await refused(desk().searchScreeningLists(other, on(tenantId, manager)))).code).toBe(
    "IDEMPOTENCY_KEY_REUSED",
  );
  const { screenings } = await desk().listScreenings({ trigger: "MANUAL" }, on(tenantId, manager));
  expect(screenings).toHaveLength(1);
});

test.each([
  ["a space that nobody sees", "Yaro\u200bmil Vor\u2060skutin"],
  ["its order turned round", "\u202eYaromil Vorskutin\u202c"],
  ["signs around it", "🕵️ Yaromil Vorskutin 🙂"],
  ["other letters", "Яромил Ворскутин"],
  ["a title before it", "Dr. Yaromil Vorskutin"],
])("a listed name is found with %s", async (_what, name) => {
  const found = await search(testTenant(), [name], {}, { threshold: 600 });
  expect(sourcesOf(found)).toContain("EU");
});

test.each([
  [
    "what nobody sees, and what turns the order round",
    "\u202eYaro\u200bmil\u2066 Vor\u00adskutin\u202c",
    "Yaromil Vorskutin",
  ],
  ["line ends and tabs", " Yaromil\n\tVorskutin\u2028", "Yaromil Vorskutin"],
  ["joiners where no script needs them", "Yaromil\u200d Vor\u200cskutin", "Yaromil Vorskutin"],
  [
    "joiners where one does",
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
  ],
])("a search is kept and shown by what can be seen of its name: %s", async (_what, name, shown) => {
  const tenantId = testTenant();
  const { subject, screeningId } = await search(tenantId, [name]);
  expect(subject?.name).toBe(shown);
  const stored = await desk().getScreening({ screeningId }, on(tenantId, manager));
  expect(stored.screening?.subject?.name).toBe(shown);
});

test.each(["1900", "1961-02", "2026-01-01", "2026"])("the date of birth %s is compared", async (dateOfBirth) => {
  expect((await search(testTenant(), ["Adaeze Nwachukwu"], { dateOfBirth })).status).toBe("NO_HIT");
});

test.each([
  ["one letter", "x"],
  ["one letter of another script", "ل"],
  ["right to left", "منذر حباش الذراقي"],
  ["marks without letters but for one", `a${"\u0301".repeat(400)}`],
  ["Hangul", "박솔랑훈"],
  ["a company with a digit in its name", "7-Eleven"],
  ["a company of a digit and a letter", "3M"],
])("%s is compared", async (_what, name) => {
  const { status } = await search(testTenant(), [name]);
  expect(["NO_HIT", "IN_REVIEW"]).toContain(status);
});

test.each([
  ["an empty name", { names: [""] }, "names.0"],
  ["spaces", { names: ["Ada", "   "] }, "names.1"],
  ["signs alone", { names: ["🙂🙃"] }, "names.0"],
  ["digits alone", { names: ["Ada", "4711"] }, "names.1"],
  ["apostrophes alone", { names: ["\u02bc\u02bc"] }, "names.0"],
  ["more words than are compared", { names: [Array.from({ length: 25 }, (_, at) => `ada${at}`).join(" ")] }, "names.0"],
  ["letters that nothing Latin is known for", { names: ["\u{12000}\u{12001}"] }, "names.0"],
  ["a birth to come", { names: ["Ada"], dateOfBirth: "2026-05-02" }, "dateOfBirth"],
  ["a birth in a month to come", { names: ["Ada"], dateOfBirth: "2026-06" }, "dateOfBirth"],
  ["a birth in a year to come", { names: ["Ada"], dateOfBirth: "2027" }, "dateOfBirth"],
  ["a birth before anybody's who lives", { names: ["Ada"], dateOfBirth: "1899-12-31" }, "dateOfBirth"],
  ["a year before anybody's birth", { names: ["Ada"], dateOfBirth: "0001" }, "dateOfBirth"],
  ["what nobody sees", { names: ["\u200b\u200d\u202e"] }, "names.0"],
  ["10 kB", { names: ["a".repeat(10_000)] }, "names.0"],
  ["no name", { names: [] }, "names"],
  ["nine names", { names: Array.from({ length: 9 }, (_, at) => `n${at}`) }, "names"],
  ["a kind that is none", { names: ["Ada"], kind: "SHIP" }, "kind"],
  ["a day that is none", { names: ["Ada"], dateOfBirth: "1961-02-30" }, "dateOfBirth"],
  ["a country that is none", { names: ["Ada"], countries: ["NGA", "XX"] }, "countries.1"],
  [
    "a document without a number",
    { names: ["Ada"], documents: [{ type: "PASSPORT", number: " " }] },
    "documents.0.number",
  ],
])("%s is refused by its path", async (_what, part, path) => {
  const { code, details } = await refused(search(testTenant(), part.names, part as Partial<Party>));
  expect([code, details?.errors?.[0]?.path]).toEqual(["INVALID_INPUT", path]);
});

test("who was searched for lies sealed, in the search and under its key", async () => {
  const tenantId = testTenant();
  await search(tenantId, ["Quillonmarra Xandervik"]);
  const collections = await world.db.db!.listCollections().toArray();
  for (const { name } of collections) {
    const rows = await world.db.collection(name).find({ tenantId }).toArray();
    expect([name, JSON.stringify(rows).match(/Quillonmarra|Xandervik/i)]).toEqual([name, null]);
  }
});

test("screenings are listed newest first, by page and by what is asked; another tenant has none of them", async () => {
  const tenantId = await world.openTenant({});
  const parties = [
    { role: "RECIPIENT", name: "Ulyana Halvorenko", kind: "PERSON", dateOfBirth: "", countries: ["BLR"] },
  ];
  const requested = question({ parties });
  const { decision } = await world.remittance.checkTransaction(requested, on(tenantId));
  expect(decision).toBe("DECISION_REVIEW");
  const ids = [];
  for (const name of ["Ada One", "Ada Two", "Ada Three"]) ids.unshift((await search(tenantId, [name])).screeningId);
  const list = (part: object, of = tenantId) => desk().listScreenings(part, on(of, manager));
  const paged = [];
  for (let cursor = ""; ;) {
    const page = await list({ trigger: "MANUAL", pageSize: 2, cursor });
    paged.push(...page.screenings.map(({ screeningId }) => screeningId));
    if (page.nextCursor === "") break;
    cursor = page.nextCursor;
  }
  expect(paged).toEqual(ids);
  const [own] = (await list({ customerId: "c1", status: "IN_REVIEW" })).screenings;
  expect(own).toMatchObject({ trigger: "TRANSACTION", subject: { kind: "RECIPIENT", name: "Ulyana Halvorenko" } });
  expect((await list({ transactionId: requested.transactionId })).screenings).toHaveLength(1);
  expect((await refused(list({ status: "LOST" }))).details?.errors).toMatchObject([{ path: "status" }]);
  expect((await refused(list({ trigger: "WHIM" }))).details?.errors).toMatchObject([{ path: "trigger" }]);
  for (const other of [testTenant(), sandboxIdOf(tenantId)]) {
    expect((await list({}, other)).screenings).toEqual([]);
    const { code } = await refused(desk().getScreening({ screeningId: own!.screeningId }, on(other, manager)));
    expect(code).toBe("NOT_FOUND");
  }
  expect((await desk().listScreeningExemptions({}, on(tenantId, manager))).exemptions).toEqual([]);
});

test("exemptions are listed newest first, by page, by customer and by what became of them", async () => {
  const tenantId = await world.openTenant({});
  const by = on(tenantId, manager);
  const made: string[] = [];
  for (const [name, until] of [
    ["Ulyana Halvorenko", "2026-06-01T00:00:00Z"],
    ["Ngalembo Tshikwamba", "2027-06-01T00:00:00Z"],
  ] as const) {
    const parties = [{ role: "RECIPIENT", name, kind: "PERSON", dateOfBirth: "", countries: [] }];
    const requested = question({ parties, recipientCode: name.replace(" ", "-") });
    await world.remittance.checkTransaction(requested, on(tenantId));
    const { screenings } = await desk().listScreenings({ transactionId: requested.transactionId }, by);
    const word = { decision: "FALSE_POSITIVE", reason: "another year of birth", exemptUntil: new Date(until) };
    const { screeningId } = screenings[0]!;
    await desk().decideHit({ idempotencyKey: name, screeningId, hitId: "1", ...word }, by);
    made.unshift(name);
  }
  const list = async (part: object = {}, of = tenantId) => desk().listScreeningExemptions(part, on(of, manager));
  const names = async (part: object) => (await list(part)).exemptions.map(({ subject }) => subject?.name);
  const first = await list({ pageSize: 1 });
  expect(first.exemptions).toMatchObject([
    { subject: { kind: "RECIPIENT", customerId: "c1", name: made[0] }, state: "VALID", madeBy: "MA1" },
  ]);
  expect(await names({ pageSize: 1, cursor: first.nextCursor })).toEqual([made[1]]);
  expect([await names({ customerId: "c1" }), await names({ customerId: "c2" })]).toEqual([made, []]);
  const { exemptionId } = first.exemptions[0]!;
  const ended = { exemptionId, reason: "no more" };
  expect((await refused(desk().endScreeningExemption(ended, on(testTenant(), manager)))).code).toBe("NOT_FOUND");
  await desk().endScreeningExemption(ended, by);
  expect([await names({ state: "ENDED" }), await names({ state: "VALID" })]).toEqual([[made[0]], [made[1]]]);
  world.at("2026-06-02T00:00:00Z");
  expect([await names({ state: "OVER" }), await names({ state: "VALID" })]).toEqual([[made[1]], []]);
  world.reset();
  expect((await refused(list({ state: "GONE" }))).details?.errors).toMatchObject([{ path: "state" }]);
  expect((await list({}, testTenant())).exemptions).toEqual([]);
});
