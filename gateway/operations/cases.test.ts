import { edgeAsManager } from "../../test/gateway/as-manager.js";
import { operationNamed } from "../../test/gateway/operations.js";
import { Refusal } from "../../services/kernel/refusal.js";

const { edge, sent } = edgeAsManager();

test("a case is read with its timeline, and what it has none of is absent", async () => {
  const { json } = await sent("readCase");
  expect(json.data).toMatchObject({ number: 42, status: "INVESTIGATING", version: 2, previousCaseId: "case-0" });
  expect(json.data.timeline.map(({ sequence, text }: { sequence: number; text?: string }) => [sequence, text])).toEqual(
    [
      [1, undefined],
      [2, "seen"],
    ],
  );
  expect("outcome" in json.data).toBe(false);
  expect((await sent("listCases")).json.data).toMatchObject({ nextCursor: "42", cases: [{ caseId: "case-1" }] });
});

const money = { amount: "100.00", currency: "USD", status: "AWAITING_COMPLIANCE", transactionCode: "MT-1" };

test("a row of a queue, a case and its export name the subject, the hit with its list and parts, and the money", async () => {
  const named = { subjectName: "Ivan Petrov", subjectNameState: "KNOWN", hitCount: 1, transactions: [money] };
  const [row] = (await sent("listCases")).json.data.cases;
  expect(row).toMatchObject(named);
  expect(row.hits).toMatchObject([
    { source: "UN", listVersion: 3, entryId: "2674", matchedName: "IVAN PETROV", score: 940, policyVersion: 2 },
  ]);
  expect(row.hits[0].parts[0]).toEqual({ part: "GIVEN", ours: "ivan", theirs: "ivan", score: 1000, effect: 480 });
  for (const name of ["readCase", "exportCase"]) {
    const { data } = (await sent(name)).json;
    expect(data).toMatchObject({
      ...named,
      screenings: [{ policyVersion: 2, hits: [{ listVersion: 3, score: 940 }] }],
    });
  }
  const { listCases } = edge().fakes.cases;
  edge().fakes.cases.listCases = async (request, call) => {
    const [one] = (await listCases!(request, call)).cases!;
    return { cases: [{ ...one, subjectName: "", subjectNameState: "ERASED" }] };
  };
  const [erased] = (await sent("listCases")).json.data.cases;
  expect([erased.subjectNameState, "subjectName" in erased]).toEqual(["ERASED", false]);
});

test("the queue of what waits says why, by which screening and in which case", async () => {
  const [row] = (await sent("listComplianceReviews")).json.data.reviews;
  expect(row).toMatchObject({
    reason: "SCREENING_HIT",
    screeningIds: ["screening-1"],
    caseId: "case-1",
    customerName: "Ada Lovelace",
    recipientName: "Ivan Petrov",
    hits: [{ matchedName: "IVAN PETROV" }],
  });
});

test("approvals of hits are shown with what they are about, asked for at once, and approvals stay while compliance is away", async () => {
  const { listApprovals } = edge().fakes.identity;
  const requested: unknown[] = [];
  const { describeHits } = edge().fakes.screening;
  edge().fakes.screening.describeHits = async (request, call) => {
    requested.push(request);
    return describeHits!(request, call);
  };
  const read = async () => (await sent("listApprovals")).json.data.approvals;
  expect("hits" in (await read())[0]).toBe(false);
  expect(requested).toEqual([]);

  edge().fakes.identity.listApprovals = async (request, call) => {
    const one = (await listApprovals!(request, call)).approvals![0]!;
    const ofHit = { ...one, kind: "SCREENING_CONFIRMATION", subject: "screening:screening-1" };
    return { approvals: [one, { ...ofHit, approvalId: "a2" }, { ...ofHit, approvalId: "a3" }] };
  };
  const [other, first] = await read();
  expect("hits" in other).toBe(false);
  expect(first.hits).toMatchObject(
    ["1", "2"].map((hitId) => ({
      hit: { hitId, subject: { name: "Ivan Petrov" }, matchedName: "IVAN PETROV", listVersion: 3, score: 940 },
      caseId: "case-1",
      transactionCount: 1,
      transactions: [money],
    })),
  );
  expect(requested).toMatchObject([
    {
      approvals: [
        { approvalId: "a2", screeningId: "screening-1" },
        { approvalId: "a3", screeningId: "screening-1" },
      ],
    },
  ]);
  edge().fakes.screening.describeHits = async () => {
    throw new Refusal("UNAVAILABLE", "not now");
  };
  expect((await read()).map((one: object) => "hits" in one)).toEqual([false, false, false]);
});

test("a queue is asked for as it was named, and a queue that is none is refused by its place", async () => {
  const requested: unknown[] = [];
  edge().fakes.cases.listCases = async (request) => {
    requested.push(request);
    return {};
  };
  await sent("listCases", { path: "/api/v6/services/compliance/cases?queue=MINE&order=DUE&size=5" });
  expect(requested).toMatchObject([{ queue: "MINE", order: "DUE", pageSize: 5, kind: "", status: "", cursor: "" }]);
  const wrong = await sent("listCases", { path: "/api/v6/services/compliance/cases?queue=ALLE" });
  expect([wrong.status, wrong.json.errors[0].path]).toEqual([400, "query.queue"]);
});

test("the counts are not taken for a case of that name", async () => {
  const read: string[] = [];
  edge().fakes.cases.getCase = async ({ caseId }) => {
    read.push(caseId);
    throw new Refusal("NOT_FOUND", "no such case");
  };
  expect((await sent("countCases")).json.data).toEqual({ open: 4, mine: 1, overdue: 1, unassigned: 2, snoozed: 1 });
  expect(read).toEqual([]);
});

test("a change names only what it changes, in times of any offset, and goes with its key", async () => {
  const requested: unknown[] = [];
  const { changeCase } = edge().fakes.cases;
  edge().fakes.cases.changeCase = async (request, call) => {
    requested.push(request);
    return changeCase!(request, call);
  };
  const change = { version: 2, snoozedUntil: "2026-11-25T00:00:00+01:00", tags: ["FRAUD"] };
  await sent("changeCase", { body: change });
  await sent("changeCase", { body: { version: 2, assignee: "" } });
  const idempotencyKey = operationNamed("changeCase").request.headers!["x-idempotency-key"];
  expect(requested).toMatchObject([
    { idempotencyKey, version: 2, snoozedUntil: new Date("2026-11-24T23:00:00Z"), tags: { tags: ["FRAUD"] } },
    { assignee: "", priority: undefined, dueAt: undefined, tags: undefined, endSnooze: false },
  ]);
});

test("a conflict says the version that is current", async () => {
  edge().fakes.cases.closeCase = async () => {
    throw new Refusal("STATE_CONFLICT", "case 42 is at version 3: read it again", { figures: { version: "3" } });
  };
  const { status, json } = await sent("closeCase");
  expect([status, json.code]).toEqual([409, "STATE_CONFLICT"]);
  expect(json.message).toContain("version 3");
});

test("an export is a file as PDF and an answer as JSON", async () => {
  const pdf = await sent("exportCase", { body: { form: "PDF" } });
  expect([pdf.status, pdf.text.slice(0, 5)]).toEqual([200, "%PDF-"]);
  expect(pdf.headers["content-type"]).toBe("application/pdf");
  expect(pdf.headers["content-disposition"]).toBe('attachment; filename="case-42.pdf"');
  const json = await sent("exportCase");
  expect(json.json.data.timeline).toHaveLength(2);
});

test("an API token reads cases and files, and changes nothing", async () => {
  const asToken = { scopes: ["compliance:read"] };
  for (const name of ["listCases", "countCases", "readCase", "readCaseFile"]) {
    expect([name, (await sent(name, {}, asToken)).status]).toEqual([name, 200]);
  }
  for (const name of ["openCase", "changeCase", "addCaseNote", "attachCaseFile", "closeCase", "exportCase"]) {
    expect([name, (await sent(name, {}, asToken)).json.code]).toEqual([name, "FORBIDDEN"]);
  }
});
