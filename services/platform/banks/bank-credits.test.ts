import { pino } from "pino";
import { creditMetrics } from "./credit-metrics.js";
import { erasedText } from "../erasure/erasure.js";
import { sandboxIdOf } from "../sandbox/sandbox.js";
import { readCredits, reportChanged, reportUnreadable } from "./bank-credits.js";

const arrived = (creditId: string, amount: string, currency = "USD") => ({
  creditId,
  amount,
  currency,
  receivedAt: "2026-11-21T10:00:00Z",
});

test("what no account can hold stands apart by its id, and the others are read", () => {
  const { credits, unreadable } = readCredits([
    arrived("largest", "92233720368547758.07"),
    arrived("beyond", "92233720368547758.08"),
    arrived("far beyond", "9".repeat(40)),
    arrived("nothing", "0.00"),
    arrived("below", "-5"),
    arrived("finer", "1.001"),
    arrived("no currency", "5", "ZZZ"),
    arrived("no number", "five"),
    arrived("last", "5"),
  ]);
  expect(credits).toEqual([
    {
      creditId: "largest",
      amount: { minor: 2n ** 63n - 1n, currency: "USD" },
      receivedAt: new Date("2026-11-21T10:00:00Z"),
    },
    { creditId: "last", amount: { minor: 500n, currency: "USD" }, receivedAt: new Date("2026-11-21T10:00:00Z") },
  ]);
  expect(unreadable.map(({ creditId }) => creditId)).toEqual([
    "beyond",
    "far beyond",
    "nothing",
    "below",
    "finer",
    "no currency",
    "no number",
  ]);
});

test.each([
  ["the same", {}, {}, undefined],
  ["another amount", { amount: { minor: 501n, currency: "USD" } }, {}, ["amount"]],
  ["another currency", { amount: { minor: 500n, currency: "NGN" } }, {}, ["currency"]],
  ["another reference", { reference: "for Ngozi" }, {}, ["reference"]],
  ["another sender's name", { senderName: "AMINA BELLO" }, {}, undefined],
  ["a reference that is erased", {}, { reference: "", senderName: erasedText }, undefined],
])(
  "a known credit that is listed with %s is told by its id where it is another one",
  (_how, listed, known, changed) => {
    const lines: string[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(line) });
    const plain = {
      creditId: "c-1",
      reference: "for Amina",
      amount: { minor: 500n, currency: "USD" },
      senderName: "A",
    };
    reportChanged({ ...plain, ...known }, { ...plain, ...listed }, "demo", log);
    expect(lines.map((line) => (JSON.parse(line) as { changed: string[] }).changed)).toEqual(changed ? [changed] : []);
    expect(lines.join("")).not.toContain("for ");
  },
);

test.each([
  ["a live tenant's bank is logged and counted", "demo", 1],
  ["a sandbox's bank is logged and not counted", sandboxIdOf("demo"), 0],
])("what is wrong in the list of %s", async (_what, tenantId, counted) => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const soFar = async () => {
    const figures = await Promise.all([creditMetrics.changed.get(), creditMetrics.unreadable.get()]);
    return figures.map(({ values }) => values[0]!.value);
  };
  const before = await soFar();
  const known = { creditId: "c-1", reference: "r", amount: { minor: 500n, currency: "USD" }, senderName: "A" };
  reportChanged(known, { ...known, reference: "another" }, tenantId, log);
  reportUnreadable(readCredits([arrived("c-2", "0")]).unreadable, tenantId, log);
  expect(lines).toHaveLength(2);
  expect(await soFar()).toEqual(before.map((figure) => figure + counted));
});
