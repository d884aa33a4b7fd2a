import { markupParts, type MarkupContent } from "./markup.js";

const pair = { sendCurrency: "USD", receivingCurrency: "NGN" };
const every = { sendCurrency: "", receivingCurrency: "" };
const of = (owner: string, rateBps: number, feeBps: number, where = pair): MarkupContent => ({
  owner,
  ...where,
  rateBps,
  feeBps,
});

test("an agent takes no more than the ceiling of this moment, of the rate and of the fee; without one nothing", () => {
  const agent = of("AG1", 80, 60);
  expect(markupParts([agent, of("AGENT_LIMIT", 50, 25)], pair, "AG1")).toMatchObject({
    agentBps: 50,
    agentFeeBps: 25,
  });
  expect(markupParts([agent, of("AGENT_LIMIT", 90, 90)], pair, "AG1")).toMatchObject({
    agentBps: 80,
    agentFeeBps: 60,
  });
  expect(markupParts([agent], pair, "AG1")).toMatchObject({ agentBps: 0, agentFeeBps: 0 });
});

test("a pair's own markup goes before that of every pair; within one currency there is no rate to take it off", () => {
  const markups = [of("TENANT", 100, 10, every), of("TENANT", 150, 20)];
  expect(markupParts(markups, pair, "")).toMatchObject({ tenantBps: 150, tenantFeeBps: 20 });
  const other = { sendCurrency: "USD", receivingCurrency: "GHS" };
  expect(markupParts(markups, other, "")).toMatchObject({ tenantBps: 100, tenantFeeBps: 10 });
  const same = { sendCurrency: "USD", receivingCurrency: "USD" };
  expect(markupParts(markups, same, "")).toMatchObject({ tenantBps: 0, tenantFeeBps: 10 });
});

test("a promotion gives back no more than is taken", () => {
  const markups = [of("TENANT", 100, 0), of("AG1", 50, 0), of("AGENT_LIMIT", 50, 0)];
  expect(markupParts(markups, pair, "AG1", 120).promotionBps).toBe(120);
  expect(markupParts(markups, pair, "AG1", 999).promotionBps).toBe(150);
});
