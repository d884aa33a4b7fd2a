import fc from "fast-check";
import { parseDecimal, formatDecimal } from "../../services/kernel/decimal.js";
import { minorDigits } from "../../services/kernel/codes/currencies.js";
import { formatMoney, money, parseSignedMoney, type Money } from "../../services/kernel/money.js";
import { Refusal } from "../../services/kernel/refusal.js";
import { disclosureProfiles, shownRate } from "../../services/remittance/domain/disclosure.js";
import { exampleTransaction } from "../../services/remittance/domain/disclosure-example.js";
import { disclosureOf } from "../../services/remittance/domain/disclosure-lines.js";
import { shippedTemplate } from "../../services/remittance/domain/disclosure-template.js";
import { nobody, priceOn } from "../../services/remittance/domain/offers.js";
import { dueOf } from "../../services/remittance/domain/payment-claim.js";
import { settlementTransfers } from "../../services/remittance/domain/payout-transfers.js";
import type { Promotion } from "../../services/remittance/domain/promotion.js";
import { writtenIn } from "../../services/remittance/handlers/disclosures.js";
import { created } from "../support/transactions.js";

const minor = (min: bigint, max: bigint) => fc.bigInt({ min, max });
const bps = (max: number) => fc.integer({ min: 0, max });
const currency = fc.constantFrom("JPY", "UGX", "USD", "NGN", "KWD", "BHD");
const cases = fc.record({
  from: currency,
  to: currency,
  rate: fc
    .tuple(minor(1n, 10n ** 12n - 1n), fc.integer({ min: 0, max: 12 }))
    .map(([digits, scale]) => parseDecimal(formatDecimal({ digits, scale }))),
  fees: fc.array(fc.record({ fixedMinor: minor(0n, 5_000n), rateBps: bps(1_000), taxBps: bps(3_000) }), {
    maxLength: 4,
  }),
  others: fc.array(minor(0n, 5_000n), { maxLength: 3 }),
  amount: minor(1n, 10n ** 10n),
  bySend: fc.boolean(),
  inclusive: fc.boolean(),
  promotion: fc.option(fc.record({ feeDiscountBps: bps(10_000), rateBonusBps: bps(200) }), { nil: undefined }),
  markup: bps(500),
  profile: fc.constantFrom(...disclosureProfiles),
});
type Case = typeof cases extends fc.Arbitrary<infer C> ? C : never;

/** What is offered; undefined where it is refused. */
function offered(c: Case) {
  const { from, to } = c;
  const corridor = {
    originCountry: "USA",
    sendCurrency: from,
    receivingCountry: "NGA",
    receivingCurrency: to,
    deliveryMethods: ["ACCOUNTPAYMENT" as const],
    minimumMinor: 0n,
    maximumMinor: 10n ** 15n,
    fees: c.fees.map((fee, at) => ({ name: `Fee ${at}`, deliveryMethods: [], ...fee })),
    otherFees: c.others.map((amountMinor, at) => ({ name: `Other ${at}`, amountMinor, deliveryMethods: [] })),
    enabled: true,
    version: 1,
  };
  const pair = { sendCurrency: from, receivingCurrency: to };
  const markups = [{ owner: "TENANT", ...pair, rateBps: c.markup, feeBps: 0 }];
  const promotion = c.promotion && ({ code: "P", ...c.promotion } as unknown as Promotion);
  const asked = c.bySend
    ? { sendAmount: formatMoney(money(c.amount, from)), amount: "" }
    : { sendAmount: "", amount: formatMoney(money(c.amount, to)) };
  const question = { ...asked, deliveryMethod: "ACCOUNTPAYMENT" as const, inclusive: c.inclusive };
  try {
    const basis = { corridor, middle: c.rate, rateId: "r", markups, ...(promotion && { promotion }) };
    return priceOn(basis, question, nobody);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** What a line in English says, to the minor unit. */
function said(value: string): Money {
  const [number = "", code = ""] = value.split(" ");
  return parseSignedMoney(number.replaceAll(",", ""), code);
}

test("each line adds up, and says what the price and the ledger's transfers say, to the minor unit", () => {
  let seen = 0;
  fc.assert(
    fc.property(cases, (c) => {
      const offer = offered(c);
      if (offer === undefined) return;
      seen += 1;
      const { price, terms } = offer;
      const transaction = { ...created, price, terms };
      const template = shippedTemplate(c.profile);
      const written = writtenIn("en", "UTC");
      const issuer = { organisation: "Bank", template, written, availableOn: "2026-12-01" };
      const quote = { price, terms, expiresAt: new Date(0) };
      const [told, receipt] = [
        disclosureOf("PREPAYMENT", { quote }, issuer),
        disclosureOf("RECEIPT", { transaction: { ...transaction, paidAt: new Date(0) } }, issuer),
      ];
      expect(receipt.figures).toEqual(told.figures);
      for (const { lines, figures } of [told, receipt]) {
        const of = (name: string) => lines.filter((line) => line.name === name).map(({ value }) => said(value));
        const sum = (...names: string[]) => names.flatMap(of).reduce((all, one) => all + one.minor, 0n);
        expect(sum("transferAmount", "fees", "taxes")).toBe(sum("total"));
        expect(of("total")).toEqual([price.total]);
        expect(of("transferAmount")).toEqual([price.principal]);
        expect([sum("fees"), sum("taxes")]).toEqual([price.totalFees.minor, price.totalTaxes.minor]);
        const received = of("transferredAmount")[0] ?? price.receive;
        expect(received).toEqual(price.receive);
        expect(received.minor + sum("otherFees")).toBe(sum("totalToRecipient"));
        expect(figures.totalToRecipient).toEqual(of("totalToRecipient")[0]);
        expect(figures.totalToRecipient.minor).toBeGreaterThan(0n);
      }
      // What the payment moves, and what the payout does.
      const { principal, totalFees, totalTaxes } = dueOf(transaction);
      expect(principal.minor + totalFees.minor + totalTaxes.minor).toBe(told.figures.total.minor);
      const posted = settlementTransfers(transaction).map(({ amount }) => amount);
      expect([posted[0], posted.at(-1)]).toEqual([told.figures.transferAmount, told.figures.transferredAmount]);
    }),
    { numRuns: 1_000 },
  );
  expect(seen).toBeGreaterThan(200);
});

test("a rate is shown with two to four decimals, less than half of the last one from what it is", () => {
  fc.assert(
    fc.property(minor(1n, 10n ** 12n - 1n), fc.integer({ min: 0, max: 12 }), (digits, scale) => {
      const text = formatDecimal(parseDecimal(formatDecimal({ digits, scale })));
      const shown = shownRate(text);
      expect(shown.rate).toMatch(/^\d+\.\d{2,4}$/);
      const [exact, rounded] = [parseDecimal(text), parseDecimal(shown.rate)];
      const common = 10n ** 12n;
      const value = (one: typeof exact) => one.digits * 10n ** BigInt(12 - one.scale);
      const difference = value(exact) * BigInt(shown.units) - value(rounded);
      expect((difference < 0n ? -difference : difference) * 2n * 10_000n).toBeLessThanOrEqual(common);
      expect(shown.isRounded).toBe(difference !== 0n);
      expect(rounded.digits).toBeGreaterThan(0n);
    }),
    { numRuns: 1_000 },
  );
  expect(shownRate("1525.754321")).toEqual({ units: "1", rate: "1525.7543", isRounded: true });
  expect(shownRate("1600")).toEqual({ units: "1", rate: "1600.00", isRounded: false });
  expect(shownRate("0.00064812")).toEqual({ units: "10000", rate: "6.4812", isRounded: false });
  expect(shownRate("0.8573")).toEqual({ units: "1", rate: "0.8573", isRounded: false });
});

test.each([
  ["en", "JPY", "1,234 JPY"],
  ["de", "KWD", "1,234 KWD"],
  ["hi", "NGN", "1,52,575.43 NGN"],
])("amounts are written as %s writes them, with all decimals of %s", (language, code, text) => {
  const value = code === "JPY" ? 1_234n : code === "KWD" ? 1_234n : 152_575_43n;
  expect(minorDigits(code)).toBe(code === "JPY" ? 0 : code === "KWD" ? 3 : 2);
  expect(writtenIn(language, "UTC").amount(money(value, code))).toBe(text);
});

test("what is an example adds up as well", () => {
  const issuer = {
    organisation: "Bank",
    template: shippedTemplate("US_BSA"),
    written: writtenIn("en", "UTC"),
    availableOn: "2026-12-01",
  };
  const { lines, sections } = disclosureOf("RECEIPT", { transaction: exampleTransaction(new Date(0)) }, issuer);
  expect(lines.find(({ name }) => name === "totalToRecipient")!.value).toBe("151,075.43 NGN");
  expect(sections[0]!.texts[1]).toBe("1 USD = 1,525.754321 NGN");
});
