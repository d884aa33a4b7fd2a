import { checkRate } from "./exchange.js";

const check = (from: bigint, to: bigint, currency = "NGN") =>
  checkRate({ minor: from, currency: "USD" }, { minor: to, currency }, { digits: 1_525_755n, scale: 3 });

test("what is got lies within one minor unit of what is given times the rate, above it and below", () => {
  // 1.01 USD at 1,525.755 is 1,541.01255 NGN.
  for (const to of [154_101n, 154_102n]) expect(() => check(101n, to)).not.toThrow();
  for (const to of [154_100n, 154_103n]) {
    expect(() => check(101n, to)).toThrow(
      expect.objectContaining({
        code: "AMOUNT_MISMATCH",
        details: { figures: { expectedMinor: "154101", askedMinor: String(to) } },
      }),
    );
  }
});

test("currencies have their own minor units, and a rate of nothing is none", () => {
  // Of yen there are no hundredths: 1,541.01255 is 1,541 or 1,542.
  for (const to of [1_541n, 1_542n]) expect(() => check(101n, to, "JPY")).not.toThrow();
  for (const to of [1_540n, 1_543n]) expect(() => check(101n, to, "JPY")).toThrow();
  const usd = { minor: 1n, currency: "USD" };
  expect(() => checkRate(usd, usd, { digits: 0n, scale: 0 })).toThrow(/must not be zero/);
});
