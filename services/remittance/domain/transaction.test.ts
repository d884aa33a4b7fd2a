import fc from "fast-check";
import { Refusal } from "../../shared/refusal.js";
import {
  afterCompliance,
  changed,
  claim,
  dueOf,
  expire,
  markPaid,
  payableForMs,
  rejectionOf,
  release,
  type Change,
  type ComplianceOutcome,
  type Transaction,
} from "./transaction.js";

const usd = (minor: bigint) => ({ minor, currency: "USD" });
const start = new Date("2026-05-01T12:00:00Z");
const later = (ms: number) => new Date(start.getTime() + ms);
const approved: ComplianceOutcome = {
  decision: "APPROVED",
  reasonCode: "",
  message: "",
  outstandingRequirements: [],
  policyVersion: 1,
};
const fresh: Transaction = {
  transactionId: "t1",
  transactionCode: "MN0000000000",
  version: 1,
  status: "AWAITING_COMPLIANCE",
  deliveryMethod: "ACCOUNTPAYMENT",
  processingMode: "REAL_TIME",
  price: {
    principal: usd(100_00n),
    fees: [],
    totalFees: usd(2_00n),
    totalTaxes: usd(15n),
    total: usd(102_15n),
    receive: { minor: 1n, currency: "NGN" },
    rate: "1",
    inclusive: false,
  },
  rateId: "r1",
  corridorVersion: 1,
  sender: { customerId: "c1", customerCode: "C-1", name: "Ada", country: "USA" },
  recipient: { customerId: "c1", customerCode: "B-1", name: "Ngozi", country: "NGA" },
  beneficiaryId: "b1",
  creditParty: [],
  creditPartySource: "BENEFICIARY",
  transferInformation: { originCountry: "USA", receivingCountry: "NGA", remittancePurpose: "", sourceOfFunds: "" },
  descriptionText: "",
  ipAddress: "",
  releasedPayments: [],
  interactionId: "i-1",
  createdAt: start,
  createdBy: "u1",
  timeline: [{ status: "AWAITING_COMPLIANCE", at: start, actor: "u1", reason: "" }],
  request: { caller: "u1", key: "k1", fingerprint: "f" },
};
const step = (transaction: Transaction, change: Change | undefined, at = start) =>
  change === undefined ? transaction : changed(transaction, change, { at, actor: "somebody" });
const payable = step(fresh, afterCompliance(approved, start));
const ask = (paymentId: string, part: object = {}) => ({ paymentId, customerId: "c1", total: usd(102_15n), ...part });
const paying = step(payable, claim(payable, ask("p1"), start));
const paid = step(paying, markPaid(paying, "p1", start, "i-1"));

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
  return "nothing refused";
}

describe("afterCompliance", () => {
  it("makes an approved transaction payable for half an hour", () => {
    expect(payable).toMatchObject({ status: "AWAITING_PAYMENT", version: 2, expiresAt: later(payableForMs) });
    expect(payable.timeline.at(-1)).toEqual({ status: "AWAITING_PAYMENT", at: start, actor: "somebody", reason: "" });
  });

  it("keeps one waiting that needs a person or documents, without a word in the timeline", () => {
    for (const decision of ["REVIEW", "PENDING"] as const) {
      const waiting = step(fresh, afterCompliance({ ...approved, decision }, start));
      expect(waiting).toMatchObject({ status: "AWAITING_COMPLIANCE", version: 2, compliance: { decision } });
      expect(waiting.timeline).toHaveLength(1);
      expect(codeOf(() => claim(waiting, ask("p1"), start))).toBe("TRANSACTION_NOT_PAYABLE");
    }
  });

  it("ends a rejected one", () => {
    const rejected = {
      ...approved,
      decision: "REJECTED" as const,
      reasonCode: "RULE_REJECTED",
      message: "secret rule",
    };
    const ended = step(fresh, afterCompliance(rejected, start));
    expect(ended).toMatchObject({ status: "REJECTED", timeline: [{}, { reason: "RULE_REJECTED" }] });
    expect(codeOf(() => claim(ended, ask("p1"), start))).toBe("TRANSACTION_NOT_PAYABLE");
    expect(rejectionOf(rejected)).toMatchObject({
      code: "COMPLIANCE_REJECTED",
      message: "compliance refuses this transaction",
    });
  });
});

describe("claim", () => {
  it("gives the transaction to one payment, again and again", () => {
    expect(paying).toMatchObject({ status: "PAYING", paymentId: "p1", version: 3 });
    expect(claim(paying, ask("p1"), start)).toBeUndefined();
    expect(claim(paid, ask("p1"), start)).toBeUndefined();
    expect(codeOf(() => claim(paying, ask("p2"), start))).toBe("TRANSACTION_NOT_PAYABLE");
    expect(codeOf(() => claim(paid, ask("p2"), start))).toBe("PAYABLE_ALREADY_PAID");
  });

  it("refuses another payer, another total, another currency", () => {
    expect(codeOf(() => claim(payable, ask("p1", { customerId: "c2" }), start))).toBe("PAYER_NOT_SENDER");
    for (const minor of [102_14n, 102_16n]) {
      expect(codeOf(() => claim(payable, ask("p1", { total: usd(minor) }), start))).toBe("AMOUNT_MISMATCH");
    }
    const naira = { minor: 102_15n, currency: "NGN" };
    expect(codeOf(() => claim(payable, ask("p1", { total: naira }), start))).toBe("CURRENCY_MISMATCH");
  });

  it("refuses from the very moment it expires, swept or not, and never lets a claim expire", () => {
    expect(claim(payable, ask("p1"), later(payableForMs - 1))).toBeDefined();
    expect(codeOf(() => claim(payable, ask("p1"), later(payableForMs)))).toBe("TRANSACTION_EXPIRED");
    expect(expire(payable, later(payableForMs - 1))).toBeUndefined();
    const expired = step(payable, expire(payable, later(payableForMs)));
    expect(expired.status).toBe("EXPIRED");
    expect(codeOf(() => claim(expired, ask("p1"), start))).toBe("TRANSACTION_EXPIRED");
    for (const held of [paying, paid, fresh]) expect(expire(held, later(10 * payableForMs))).toBeUndefined();
  });

  it("never goes to a payment that gave it back, even where its claim arrives after that", () => {
    const released = step(paying, release(paying, "p1", "no funds"));
    expect(released).toMatchObject({ status: "AWAITING_PAYMENT", releasedPayments: ["p1"], timeline: { length: 4 } });
    expect(codeOf(() => claim(released, ask("p1"), start))).toBe("TRANSACTION_NOT_PAYABLE");
    const neverClaimed = step(payable, release(payable, "p1", "no funds"));
    expect(neverClaimed).toMatchObject({ status: "AWAITING_PAYMENT", timeline: { length: 2 } });
    expect(codeOf(() => claim(neverClaimed, ask("p1"), start))).toBe("TRANSACTION_NOT_PAYABLE");
    expect(claim(released, ask("p2"), start)).toBeDefined();
  });
});

describe("release and markPaid", () => {
  it("release once, and leave another payment's claim alone", () => {
    const released = step(paying, release(paying, "p1", ""));
    expect(release(released, "p1", "")).toBeUndefined();
    const other = step(paying, release(paying, "p2", ""));
    expect(other).toMatchObject({ status: "PAYING", paymentId: "p1", releasedPayments: ["p2"] });
    expect(codeOf(() => release(paid, "p1", ""))).toBe("STATE_CONFLICT");
  });

  it("pay once, and only by who holds the claim", () => {
    expect(paid).toMatchObject({ status: "PAID", paidAt: start, paymentId: "p1" });
    expect(markPaid(paid, "p1", start, "i-1")).toBeUndefined();
    for (const transaction of [fresh, payable, paying, paid]) {
      expect(codeOf(() => markPaid(transaction, "p2", start, "i-1"))).toBe("STATE_CONFLICT");
    }
    const released = step(paying, release(paying, "p1", ""));
    expect(codeOf(() => markPaid(released, "p1", start, "i-1"))).toBe("STATE_CONFLICT");
  });
});

describe("dueOf", () => {
  it("gives the parts, and throws rather than let parts that do not add up be paid", () => {
    expect(dueOf(fresh)).toEqual({ principal: usd(100_00n), totalFees: usd(2_00n), totalTaxes: usd(15n) });
    expect(() => dueOf({ ...fresh, price: { ...fresh.price, total: usd(1n) } })).toThrow("add up");
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
            if (act === "claim") now = step(now, claim(now, ask(payment), at), at);
            else if (act === "release") now = step(now, release(now, payment, ""), at);
            else if (act === "pay") now = step(now, markPaid(now, payment, at, "i-1"), at);
            else now = step(now, expire(now, at), at);
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
