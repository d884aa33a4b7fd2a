import { edgeAsManager } from "../../test/gateway/as-manager.js";
import { operationNamed, operations } from "../../test/gateway/operations.js";
import { invalidInput, Refusal } from "../../services/kernel/refusal.js";

const { edge, sent } = edgeAsManager();

test("a screening is read with what explains each hit, and what it has none of is absent", async () => {
  const { json } = await sent("readScreening");
  expect(json.data).toMatchObject({
    subject: { kind: "RECIPIENT", customerId: "c1", name: "Ivan Petrov" },
    status: "IN_REVIEW",
    caseId: "case-1",
    transactionIds: ["tx-1"],
    hits: [{ score: 940, matchedName: "IVAN PETROV", entry: { source: "UN", datesOfBirth: ["1961", "1958/1962"] } }],
  });
  const [hit] = json.data.hits;
  expect(hit.parts.reduce((sum: number, { effect }: { effect: number }) => sum + effect, 0)).toBe(hit.score);
  for (const name of ["decidedBy", "decidedAt", "approvalId", "reason"]) expect(name in hit).toBe(false);
  const list = await sent("listScreenings");
  expect(list.json.data).toMatchObject({ nextCursor: "screening-1", screenings: [{ screeningId: "screening-1" }] });
});

test("the search is no screening of that name, goes with its key, and its faults are named by their place", async () => {
  const requested: unknown[] = [];
  const { searchScreeningLists } = edge().fakes.screening;
  edge().fakes.screening.getScreening = async () => {
    throw new Refusal("NOT_FOUND", "no such screening");
  };
  edge().fakes.screening.searchScreeningLists = async (request, call) => {
    requested.push(request);
    return searchScreeningLists!(request, call);
  };
  const names = ["Ivan Petrov", "Иван Петров"];
  const body = { kind: "PERSON", names, dateOfBirth: "1961-05", countries: ["RU"], threshold: 700, size: 5 };
  const { json } = await sent("searchScreeningLists", { body });
  expect(json.data).toMatchObject({ trigger: "MANUAL", subject: { kind: "SEARCH" } });
  expect(requested).toMatchObject([
    {
      idempotencyKey: operationNamed("searchScreeningLists").request.headers!["x-idempotency-key"],
      threshold: 700,
      limit: 5,
      party: { kind: "PERSON", names, countries: ["RUS"], dateOfBirth: "1961-05" },
    },
  ]);
  await sent("searchScreeningLists", { body: { names: ["Ivan"] } });
  expect(requested.at(-1)).toMatchObject({ threshold: 0, limit: 0, party: { kind: "UNKNOWN", dateOfBirth: "" } });
  edge().fakes.screening.searchScreeningLists = async () => {
    throw invalidInput("names.0", "must have a letter, of any script");
  };
  const empty = await sent("searchScreeningLists", { body: { names: ["🙂"] } });
  expect([empty.status, empty.json.errors]).toEqual([
    400,
    [{ path: "names.0", message: "must have a letter, of any script" }],
  ]);
  expect(empty.json.message).toBe("names.0: must have a letter, of any script");
});

test.each([
  ["a name of 10 kB", { names: ["x".repeat(10_000)] }, "names.0"],
  ["an empty name", { names: [""] }, "names.0"],
  ["no name", { names: [] }, "names"],
  ["too many names", { names: Array.from({ length: 9 }, (_, at) => `n${at}`) }, "names"],
  ["a date that is none", { names: ["Ivan"], dateOfBirth: "17.5.1961" }, "dateOfBirth"],
  ["a country that is none", { names: ["Ivan"], countries: ["ZZZ"] }, "countries.0"],
  ["a threshold below all sense", { names: ["Ivan"], threshold: 1 }, "threshold"],
])("%s is refused by its path", async (_what, body, path) => {
  const { status, json } = await sent("searchScreeningLists", { body });
  expect([status, json.code, json.errors[0].path]).toEqual([400, "INVALID_INPUT", path]);
});

test("somebody else is decided at once; a confirmation and a release wait for a second person", async () => {
  const decided = await sent("decideScreeningHit");
  expect([decided.status, decided.json.data.hits[0].state]).toEqual([200, "FALSE_POSITIVE"]);
  expect(decided.json.data.hits[0]).toMatchObject({ exemptUntil: "2026-11-21T10:15:00.000Z" });
  const requested = await sent("decideScreeningHit", {
    body: { decision: "CONFIRMED", reason: "the same passport" },
  });
  expect([requested.status, requested.json.data.hits[0]]).toMatchObject([202, { approvalId: "approval-1" }]);
  const release = await sent("releaseScreeningHit");
  expect([release.status, release.json.data.hits[0].approvalId]).toEqual([202, "approval-2"]);
  expect(release.json.data.hits[0]).toMatchObject({
    agreed: { by: "u2", reason: "I agree" },
    release: { transactions: "REFUND", asked: { by: "u1" } },
  });
  expect("agreed" in release.json.data.hits[0].release).toBe(false);
  const ended = await sent("endScreeningExemption");
  expect(ended.json.data).toMatchObject({ state: "ENDED", ended: { by: "u1", reason: "moved" } });
});

test("several hits are decided with one word, and a wrong list of them is refused by its path", async () => {
  const requested: unknown[] = [];
  const { decideHits } = edge().fakes.screening;
  edge().fakes.screening.decideHits = async (request, call) => {
    requested.push(request);
    return decideHits!(request, call);
  };
  const named = { hitIds: ["1", "2"], decision: "FALSE_POSITIVE" };
  const decided = await sent("decideScreeningHits", { body: { ...named, reason: "born later" } });
  expect([decided.status, requested]).toMatchObject([
    200,
    [{ screeningId: "the-screening", ...named, idempotencyKey: "hits-2026-0042" }],
  ]);
  const word = { decision: "CONFIRMED", reason: "the same passport" };
  expect((await sent("decideScreeningHits", { body: { hitIds: ["1"], ...word } })).status).toBe(202);
  for (const [hitIds, path] of [
    [[], "hitIds"],
    [[""], "hitIds.0"],
    [Array.from({ length: 51 }, (_, at) => `${at}`), "hitIds"],
  ] as const) {
    const { status, json } = await sent("decideScreeningHits", { body: { hitIds, ...word } });
    expect([status, json.errors[0].path]).toEqual([400, path]);
  }
});

test.each([
  ["decideScreeningHit", { decision: "FALSE_POSITIVE", reason: "" }, "reason", "must not be empty"],
  ["decideScreeningHit", { decision: "FALSE_POSITIVE", reason: " \n" }, "reason", "must not be empty"],
  [
    "decideScreeningHit",
    { decision: "FALSE_POSITIVE", reason: "x".repeat(301) },
    "reason",
    "must have at most 300 characters",
  ],
  ["searchScreeningLists", { names: [] }, "names", "must have at least 1 entry"],
  ["searchScreeningLists", { names: Array(9).fill("Ada") }, "names", "must have at most 8 entries"],
  ["searchScreeningLists", { names: ["x".repeat(501)] }, "names.0", "must have at most 500 characters"],
])("%s says what is wrong once, in words: %j", async (name, body, path, message) => {
  const { status, json } = await sent(name, { body });
  expect([status, json.errors, json.message]).toEqual([400, [{ path, message }], `${path} ${message}`]);
});

test("a draft is written with its revision, and who was slower is told so", async () => {
  const requested: unknown[] = [];
  edge().fakes.screening.saveScreeningPolicyDraft = async (request) => {
    requested.push(request);
    throw new Refusal("STATE_CONFLICT", "the draft is at revision 3: read it again");
  };
  const { status, json } = await sent("saveScreeningPolicyDraft");
  expect([status, json.code]).toEqual([409, "STATE_CONFLICT"]);
  expect(requested).toMatchObject([
    { revision: 0, content: { lists: expect.arrayContaining(["OFAC_SDN", "UN"]), threshold: 785 } },
  ]);
  const wrong = await sent("saveScreeningPolicyDraft", { body: { revision: 0, lists: ["FBI"] } });
  const paths = wrong.json.errors.map(({ path }: { path: string }) => path);
  expect([wrong.status, paths]).toMatchObject([400, expect.arrayContaining(["lists.0", "threshold"])]);
});

test("the platform's own policy was published by nobody", async () => {
  const { json } = await sent("readScreeningPolicy");
  expect(json.data).toMatchObject({ version: 0, lists: ["OFAC_SDN", "UN"] });
  expect("publishedAt" in json.data || "publishedBy" in json.data).toBe(false);
});

const screeningOperations = operations.filter(({ path }) => /\/compliance\/screening(?!-list)/.test(path));

test("an API token reads and tries, and decides nothing", async () => {
  const asToken = { scopes: ["compliance:read"] };
  const reads = ["readScreeningPolicy", "readScreeningPolicyDraft", "tryScreeningPolicyDraft"].concat([
    "listScreenings",
    "readScreening",
    "listScreeningExemptions",
  ]);
  for (const { name, answers } of screeningOperations) {
    const { status, json } = await sent(name, {}, asToken);
    const isRead = reads.includes(name);
    expect([name, status, json.code]).toEqual([name, isRead ? answers : 403, isRead ? undefined : "FORBIDDEN"]);
  }
});

test.each(["AGENT", "CASHIER", "CUSTOMER"])(
  "a %s sees nothing of it, and no path says more than another",
  async (role) => {
    const answers = await Promise.all(screeningOperations.map(({ name }) => sent(name, {}, { role })));
    const said = answers.map(({ status, json }) => [status, json.code, json.message]);
    expect(new Set(said.map(String)).size).toBe(1);
    expect(said[0]).toMatchObject([403, "FORBIDDEN", expect.not.stringMatching(/screen|list|hit|sanction/i)]);
  },
);
