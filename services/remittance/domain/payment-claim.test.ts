import fc from "fast-check";
import { Refusal } from "../../kernel/refusal.js";
import { afterChange, approved, created, createdAt } from "../../../test/support/transactions.js";
import { afterCompliance } from "./compliance-outcome.js";
import { claim, dueOf, markPaid, release } from "./payment-claim.js";
import { isOverdue, notPaidInTime, payableForMs } from "./payment-window.js";
import type { Change, Transaction } from "./transaction.js";

const expire = (one: Transaction, now: Date): Change | undefined => (isOverdue(one, now) ? notPaidInTime : undefined);
const usd = (minor: bigint) => ({ minor, currency: "USD" });
const later = (ms: number) => new Date(createdAt.getTime() + ms);
const payable = afterChange(created, afterCompliance(approved, createdAt));
const ask = (paymentId: string, part: object = {}) => ({
  paymentId,
  customerId: "c1",
  total: usd(102_15n),
  accountNumber: "1000000008",
  ...part,
});
const paying = afterChange(payable, claim(payable, ask("p1"), createdAt));
const paid = afterChange(paying, markPaid(paying, "p1", createdAt, "i-1"));

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
  return "nothing refused";
}

describe("claim", () => {
  it("gives the transaction to one payment, again and again", () => {
    expect(paying).toMatchObject({ status: "PAYING", paymentId: "p1", version: 3 });
    expect(claim(paying, ask("p1"), createdAt)).toBeUndefined();
    expect(claim(paid, ask("p1"), createdAt)).toBeUndefined();
    expect(codeOf(() => claim(paying, ask("p2"), createdAt))).toBe("TRANSACTION_NOT_PAYABLE");
    expect(codeOf(() => claim(paid, ask("p2"), createdAt))).toBe("PAYABLE_ALREADY_PAID");
  });

  it("refuses another payer, another total, another currency", () => {
    expect(codeOf(() => claim(payable, ask("p1", { customerId: "c2" }), createdAt))).toBe("PAYER_NOT_SENDER");
    for (const minor of [102_14n, 102_16n]) {
      expect(codeOf(() => claim(payable, ask("p1", { total: usd(minor) }), createdAt))).toBe("AMOUNT_MISMATCH");
    }
    const naira = { minor: 102_15n, currency: "NGN" };
    expect(codeOf(() => claim(payable, ask("p1", { total: naira }), createdAt))).toBe("CURRENCY_MISMATCH");
  });

  it("refuses from the very moment it expires, swept or not, and never lets a claim expire", () => {
    expect(claim(payable, ask("p1"), later(payableForMs - 1))).toBeDefined();
    expect(codeOf(() => claim(payable, ask("p1"), later(payableForMs)))).toBe("TRANSACTION_EXPIRED");
    expect(expire(payable, later(payableForMs - 1))).toBeUndefined();
    const expired = afterChange(payable, expire(payable, later(payableForMs)));
    expect(expired.status).toBe("EXPIRED");
    expect(codeOf(() => claim(expired, ask("p1"), createdAt))).toBe("TRANSACTION_EXPIRED");
    for (const held of [paying, paid, created]) expect(expire(held, later(10 * payableForMs))).toBeUndefined();
  });

  it("never goes to a payment that gave it back, even where its claim arrives after that", () => {
    const released = afterChange(paying, release(paying, "p1", "no funds"));
    expect(released).toMatchObject({ status: "AWAITING_PAYMENT", releasedPayments: ["p1"], timeline: { length: 4 } });
    expect(codeOf(() => claim(released, ask("p1"), createdAt))).toBe("TRANSACTION_NOT_PAYABLE");
    const neverClaimed = afterChange(payable, release(payable, "p1", "no funds"));
    expect(neverClaimed).toMatchObject({ status: "AWAITING_PAYMENT", timeline: { length: 2 } });
    expect(codeOf(() => claim(neverClaimed, ask("p1"), createdAt))).toBe("TRANSACTION_NOT_PAYABLE");
    expect(claim(released, ask("p2"), createdAt)).toBeDefined();
  });
});

describe("release and markPaid", () => {
  it("release once, and leave another payment's claim alone", () => {
    const released = afterChange(paying, release(paying, "p1", ""));
    expect(release(released, "p1", "")).toBeUndefined();
    const other = afterChange(paying, release(paying, "p2", ""));
    expect(other).toMatchObject({ status: "PAYING", paymentId: "p1", releasedPayments: ["p2"] });
    expect(codeOf(() => release(paid, "p1", ""))).toBe("STATE_CONFLICT");
  });

  it("pay once, and only by who holds the claim", () => {
    expect(paid).toMatchObject({ status: "PAID", paidAt: createdAt, paymentId: "p1" });
    expect(markPaid(paid, "p1", createdAt, "i-1")).toBeUndefined();
    for (const transaction of [created, payable, paying, paid]) {
      expect(codeOf(() => markPaid(transaction, "p2", createdAt, "i-1"))).toBe("STATE_CONFLICT");
    }
    const released = afterChange(paying, release(paying, "p1", ""));
    expect(codeOf(() => markPaid(released, "p1", createdAt, "i-1"))).toBe("STATE_CONFLICT");
  });
});

describe("dueOf", () => {
  it("gives the parts, and throws rather than let parts that do not add up be paid", () => {
    expect(dueOf(created)).toEqual({ principal: usd(100_00n), totalFees: usd(2_00n), totalTaxes: usd(15n) });
    expect(() => dueOf({ ...created, price: { ...created.price, total: usd(1n) } })).toThrow("add up");
  });
});

describe("any order of claims, releases, payments and expiry", () => {
  const payments = fc.constantFrom("p1", "p2", "p3");
  const acts = fc.oneof(
    fc.record({ act: fc.constant("claim" as const), payment: payments, ms: fc.nat(2 * payableForMs) }),
    fc.record({ act: fc.constant("release" as const), payment: payments, ms: fc.nat(2 * payableForMs) }),
    fc.record({ act: fc.constant("pay" as const), payment: payments, ms: fc.nat(2 * payableForMs) }),
    fc.record({ act: fc.constant("expire" as const), payment: payments, ms: fc.nat(2 * payableForMs) }),
  );

  it("lets one payment hold it at a time, one pay for it, and nothing move it after it is paid or expired", () => {
    fc.assert(
      fc.property(fc.array(acts, { maxLength: 30 }), (history) => {
        let now = payable;
        for (const { act, payment, ms } of history) {
          const before = now;
          try {
            const at = later(ms);
            if (act === "claim") now = afterChange(now, claim(now, ask(payment), at), at);
            else if (act === "release") now = afterChange(now, release(now, payment, ""), at);
            else if (act === "pay") now = afterChange(now, markPaid(now, payment, at, "i-1"), at);
            else now = afterChange(now, expire(now, at), at);
          } catch (error) {
            if (!(error instanceof Refusal)) throw error;
          }
          if (before.status === "PAID" || before.status === "EXPIRED") expect(now.status).toBe(before.status);
          if (before.status === "PAID") expect(now.paymentId).toBe(before.paymentId);
          if (now.status === "PAYING" && before.status === "PAYING") expect(now.paymentId).toBe(before.paymentId);
          if (now.status === "PAYING" || now.status === "PAID")
            expect(now.releasedPayments).not.toContain(now.paymentId);
          if (now.status === "PAID" && before.status !== "PAID")
            expect(before).toMatchObject({ status: "PAYING", paymentId: payment });
          expect(now.version).toBe(now === before ? before.version : before.version + 1);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
