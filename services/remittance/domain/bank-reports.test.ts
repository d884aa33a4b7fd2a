import fc from "fast-check";
import { paidSince, payoutOfReports } from "./bank-reports.js";

type Said = Parameters<typeof payoutOfReports>[1][number];

const eur = (minor: bigint) => ({ minor, currency: "EUR" });
const amount = eur(1_000n);
const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const status = (said: "ACCEPTED" | "PAID" | "REFUSED", second: number, reason = ""): Said => {
  return { kind: "STATUS", status: said, reason, readAt: at(second), line: 0 };
};
const entry = (kind: "DEBIT" | "RETURN", second: number, of = amount, reason = ""): Said => {
  return { kind, amount: of, reason, readAt: at(second), line: 0 };
};

test("what the bank says nothing final of is accepted", () => {
  expect(payoutOfReports(amount, [])).toEqual({ status: "ACCEPTED", reason: "", amount });
  expect(payoutOfReports(amount, [status("ACCEPTED", 1)])).toMatchObject({ status: "ACCEPTED" });
});

test("a settled status or a booked debit pays it", () => {
  expect(payoutOfReports(amount, [status("ACCEPTED", 1), status("PAID", 2)])).toMatchObject({ status: "PAID", amount });
  expect(payoutOfReports(amount, [entry("DEBIT", 1)])).toMatchObject({ status: "PAID", amount });
});

test("a debit of another amount is told as it is booked; of another currency it says nothing of the amount", () => {
  expect(payoutOfReports(amount, [entry("DEBIT", 1, eur(999n))])).toMatchObject({ status: "PAID", amount: eur(999n) });
  const dollars = { minor: 1_200n, currency: "USD" };
  expect(payoutOfReports(amount, [entry("DEBIT", 1, dollars)])).toMatchObject({ status: "PAID", amount });
});

test("the first end stays, whatever comes later", () => {
  const refused = [status("REFUSED", 1, "AC04"), status("PAID", 2), entry("DEBIT", 3), entry("RETURN", 4)];
  expect(payoutOfReports(amount, refused)).toEqual({ status: "REFUSED", reason: "AC04", amount });
  expect(payoutOfReports(amount, [status("PAID", 1), status("REFUSED", 2)])).toMatchObject({ status: "PAID" });
});

test("a return says what was kept, also where nobody heard of the debit", () => {
  const back = entry("RETURN", 2, eur(950n), "AC04");
  const returned = { status: "RETURNED", reason: "AC04", amount, kept: eur(50n) };
  expect(payoutOfReports(amount, [entry("DEBIT", 1), back])).toEqual(returned);
  expect(payoutOfReports(amount, [back])).toEqual(returned);
});

test("a return of more than was paid, or in another currency, is left to a person", () => {
  for (const back of [eur(1_001n), { minor: 900n, currency: "USD" }]) {
    expect(payoutOfReports(amount, [entry("DEBIT", 1), entry("RETURN", 2, back)])).toMatchObject({ status: "PAID" });
  }
});

test("the order in which reports lie says nothing", () => {
  const some = fc.array(
    fc.oneof(
      fc.constantFrom("ACCEPTED", "PAID", "REFUSED").map((one) => status(one as "PAID", 0)),
      fc.constantFrom("DEBIT", "RETURN").map((one) => entry(one as "DEBIT", 0)),
    ),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(some, (said) => {
      const timed = said.map((one, index) => ({ ...one, readAt: at(index) }));
      expect(payoutOfReports(amount, timed.toReversed())).toEqual(payoutOfReports(amount, timed));
    }),
  );
});

test("it is paid since the first word of it", () => {
  expect(paidSince([status("ACCEPTED", 1)])).toBeUndefined();
  expect(paidSince([entry("DEBIT", 5), status("PAID", 3)])).toEqual(at(3));
});
