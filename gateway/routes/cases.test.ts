import { randomUUID } from "node:crypto";
import { startEdge, type Edge } from "../../test/gateway/edge.js";
import { answerSamples, operationNamed } from "../../test/gateway/operations.js";
import { Refusal } from "../../services/shared/refusal.js";

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
beforeEach(() => answerSamples(edge));
afterAll(() => edge.stop());

async function sent(name: string, changed: object = {}, claims: object = {}) {
  const { request } = operationNamed(name);
  const token = await edge.token({ role: "MANAGER", userId: randomUUID(), ...claims });
  return edge.send({ ...request, ...changed, headers: { ...request.headers, "X-Auth-Token": token } });
}

test("a case is read with its timeline, and what it has none of is absent", async () => {
  const { json } = await sent("case");
  expect(json.data).toMatchObject({ number: 42, status: "INVESTIGATING", version: 2, previousCaseId: "case-0" });
  expect(json.data.timeline.map(({ sequence, text }: { sequence: number; text?: string }) => [sequence, text])).toEqual(
    [
      [1, undefined],
      [2, "seen"],
    ],
  );
  expect("outcome" in json.data).toBe(false);
  expect((await sent("cases")).json.data).toMatchObject({ nextCursor: "42", cases: [{ caseId: "case-1" }] });
});

test("a queue is asked for as it was named, and a queue that is none is refused by its place", async () => {
  const asked: unknown[] = [];
  edge.fakes.cases.listCases = async (request) => {
    asked.push(request);
    return {};
  };
  await sent("cases");
  expect(asked).toMatchObject([{ queue: "MINE", order: "DUE", pageSize: 5, kind: "", status: "", cursor: "" }]);
  const wrong = await sent("cases", { path: "/api/v6/services/compliance/cases?queue=ALLE" });
  expect([wrong.status, wrong.json.errors[0].path]).toEqual([400, "query.queue"]);
});

test("the counts are not taken for a case of that name", async () => {
  const read: string[] = [];
  edge.fakes.cases.getCase = async ({ caseId }) => {
    read.push(caseId);
    throw new Refusal("NOT_FOUND", "no such case");
  };
  expect((await sent("case counts")).json.data).toEqual({ open: 4, mine: 1, overdue: 1, unassigned: 2, snoozed: 1 });
  expect(read).toEqual([]);
});

test("a change names only what it changes, in times of any offset, and goes with its key", async () => {
  const asked: unknown[] = [];
  const { changeCase } = edge.fakes.cases;
  edge.fakes.cases.changeCase = async (request, call) => {
    asked.push(request);
    return changeCase!(request, call);
  };
  await sent("change case");
  await sent("change case", { body: { version: 2, assignee: "" } });
  expect(asked).toMatchObject([
    { idempotencyKey: "key-1", version: 2, snoozedUntil: new Date("2026-11-24T23:00:00Z"), tags: { tags: ["FRAUD"] } },
    { assignee: "", priority: undefined, dueAt: undefined, tags: undefined, endSnooze: false },
  ]);
});

test("a conflict says the version that is current", async () => {
  edge.fakes.cases.closeCase = async () => {
    throw new Refusal("STATE_CONFLICT", "case 42 is at version 3: read it again", { figures: { version: "3" } });
  };
  const { status, json } = await sent("close case");
  expect([status, json.code]).toEqual([409, "STATE_CONFLICT"]);
  expect(json.message).toContain("version 3");
});

test("an export is a file as PDF and an answer as JSON", async () => {
  const pdf = await sent("export case", { body: { form: "PDF" } });
  expect([pdf.status, pdf.text.slice(0, 5)]).toEqual([200, "%PDF-"]);
  expect(pdf.headers["content-type"]).toBe("application/pdf");
  expect(pdf.headers["content-disposition"]).toBe('attachment; filename="case-42.pdf"');
  const json = await sent("export case");
  expect(json.json.data.timeline).toHaveLength(2);
});

test("an API token reads cases and files, and changes nothing", async () => {
  const asToken = { scopes: ["compliance:read"] };
  for (const name of ["cases", "case counts", "case", "case file"]) {
    expect([name, (await sent(name, {}, asToken)).status]).toEqual([name, 200]);
  }
  for (const name of ["open case", "change case", "case note", "attach case file", "close case", "export case"]) {
    expect([name, (await sent(name, {}, asToken)).json.code]).toEqual([name, "FORBIDDEN"]);
  }
});
