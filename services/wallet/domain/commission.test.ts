import fc from "fast-check";
import {
  assertTerms,
  clawedBack,
  commissionOn,
  splitCommission,
  type CommissionRule,
  type CommissionTerms,
} from "./commission.js";

const terms = (...rules: CommissionRule[]): CommissionTerms => ({ currency: "USD", rules, split: [] });
const sale = (principalMinor: bigint, feeMinor = 0n, fxMarginMinor = 0n) => ({
  principalMinor,
  feeMinor,
  fxMarginMinor,
});
const tiers = [{ upToMinor: 100_00n, bps: 100 }, { upToMinor: 500_00n, bps: 75 }, { bps: 50 }];
const tiered = (tierKind: "SLAB" | "MARGINAL") => terms({ basis: "PRINCIPAL", tierKind, tiers });

describe("what a sale earns", () => {
  test.each<[string, CommissionTerms, ReturnType<typeof sale>, bigint]>([
    ["40 % of a fee of 2.50", terms({ basis: "FEE", bps: 4_000 }), sale(100_00n, 2_50n), 1_00n],
    ["35 bps of 100.00", terms({ basis: "PRINCIPAL", bps: 35 }), sale(100_00n), 35n],
    ["a fixed amount", terms({ basis: "FIXED", fixedMinor: 75n }), sale(1n), 75n],
    ["half of the exchange's margin", terms({ basis: "FX_MARGIN", bps: 5_000 }), sale(100_00n, 0n, 1_01n), 50n],
    ["nothing of a loss", terms({ basis: "FX_MARGIN", bps: 5_000 }), sale(100_00n, 0n, -1_00n), 0n],
    ["half-even, down", terms({ basis: "PRINCIPAL", bps: 50 }), sale(1_00n), 0n],
    ["half-even, up", terms({ basis: "PRINCIPAL", bps: 50 }), sale(3_00n), 2n],
    [
      "two rules, each rounded",
      terms({ basis: "FEE", bps: 4_000 }, { basis: "PRINCIPAL", bps: 35 }),
      sale(100_00n, 2_50n),
      1_35n,
    ],
    ["no less than the minimum", terms({ basis: "PRINCIPAL", bps: 1, minimumMinor: 20n }), sale(100_00n), 20n],
    ["no more than the maximum", terms({ basis: "PRINCIPAL", bps: 100, maximumMinor: 50n }), sale(100_00n), 50n],
    ["marginal tiers, 499.99", tiered("MARGINAL"), sale(499_99n), 4_00n],
    ["marginal tiers, 100.00 in the first", tiered("MARGINAL"), sale(100_00n), 1_00n],
    ["marginal tiers, beyond the last", tiered("MARGINAL"), sale(1_234_56n), 7_67n],
    ["slabs, 1,234.56", tiered("SLAB"), sale(1_234_56n), 6_17n],
    ["slabs, 100.00 in the first", tiered("SLAB"), sale(100_00n), 1_00n],
    ["slabs, 100.01 in the second", tiered("SLAB"), sale(100_01n), 75n],
    ["all of 2^63-1", terms({ basis: "PRINCIPAL", bps: 10_000 }), sale(2n ** 63n - 1n), 2n ** 63n - 1n],
  ])("%s", (_what, of, brought, minor) => {
    expect(commissionOn(of, brought)).toEqual({ minor, currency: "USD" });
  });

  test("marginal tiers never earn less for a greater amount", () => {
    const amount = fc.bigInt({ min: 0n, max: 10n ** 12n });
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        const [less, more] = a < b ? [a, b] : [b, a];
        expect(commissionOn(tiered("MARGINAL"), sale(less)).minor).toBeLessThanOrEqual(
          commissionOn(tiered("MARGINAL"), sale(more)).minor,
        );
      }),
    );
  });
});

describe("split among parties", () => {
  const thirds = [
    { party: "agent", bps: 3_334 },
    { party: "super-agent", bps: 3_333 },
    { party: "branch", bps: 3_333 },
  ];
  test("1.00 in thirds is 0.34, 0.33 and 0.33", () => {
    const parts = splitCommission({ minor: 1_00n, currency: "USD" }, thirds);
    expect([...parts].map(([party, { minor }]) => [party, minor])).toEqual([
      ["agent", 34n],
      ["super-agent", 33n],
      ["branch", 33n],
    ]);
  });
  test("a tie goes to whoever is named first", () => {
    const halves = [
      { party: "b", bps: 5_000 },
      { party: "a", bps: 5_000 },
    ];
    expect([...splitCommission({ minor: 1n, currency: "USD" }, halves)].map(([, { minor }]) => minor)).toEqual([
      1n,
      0n,
    ]);
  });
});

describe("taken back with refunds", () => {
  test("half of it with half of the principal", () => expect(clawedBack(1_35n, 100_00n, 50_00n)).toBe(68n));
  test("all of it, and no more, with all of it", () => expect(clawedBack(1_35n, 100_00n, 100_00n)).toBe(1_35n));
  test("several refunds come to what one of all would", () => {
    const minor = fc.bigInt({ min: 1n, max: 10n ** 9n });
    fc.assert(
      fc.property(minor, minor, fc.array(minor, { maxLength: 8 }), (commission, principal, refunds) => {
        let [refunded, taken] = [0n, 0n];
        for (const one of [...refunds, principal]) {
          refunded += one;
          const now = clawedBack(commission, principal, refunded);
          expect(now).toBeGreaterThanOrEqual(taken);
          taken = now;
        }
        expect(taken).toBe(commission);
      }),
    );
  });
});

test.each<[string, CommissionTerms, string]>([
  ["no rule", terms(), "rules"],
  [
    "overlapping tiers",
    terms({ basis: "FEE", tierKind: "SLAB", tiers: [tiers[1]!, tiers[0]!, tiers[2]!] }),
    "rules.0.tiers.1.upTo",
  ],
  [
    "a tier twice",
    terms({ basis: "FEE", tierKind: "SLAB", tiers: [tiers[0]!, tiers[0]!, tiers[2]!] }),
    "rules.0.tiers.1.upTo",
  ],
  ["no tier for the rest", terms({ basis: "FEE", tierKind: "SLAB", tiers: [tiers[0]!] }), "rules.0.tiers.0.upTo"],
  ["tiers and a rate", terms({ basis: "FEE", bps: 1, tierKind: "SLAB", tiers }), "rules.0.bps"],
  ["neither", terms({ basis: "FEE" }), "rules.0.bps"],
  ["a fixed amount of a fee", terms({ basis: "FEE", bps: 1, fixedMinor: 1n }), "rules.0.fixed"],
  ["more than all", terms({ basis: "FEE", bps: 10_001 }), "rules.0.bps"],
  [
    "a maximum below the minimum",
    terms({ basis: "FEE", bps: 1, minimumMinor: 2n, maximumMinor: 1n }),
    "rules.0.maximum",
  ],
  ["a split of 99.99 %", { ...terms({ basis: "FEE", bps: 1 }), split: [{ party: "a", bps: 9_999 }] }, "split"],
  [
    "a party twice",
    {
      ...terms({ basis: "FEE", bps: 1 }),
      split: [
        { party: "a", bps: 5_000 },
        { party: "a", bps: 5_000 },
      ],
    },
    "split",
  ],
])("is refused: %s", (_what, of, path) => {
  expect(() => assertTerms(of)).toThrow(
    expect.objectContaining({ details: { errors: [expect.objectContaining({ path })] } }),
  );
});
