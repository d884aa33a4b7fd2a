import { readCredits } from "./bank-credits.js";

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
