import { startEdge, type Edge } from "../../test/gateway/edge.js";
import { settlementsBase } from "./agent-settlements.js";

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge.stop());

const path = (query = "") => `${settlementsBase}/s-1/statement${query}`;
const line = (lineId: string, amountMinor: bigint) => ({
  lineId,
  kind: "SALE",
  account: "ACCOUNT",
  amountMinor,
  transactionId: "t-1",
  transactionCode: "=MNL",
  businessDay: "2026-11-30",
  at: new Date("2026-11-30T09:15:00Z"),
  currency: "USD",
});

test("a statement is its text, page behind page, as the wallet says it", async () => {
  const asked: string[] = [];
  edge.fakes.agentSettlements.readAgentStatement = async ({ settlementId, cursor }) => {
    asked.push(`${settlementId} ${cursor}`);
    return cursor === "" ? { text: '{"a":1}\n', nextCursor: "next" } : { text: '{"b":2}\n', nextCursor: "" };
  };
  const headers = { "X-Auth-Token": await edge.token({ role: "AGENT" }) };
  const answer = await edge.send({ path: path(), headers });
  expect([answer.status, answer.text]).toEqual([200, '{"a":1}\n{"b":2}\n']);
  expect(answer.headers["content-disposition"]).toBe('attachment; filename="agent-settlement-s-1.jsonl"');
  expect(asked).toEqual(["s-1 ", "s-1 next"]);
});

test("as CSV it has every line with its amount, and no cell that a sheet would take for a formula", async () => {
  edge.fakes.agentSettlements.readAgentStatement = async () => ({ text: "", nextCursor: "" });
  edge.fakes.agentSettlements.listAgentSettlementLines = async ({ cursor }) =>
    cursor === ""
      ? { lines: [line("sale:1", -102_69n)], nextCursor: "next" }
      : { lines: [line("sale:2", -1n)], nextCursor: "" };
  const headers = { "X-Auth-Token": await edge.token({ role: "MANAGER" }) };
  const answer = await edge.send({ path: path("?format=csv"), headers });
  const rows = answer.text.trimEnd().split("\r\n").slice(1);
  expect(rows.map((row) => row.split(",").slice(1, 6))).toEqual([
    ["2026-11-30", "SALE", "ACCOUNT", "-102.69", "USD"],
    ["2026-11-30", "SALE", "ACCOUNT", "-0.01", "USD"],
  ]);
  expect(rows[0]).not.toContain(",=MNL");
});
