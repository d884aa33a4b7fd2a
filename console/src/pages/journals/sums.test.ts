import { sidesOf } from "./sums.js";

const debit = (amount: string, currency: string) => ({ side: "DEBIT" as const, amount, currency });
const credit = (amount: string, currency: string) => ({ side: "CREDIT" as const, amount, currency });

test("each currency has its own sides, exact beyond what a number holds", () => {
  const lines = [
    debit("92233720368547758.07", "USD"),
    credit("92233720368547758.06", "USD"),
    credit("5", "JPY"),
    debit("2", "JPY"),
    debit("3", "JPY"),
  ];
  expect(sidesOf(lines)).toEqual([
    {
      currency: "USD",
      debits: "92233720368547758.07",
      credits: "92233720368547758.06",
      difference: "0.01",
      isEven: false,
    },
    { currency: "JPY", debits: "5", credits: "5", difference: "0", isEven: true },
  ]);
  expect(sidesOf([])).toEqual([]);
});
