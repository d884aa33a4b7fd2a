import { edgeAsManager } from "../../test/gateway/as-manager.js";
import { operationNamed } from "../../test/gateway/operations.js";
import { screeningOperations } from "../../test/gateway/screening-operations.js";
import { invalidInput, Refusal } from "../../services/kernel/refusal.js";

const { edge, sent } = edgeAsManager();

test("a screening is read with what explains each hit, and what it has none of is absent", async () => {
  const { json } = await sent("screening");
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
  const list = await sent("screenings");
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
  const { json } = await sent("search screening lists");
  expect(json.data).toMatchObject({ trigger: "MANUAL", subject: { kind: "SEARCH" } });
  expect(requested).toMatchObject([
    {
      idempotencyKey: "key-1",
      threshold: 700,
      limit: 5,
      party: { kind: "PERSON", names: ["Ivan Petrov", "Иван Петров"], countries: ["RUS"], dateOfBirth: "1961-05" },
    },
  ]);
  await sent("search screening lists", { body: { names: ["Ivan"] } });
  expect(requested.at(-1)).toMatchObject({ threshold: 0, limit: 0, party: { kind: "UNKNOWN", dateOfBirth: "" } });
  edge().fakes.screening.searchScreeningLists = async () => {
    throw invalidInput("names.0", "must have a letter, of any script");
  };
  const empty = await sent("search screening lists", { body: { names: ["🙂"] } });
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
  const { status, json } = await sent("search screening lists", { body });
  expect([status, json.code, json.errors[0].path]).toEqual([400, "INVALID_INPUT", path]);
});

test("somebody else is decided at once; a confirmation and a release wait for a second person", async () => {
  const decided = await sent("decide screening hit");
  expect([decided.status, decided.json.data.hits[0].state]).toEqual([200, "FALSE_POSITIVE"]);
  expect(decided.json.data.hits[0]).toMatchObject({ exemptUntil: "2026-11-21T10:15:00.000Z" });
  const requested = await sent("decide screening hit", {
    body: { decision: "CONFIRMED", reason: "the same passport" },
  });
  expect([requested.status, requested.json.data.hits[0]]).toMatchObject([202, { approvalId: "approval-1" }]);
  const release = await sent("release screening hit");
  expect([release.status, release.json.data.hits[0].approvalId]).toEqual([202, "approval-2"]);
  expect(release.json.data.hits[0]).toMatchObject({
    agreed: { by: "u2", reason: "I agree" },
    release: { transactions: "REFUND", asked: { by: "u1" } },
  });
  expect("agreed" in release.json.data.hits[0].release).toBe(false);
  const ended = await sent("end screening exemption");
  expect(ended.json.data).toMatchObject({ state: "ENDED", ended: { by: "u1", reason: "moved" } });
});

test("several hits are decided with one word, and a wrong list of them is refused by its path", async () => {
  const requested: unknown[] = [];
  const { decideHits } = edge().fakes.screening;
  edge().fakes.screening.decideHits = async (request, call) => {
    requested.push(request);
    return decideHits!(request, call);
  };
  const decided = await sent("decide screening hits");
  expect([decided.status, requested]).toMatchObject([
    200,
    [{ screeningId: "screening-1", hitIds: ["1", "2"], decision: "FALSE_POSITIVE", idempotencyKey: "key-1" }],
  ]);
  const word = { decision: "CONFIRMED", reason: "the same passport" };
  expect((await sent("decide screening hits", { body: { hitIds: ["1"], ...word } })).status).toBe(202);
  for (const [hitIds, path] of [
    [[], "hitIds"],
    [[""], "hitIds.0"],
    [Array.from({ length: 51 }, (_, at) => `${at}`), "hitIds"],
  ] as const) {
    const { status, json } = await sent("decide screening hits", { body: { hitIds, ...word } });
    expect([status, json.errors[0].path]).toEqual([400, path]);
  }
});

test.each([
  ["decide screening hit", { decision: "FALSE_POSITIVE", reason: "" }, "reason", "must not be empty"],
  ["decide screening hit", { decision: "FALSE_POSITIVE", reason: " \n" }, "reason", "must not be empty"],
  [
    "decide screening hit",
    { decision: "FALSE_POSITIVE", reason: "x".repeat(301) },
    "reason",
    "must have at most 300 characters",
  ],
  ["search screening lists", { names: [] }, "names", "must have at least 1 entry"],
  ["search screening lists", { names: Array(9).fill("Ada") }, "names", "must have at most 8 entries"],
  ["search screening lists", { names: ["x".repeat(501)] }, "names.0", "must have at most 500 characters"],
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
  const { status, json } = await sent("save screening policy draft");
  expect([status, json.code]).toEqual([409, "STATE_CONFLICT"]);
  expect(requested).toMatchObject([{ revision: 0, content: { lists: ["OFAC_SDN", "UN"], threshold: 785 } }]);
  const wrong = await sent("save screening policy draft", { body: { revision: 0, lists: ["FBI"] } });
  const paths = wrong.json.errors.map(({ path }: { path: string }) => path);
  expect([wrong.status, paths]).toMatchObject([400, expect.arrayContaining(["lists.0", "threshold"])]);
});

test("the platform's own policy was published by nobody", async () => {
  const { json } = await sent("screening policy");
  expect(json.data).toMatchObject({ version: 0, lists: ["OFAC_SDN", "UN"] });
  expect("publishedAt" in json.data || "publishedBy" in json.data).toBe(false);
});

test("an API token reads and tries, and decides nothing", async () => {
  const asToken = { scopes: ["compliance:read"] };
  const reads = ["screening policy", "screening policy draft", "try screening policy draft"].concat([
    "screenings",
    "screening",
    "screening exemptions",
  ]);
  for (const { name, answers = 200 } of screeningOperations.map(({ name: one }) => operationNamed(one))) {
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
