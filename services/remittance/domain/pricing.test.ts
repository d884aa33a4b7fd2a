import fc from "fast-check";
import { formatDecimal, multiplyMoney, parseDecimal } from "../../kernel/decimal.js";
import { formatMoney, money, parseMoney, type Money } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import { customerRate, markupFees, markupParts } from "./markup.js";
import type { FeeRule } from "./corridor.js";
import { priceTransaction, roundings, type Price, type PriceQuestion } from "./pricing.js";

const fee = (part: Partial<FeeRule> = {}): FeeRule => ({
  name: "Transfer fee",
  fixedMinor: 0n,
  rateBps: 0,
  taxBps: 0,
  deliveryMethods: [],
  ...part,
});
const corridor = (fees: FeeRule[] = [], part: object = {}) => ({
  sendCurrency: "USD",
  receivingCurrency: "NGN",
  minimumMinor: 1n,
  maximumMinor: 10n ** 15n,
  fees,
  ...part,
});
const question = (part: Partial<PriceQuestion>): PriceQuestion => ({
  inclusive: false,
  deliveryMethod: "ACCOUNTPAYMENT",
  ...part,
});
const usd = (text: string) => parseMoney(text, "USD");
const ngn = (text: string) => parseMoney(text, "NGN");
const rate = parseDecimal("1600");

function shown(price: Price): Record<string, string> {
  const { principal, totalFees, totalTaxes, total, receive } = price;
  return Object.fromEntries(
    Object.entries({ principal, totalFees, totalTaxes, total, receive }).map(([name, amount]) => [
      name,
      formatMoney(amount),
    ]),
  );
}

function refusalOf(work: () => unknown): Refusal {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal);
    return error as Refusal;
  }
  throw new Error("nothing was refused");
}

describe("the worked example of docs/decisions/0005-pricing.md", () => {
  const fees = [
    fee({ fixedMinor: 200n, rateBps: 50, maximumMinor: 2_500n, taxBps: 750 }),
    fee({ name: "Priority", rateBps: 25, minimumMinor: 100n, taxBps: 0, deliveryMethods: ["ACCOUNTPAYMENT"] }),
  ];

  it("puts fees on top of the send amount", () => {
    const price = priceTransaction(question({ sendAmount: usd("250.00") }), corridor(fees), parseDecimal("1532.25"));
    expect(shown(price)).toEqual({
      principal: "250.00",
      totalFees: "4.25",
      totalTaxes: "0.24",
      total: "254.49",
      receive: "383062.50",
    });
    expect(price.fees.map(({ name, amount, tax }) => [name, formatMoney(amount), formatMoney(tax)])).toEqual([
      ["Transfer fee", "3.25", "0.24"],
      ["Priority", "1.00", "0.00"],
    ]);
    expect(price.rate).toBe("1532.25");
  });

  it("finds the same parts inside what was paid", () => {
    const requested = question({ sendAmount: usd("254.49"), inclusive: true });
    expect(shown(priceTransaction(requested, corridor(fees), parseDecimal("1532.25")))).toEqual({
      principal: "250.00",
      totalFees: "4.25",
      totalTaxes: "0.24",
      total: "254.49",
      receive: "383062.50",
    });
  });

  it("works back from what the recipient gets", () => {
    const requested = question({ receiveAmount: ngn("383062.50") });
    expect(shown(priceTransaction(requested, corridor(fees), parseDecimal("1532.25")))).toEqual({
      principal: "250.00",
      totalFees: "4.25",
      totalTaxes: "0.24",
      total: "254.49",
      receive: "383062.50",
    });
  });
});

describe("the worked example of docs/pricing.md", () => {
  const pair = { sendCurrency: "USD", receivingCurrency: "NGN" };
  const markups = [
    { owner: "TENANT", ...pair, rateBps: 100, feeBps: 0 },
    { owner: "AGENT_LIMIT", ...pair, rateBps: 60, feeBps: 0 },
    { owner: "AG1", ...pair, rateBps: 50, feeBps: 0 },
  ];
  const middle = parseDecimal("1600");
  const own = customerRate(middle, markupParts(markups, pair, "AG1", 25));
  const tiers = [{ fromMinor: 1_000_00n, fixedMinor: 0n, rateBps: 25 }];
  const fees = [fee({ name: "Transfer fee", fixedMinor: 2_00n, rateBps: 50, taxBps: 750, tiers })];
  const priced = (requested: Partial<PriceQuestion>) =>
    priceTransaction(question({ ...requested, feeDiscountBps: 5_000 }), corridor(fees), own);

  it("gives the table from every side", () => {
    expect(formatDecimal(own)).toBe("1580");
    const sides = [
      { sendAmount: usd("100.00") },
      { sendAmount: usd("101.34"), inclusive: true },
      { receiveAmount: ngn("158000.00") },
    ];
    for (const side of sides) {
      const price = priced(side);
      expect(price).toMatchObject({
        principal: usd("100.00"),
        fees: [{ name: "Transfer fee", amount: usd("1.25"), discount: usd("1.25"), tax: usd("0.09") }],
        totalFees: usd("1.25"),
        totalTaxes: usd("0.09"),
        total: usd("101.34"),
        receive: ngn("158000.00"),
        rate: "1580",
      });
    }
  });

  it("at a tier's edge fees inside ask for less than was given, and a cheaper tier is taken where it pays out the same", () => {
    const steps = [{ fromMinor: 100_00n, fixedMinor: 5_00n, rateBps: 0 }];
    const rising = corridor([fee({ name: "Fee", fixedMinor: 2_00n, tiers: steps })]);
    const inside = priceTransaction(question({ sendAmount: usd("103.00"), inclusive: true }), rising, middle);
    expect([inside.principal, inside.total]).toEqual([usd("99.99"), usd("101.99")]);
    const falling = corridor([fee({ name: "Fee", fixedMinor: 10_00n, tiers: [{ ...steps[0]!, fixedMinor: 2_00n }] })]);
    // Principals from 95.24 to 104.76 USD all pay out 0.10 at this rate, rounded down.
    const rate = parseDecimal("0.00105");
    const requested = { ...falling, receivingCurrency: "USD" };
    const back = priceTransaction(question({ receiveAmount: usd("0.10") }), requested, rate);
    expect([back.principal, back.total]).toEqual([usd("100.00"), usd("102.00")]);
  });
});

describe("priceTransaction", () => {
  it("gives exactly the receive amount that governs, and asks the least that covers it", () => {
    const price = priceTransaction(question({ receiveAmount: ngn("100.01") }), corridor(), rate);
    expect(shown(price)).toMatchObject({ principal: "0.07", receive: "100.01" });
  });

  it("never pays out a fraction that was not paid in", () => {
    const price = priceTransaction(question({ sendAmount: usd("0.01") }), corridor(), parseDecimal("1.9"));
    expect(shown(price)).toMatchObject({ principal: "0.01", receive: "0.01" });
  });

  it("keeps a fee within its minimum and maximum, and taxes what is left of it", () => {
    const rule = fee({ rateBps: 100, minimumMinor: 500n, maximumMinor: 1_000n, taxBps: 1_000 });
    const feesOf = (send: string) =>
      shown(priceTransaction(question({ sendAmount: usd(send) }), corridor([rule]), rate));
    expect(feesOf("1.00")).toMatchObject({ totalFees: "5.00", totalTaxes: "0.50" });
    expect(feesOf("750.00")).toMatchObject({ totalFees: "7.50", totalTaxes: "0.75" });
    expect(feesOf("5000.00")).toMatchObject({ totalFees: "10.00", totalTaxes: "1.00" });
  });

  it("charges only fees of the delivery method, and leaves out those that come to zero", () => {
    const fees = [fee({ fixedMinor: 100n, deliveryMethods: ["CASH_PICKUP"] }), fee({ name: "None" })];
    expect(priceTransaction(question({ sendAmount: usd("10") }), corridor(fees), rate).fees).toEqual([]);
    const pickup = question({ sendAmount: usd("10"), deliveryMethod: "CASH_PICKUP" });
    expect(priceTransaction(pickup, corridor(fees), rate).fees).toHaveLength(1);
  });

  it("lets the send amount govern, and bears one minor unit of difference in the other", () => {
    const both = (receive: string) => question({ sendAmount: usd("10.00"), receiveAmount: ngn(receive) });
    for (const receive of ["15999.99", "16000.00", "16000.01"]) {
      expect(shown(priceTransaction(both(receive), corridor(), rate))).toMatchObject({ receive: "16000.00" });
    }
    for (const receive of ["15999.98", "16000.02"]) {
      expect(refusalOf(() => priceTransaction(both(receive), corridor(), rate))).toMatchObject({
        code: "AMOUNT_MISMATCH",
        details: { figures: { amount: "16000.00", currency: "NGN" } },
      });
    }
  });

  it("refuses zero", () => {
    expect(refusalOf(() => priceTransaction(question({ sendAmount: usd("0") }), corridor(), rate)).code).toBe(
      "AMOUNT_NOT_POSITIVE",
    );
    expect(refusalOf(() => priceTransaction(question({ receiveAmount: ngn("0") }), corridor(), rate)).code).toBe(
      "AMOUNT_NOT_POSITIVE",
    );
  });

  it("names the limits on each side, to the minor unit", () => {
    const limited = corridor([], { minimumMinor: 500n, maximumMinor: 10_000n });
    for (const send of ["5.00", "100.00"]) priceTransaction(question({ sendAmount: usd(send) }), limited, rate);
    for (const send of ["4.99", "100.01"]) {
      expect(refusalOf(() => priceTransaction(question({ sendAmount: usd(send) }), limited, rate))).toMatchObject({
        code: "AMOUNT_OUT_OF_LIMITS",
        details: { figures: { minimum: "5.00", maximum: "100.00", currency: "USD" } },
      });
    }
  });

  it("refuses what fees eat up, and what is too small to arrive", () => {
    const requested = question({ sendAmount: usd("2.00"), inclusive: true });
    for (const fixedMinor of [199n, 200n, 201n]) {
      const work = () => priceTransaction(requested, corridor([fee({ fixedMinor })]), rate);
      if (fixedMinor === 199n) expect(shown(work())).toMatchObject({ principal: "0.01", total: "2.00" });
      else expect(refusalOf(work).code).toBe("AMOUNT_OUT_OF_LIMITS");
    }
    const tiny = question({ sendAmount: usd("0.01") });
    expect(refusalOf(() => priceTransaction(tiny, corridor(), parseDecimal("0.5"))).code).toBe("AMOUNT_OUT_OF_LIMITS");
  });

  it("refuses beyond int64 rather than wrap", () => {
    const huge = money(2n ** 63n - 1n, "USD");
    const open = corridor([], { maximumMinor: 2n ** 63n - 1n });
    expect(refusalOf(() => priceTransaction(question({ sendAmount: huge }), open, rate)).code).toBe("AMOUNT_TOO_LARGE");
    const fees = [fee({ fixedMinor: 1n })];
    expect(
      refusalOf(() => priceTransaction(question({ sendAmount: huge }), { ...open, fees }, parseDecimal("1"))).code,
    ).toBe("AMOUNT_TOO_LARGE");
    const inclusive = priceTransaction(
      question({ sendAmount: huge, inclusive: true }),
      { ...open, fees },
      parseDecimal("1"),
    );
    expect(inclusive.principal.minor).toBe(2n ** 63n - 2n);
  });
});

describe("priceTransaction, for currencies of 0, 2 and 3 decimals, rates of 12 digits, any fees", () => {
  const currencies = fc.constantFrom("JPY", "UGX", "USD", "NGN", "KWD", "BHD");
  const rates = fc
    .tuple(fc.bigInt({ min: 1n, max: 10n ** 12n - 1n }), fc.integer({ min: 0, max: 12 }))
    .map(([digits, scale]) => parseDecimal(formatDecimal({ digits, scale })));
  const feeRules = fc
    .record({
      fixedMinor: fc.bigInt({ min: 0n, max: 5_000n }),
      rateBps: fc.integer({ min: 0, max: 10_000 }),
      taxBps: fc.integer({ min: 0, max: 10_000 }),
      bounds: fc.option(fc.tuple(fc.bigInt({ min: 0n, max: 3_000n }), fc.bigInt({ min: 0n, max: 100_000n }))),
      tiers: fc.array(
        fc.record({
          fromMinor: fc.bigInt({ min: 1n, max: 1_000_000n }),
          fixedMinor: fc.bigInt({ min: 0n, max: 5_000n }),
          rateBps: fc.integer({ min: 0, max: 1_000 }),
        }),
        { maxLength: 3 },
      ),
    })
    .map(({ bounds, tiers, ...rule }) =>
      fee({
        ...rule,
        ...(bounds && { minimumMinor: bounds[0], maximumMinor: bounds[0] + bounds[1] }),
        tiers: tiers.toSorted((a, b) => (a.fromMinor < b.fromMinor ? -1 : 1)),
      }),
    );
  const untiered = feeRules.map((rule) => ({ ...rule, tiers: [] }));
  const bps = fc.integer({ min: 0, max: 500 });
  const cases = fc.record({
    from: currencies,
    to: currencies,
    rate: rates,
    fees: fc.array(fc.oneof(untiered, feeRules), { maxLength: 4 }),
    minor: fc.oneof(fc.bigInt({ min: 1n, max: 2_000_000n }), fc.bigInt({ min: 1n, max: 10n ** 12n })),
    markups: fc.record({ tenant: bps, agent: bps, ceiling: bps, bonus: bps, feeBps: bps }),
    discount: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 10_000 })),
  });
  type Case = typeof cases extends fc.Arbitrary<infer C> ? C : never;
  const settings = { numRuns: 1_000 };

  /** The corridor's fees with those of the markups, and the customer's rate. */
  function termsOf({ from, to, rate: middle, fees, markups }: Case) {
    const { tenant, agent, ceiling, bonus, feeBps } = markups;
    const pair = { sendCurrency: from, receivingCurrency: to };
    const of = (owner: string, rateBps: number) => ({ owner, ...pair, rateBps, feeBps });
    const all = [of("TENANT", tenant), of("AG1", agent), of("AGENT_LIMIT", ceiling)];
    const parts = markupParts(all, pair, "AG1", bonus);
    return { rate: customerRate(middle, parts), fees: [...fees, ...markupFees(parts)] };
  }

  function priced(c: Case, requested: Partial<PriceQuestion>): Price | undefined {
    const terms = termsOf(c);
    const where = { ...corridor(terms.fees), sendCurrency: c.from, receivingCurrency: c.to };
    try {
      return priceTransaction(question({ ...requested, feeDiscountBps: c.discount }), where, terms.rate);
    } catch (error) {
      if (error instanceof Refusal) return undefined;
      throw error;
    }
  }
  const sum = (amounts: Money[]) => amounts.reduce((all, { minor }) => all + minor, 0n);
  const assertAddsUp = (price: Price) => {
    expect(sum([price.principal, price.totalFees, price.totalTaxes])).toBe(price.total.minor);
    expect(sum(price.fees.map(({ amount }) => amount))).toBe(price.totalFees.minor);
    expect(sum(price.fees.map(({ tax }) => tax))).toBe(price.totalTaxes.minor);
    expect(price.principal.minor > 0n && price.receive.minor > 0n).toBe(true);
  };

  it("adds up whichever amount governs", () => {
    fc.assert(
      fc.property(cases, fc.boolean(), (c, inclusive) => {
        const send = priced(c, { sendAmount: money(c.minor, c.from), inclusive });
        if (send) {
          assertAddsUp(send);
          const isTiered = c.fees.some(({ tiers = [] }) => tiers.length > 0);
          const requested = (inclusive ? send.total : send.principal).minor;
          // At the end of a tier less is asked for than was given, never more.
          expect(inclusive && isTiered ? requested <= c.minor : requested === c.minor).toBe(true);
        }
        const receive = priced(c, { receiveAmount: money(c.minor, c.to), inclusive });
        if (receive) {
          assertAddsUp(receive);
          expect(receive.receive.minor).toBe(c.minor);
        }
      }),
      settings,
    );
  });

  it("prices a total with fees inside to the very parts that make it with fees on top", () => {
    fc.assert(
      fc.property(cases, (c) => {
        const onTop = priced(c, { sendAmount: money(c.minor, c.from) });
        if (!onTop) return;
        const inside = priced(c, { sendAmount: onTop.total, inclusive: true });
        // A larger principal may cost no more where a tier of fees begins; at these rates it may
        // come to more than an amount can be.
        if (inside === undefined || inside.principal.minor > onTop.principal.minor) {
          expect((inside ?? onTop).total.minor <= onTop.total.minor).toBe(true);
          expect(c.fees.some(({ tiers = [] }) => tiers.length > 0)).toBe(true);
        } else expect({ ...inside, inclusive: false }).toEqual(onTop);
      }),
      settings,
    );
  });

  it("moves at most two minor units a fee from charges to the principal when nothing fits exactly inside", () => {
    fc.assert(
      fc.property(cases, (c) => {
        const inside = priced(c, { sendAmount: money(c.minor, c.from), inclusive: true });
        if (!inside) return;
        const chargesAt = (minor: bigint) => {
          const onTop = minor > 0n ? priced(c, { sendAmount: money(minor, c.from) }) : undefined;
          return onTop && onTop.total.minor - onTop.principal.minor;
        };
        const charges = inside.total.minor - inside.principal.minor;
        const moved = Array.from({ length: 2 * (c.fees.length + 2) + 1 }, (_, units) => BigInt(units));
        const found = moved.some((units) => {
          const at = chargesAt(inside.principal.minor - units);
          // Below the smallest amount that arrives there is nothing to compare with.
          return at === undefined || at === charges;
        });
        expect(found).toBe(true);
      }),
      settings,
    );
  });

  it("never asks for more when what a send amount gave is asked for by receive amount, fees on top or inside", () => {
    fc.assert(
      fc.property(cases, fc.boolean(), fc.boolean(), (c, inclusive, backInclusive) => {
        const there = priced(c, { sendAmount: money(c.minor, c.from), inclusive });
        if (!there) return;
        const back = priced(c, { receiveAmount: there.receive, inclusive: backInclusive });
        expect(back && back.total.minor <= there.total.minor).toBe(true);
        assertAddsUp(back!);
        const covers = multiplyMoney(back!.principal, termsOf(c).rate, c.to, roundings.exchange);
        expect(covers.minor >= there.receive.minor).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });

  it("takes at most what the markups say off the middle rate, to 12 digits", () => {
    fc.assert(
      fc.property(cases, (c) => {
        const { rate: at } = termsOf(c);
        const { tenant, agent, ceiling, bonus } = c.markups;
        const isExchange = c.from !== c.to;
        const remaining = isExchange
          ? 10_000n - BigInt(Math.max(0, tenant + Math.min(agent, ceiling) - bonus))
          : 10_000n;
        const scaled = ({ digits, scale }: { digits: bigint; scale: number }) => digits * 10n ** BigInt(30 - scale);
        const exact = (scaled(c.rate) * remaining) / 10_000n;
        expect(scaled(at) <= exact).toBe(true);
        expect((exact - scaled(at)) * 10n ** 11n <= exact).toBe(true);
        expect(at.digits.toString().replace(/0+$/, "").length <= 12).toBe(true);
      }),
      settings,
    );
  });
});
