import { startEdge, type Edge } from "../../test/gateway/edge.js";
import { answerSamples, operationNamed } from "../../test/gateway/operations.js";
import { Refusal } from "../../services/kernel/refusal.js";

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
beforeEach(() => answerSamples(edge));
afterAll(() => edge.stop());

const get = async (name: string) =>
  edge.send({ ...operationNamed(name).request, headers: { "X-Auth-Token": await edge.token() } });

test("CSV is UTF-8 with a mark, has one line per entry, signs what goes out and holds no formula", async () => {
  const answer = await get("statementAsCsv");
  expect(answer.headers["content-disposition"]).toBe('attachment; filename="statement-3004.csv"');
  const [head, line] = answer.text.split("\r\n");
  expect(head).toBe("\ufeffdate,type,amount,balance,currency,kind,description,interactionId");
  expect(line).toBe(`2026-11-21T10:15:00.000Z,DEBIT,-25.00,75.00,USD,wallet_transfer,"'=Lunch, with ""friends""",i-1`);
});

test("CSV streams page after page: what is held does not grow with the statement", async () => {
  const pages = 60;
  const requested: string[] = [];
  const sample = edge.fakes.wallet.listStatement!;
  edge.fakes.wallet.listStatement = async (request, call) => {
    requested.push(request.cursor);
    const [entry] = (await sample(request, call)).entries!;
    const page = Number(request.cursor || 0);
    return {
      entries: Array.from({ length: 1_000 }, () => entry!),
      nextCursor: page + 1 < pages ? String(page + 1) : "",
      accountNumber: "1002003004",
      currency: "USD",
    };
  };
  const answer = await get("statementAsCsv");
  expect(answer.text.trimEnd().split("\r\n")).toHaveLength(pages * 1_000 + 1);
  expect(requested).toHaveLength(pages);
});

test("PDF is one", async () => {
  const answer = await get("statementAsPdf");
  expect(answer.headers["content-type"]).toBe("application/pdf");
  expect(answer.text.startsWith("%PDF-1.")).toBe(true);
});

test.each(["statementAsCsv", "statementAsPdf"])(
  "%s of another customer's wallet is a JSON answer 403",
  async (name) => {
    edge.fakes.wallet.listStatement = async () => {
      throw new Refusal("FORBIDDEN", "the account is another customer's");
    };
    const answer = await get(name);
    expect([answer.status, answer.json.code]).toEqual([403, "FORBIDDEN"]);
  },
);
