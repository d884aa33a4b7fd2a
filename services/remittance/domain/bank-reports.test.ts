import fc from "fast-check";
import type { BankStatus } from "./bank-files.js";
import { hintsOf, paidSince, payoutOfReports } from "./bank-reports.js";

type Report = Parameters<typeof payoutOfReports>[1][number];

const eur = (minor: bigint) => ({ minor, currency: "EUR" });
const amount = eur(1_000n);
const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const status = (bankStatus: BankStatus, second: number, reason = ""): Report => {
  return { kind: "STATUS", status: bankStatus, reason, readAt: at(second), line: 0 };
};
const entry = (kind: "DEBIT" | "RETURN", second: number, of = amount, reason = ""): Report => {
  return { kind, amount: of, reason, readAt: at(second), line: 0 };
};

const withoutAmount = (kind: "DEBIT" | "RETURN", second: number): Report => {
  return { kind, reason: "", readAt: at(second), line: 0 };
};

test("what the bank says nothing final of is accepted", () => {
  expect(payoutOfReports(amount, [])).toEqual({ status: "ACCEPTED", reason: "", amount });
  expect(payoutOfReports(amount, [status("ACCEPTED", 1)])).toMatchObject({ status: "ACCEPTED" });
});

test("a settled status or a booked debit pays it", () => {
  expect(payoutOfReports(amount, [status("ACCEPTED", 1), status("PAID", 2)])).toMatchObject({ status: "PAID", amount });
  expect(payoutOfReports(amount, [entry("DEBIT", 1)])).toMatchObject({ status: "PAID", amount });
});

test("a debit of another amount waits for a person; of another currency it says nothing of the amount", () => {
  expect(payoutOfReports(amount, [entry("DEBIT", 1, eur(999n))])).toMatchObject({
    status: "ACCEPTED",
    unclear: "booked a debit of 9.99 EUR, and 10.00 EUR was asked for",
  });
  expect(payoutOfReports(amount, [withoutAmount("DEBIT", 1)])).toMatchObject({
    status: "ACCEPTED",
    unclear: expect.stringContaining("not tell"),
  });
  const dollars = { minor: 1_200n, currency: "USD" };
  expect(payoutOfReports(amount, [entry("DEBIT", 1, dollars)])).toEqual({ status: "PAID", reason: "", amount });
});

test("the first end stays, whatever comes later", () => {
  const refused = [status("REFUSED", 1, "AC04"), status("ACCEPTED", 2), entry("RETURN", 4)];
  expect(payoutOfReports(amount, refused)).toEqual({ status: "REFUSED", reason: "AC04", amount });
  expect(payoutOfReports(amount, [status("PAID", 1), status("REFUSED", 2)])).toMatchObject({ status: "PAID" });
});

test.each([
  ["paid it", status("PAID", 2)],
  ["paid it", entry("DEBIT", 2)],
  ["began to pay it", status("EXECUTING", 2)],
])("a refusal ends nothing once the bank %s", (first, later) => {
  const unclear = `${first} after it had refused it`;
  const expected = { status: "ACCEPTED", reason: "", amount, unclear };
  expect(payoutOfReports(amount, [status("REFUSED", 1, "AC04"), later])).toEqual(expected);
});

test("a return says what was kept, also where nobody heard of the debit", () => {
  const back = entry("RETURN", 2, eur(950n), "AC04");
  const returned = { status: "RETURNED", reason: "AC04", amount, kept: eur(50n) };
  expect(payoutOfReports(amount, [entry("DEBIT", 1), back])).toEqual(returned);
  expect(payoutOfReports(amount, [back])).toEqual(returned);
});

test("a return of more than was paid, or in another currency, or of nobody knows what, is left to a person", () => {
  for (const back of [
    entry("RETURN", 2, eur(1_001n)),
    entry("RETURN", 2, { minor: 900n, currency: "USD" }),
    withoutAmount("RETURN", 2),
  ]) {
    const payout = payoutOfReports(amount, [entry("DEBIT", 1), back]);
    expect(payout).toMatchObject({
      status: "PAID",
      unclear: expect.stringMatching(/^booked a return of .* of 10.00 EUR$/),
    });
  }
});

const duplicate = status("DUPLICATE", 2, "AM05");
const refused = status("REFUSED", 2, "AC04");
test.each<[string, Report[], object]>([
  [
    "a refusal of a copy",
    [status("ACCEPTED", 1), duplicate],
    { status: "ACCEPTED", unclear: "refused a copy of it, AM05" },
  ],
  ["a refusal of a copy, first of all", [duplicate], { status: "ACCEPTED", unclear: "refused a copy of it, AM05" }],
  [
    "a refusal of a copy of what is paid",
    [status("PAID", 1), duplicate],
    { status: "PAID", unclear: "refused a copy of it, AM05" },
  ],
  [
    "a refusal of what is being settled",
    [status("EXECUTING", 1), refused],
    { status: "ACCEPTED", unclear: "refused it after it had begun to pay, AC04" },
  ],
  [
    "a refusal of what is paid",
    [status("PAID", 1), refused],
    { status: "PAID", unclear: "refused it after it had paid, AC04" },
  ],
])("%s ends nothing", (_name, reports, expected) => {
  expect(payoutOfReports(amount, reports)).toEqual({ reason: "", amount, ...expected });
});

test("what ends it makes clear what was not", () => {
  for (const end of [status("PAID", 3), entry("DEBIT", 3)]) {
    expect(payoutOfReports(amount, [duplicate, end])).toEqual({ status: "PAID", reason: "", amount });
    expect(payoutOfReports(amount, [status("EXECUTING", 1), refused, end])).toEqual({
      status: "PAID",
      reason: "",
      amount,
    });
  }
  expect(payoutOfReports(amount, [duplicate, status("REFUSED", 3, "AC04")])).toMatchObject({ status: "REFUSED" });
  expect(payoutOfReports(amount, [status("ACCEPTED", 1), refused])).toMatchObject({ status: "REFUSED" });
});

test("the order in which reports lie says nothing", () => {
  const some = fc.array(
    fc.oneof(
      fc.constantFrom<BankStatus>("ACCEPTED", "EXECUTING", "PAID", "REFUSED", "DUPLICATE").map((one) => status(one, 0)),
      fc.constantFrom("DEBIT", "RETURN").map((one) => entry(one as "DEBIT", 0)),
    ),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(some, (reports) => {
      const timed = reports.map((one, index) => ({ ...one, readAt: at(index) }));
      expect(payoutOfReports(amount, timed.toReversed())).toEqual(payoutOfReports(amount, timed));
    }),
  );
});

test("it is paid since the first word of it", () => {
  expect(paidSince([status("ACCEPTED", 1)])).toBeUndefined();
  expect(paidSince([entry("DEBIT", 5), status("PAID", 3)])).toEqual(at(3));
});

test("a file hints once at each payout, and at what ends nothing rather than at what pays", () => {
  const of = (reference: string, report: Report) => ({ ...report, reference });
  const hints = hintsOf([
    of("a", status("PAID", 1)),
    of("b", status("DUPLICATE", 1)),
    of("c", entry("RETURN", 1)),
    of("d", status("ACCEPTED", 1)),
    of("e", status("EXECUTING", 1)),
    of("a", status("ACCEPTED", 1)),
    of("b", status("PAID", 1)),
    of("c", entry("DEBIT", 1)),
  ]);
  const against = "paid it after it had refused it";
  expect(hints).toEqual([
    { transactionId: "a", status: "PAID", against },
    { transactionId: "b", status: "UNCLEAR", against },
    { transactionId: "c", status: "RETURNED", against },
    { transactionId: "e", status: "ACCEPTED", against: "began to pay it after it had refused it" },
  ]);
});
