import { pino } from "pino";
import { erasedText } from "../erasure/erasure.js";
import { readCredits, reportChanged } from "./bank-credits.js";

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
