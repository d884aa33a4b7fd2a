import { afterStep, paidAt, paidTransaction, report } from "../../../test/support/transactions.js";
import { refundTerms } from "./payout-refund.js";
import { settle } from "./payout.js";

describe("an end", () => {
  test("is one: what is settled is not refunded, what is refunded is not settled", () => {
    const paid = report("PAID");
    for (const outcome of ["REFUSED", "RECALLED", "NOT_SENT"] as const) {
      expect(settle(paidTransaction("CANCELLING", { outcome }), paid, paidAt)).toBeUndefined();
    }
    for (const status of ["FAILED", "REFUNDED", "RETURNED", "COMPLETED", "PAID"] as const) {
      expect(settle(paidTransaction(status), paid, paidAt)).toBeUndefined();
    }
    const settledAt = paidAt;
    for (const [status, payout] of [
      ["COMPLETED", { outcome: "PAID", settledAt }],
      ["PROCESSING", {}],
      ["CANCELLING", {}],
      ["FAILED", {}],
      ["FAILED", { outcome: "REFUSED", settledAt }],
      ["RETURNED", { outcome: "RETURNED" }],
      ["REFUNDED", { outcome: "REFUSED" }],
    ] as const) {
      expect(() => refundTerms(paidTransaction(status, payout))).toThrow(/cannot be refunded/);
    }
  });

  test("a settled cancellation says why", () => {
    const before = paidTransaction("CANCELLING");
    const step = settle(before, report("PAID"), paidAt)!;
    expect(afterStep(before, step).timeline.at(-1)).toMatchObject({
      status: "COMPLETED",
      reason: "paid out before it could be recalled",
    });
    expect(step.drive).toBe("NONE");
    expect(settle(before, report("RETURNED"), paidAt)!.drive).toEqual({ at: paidAt });
  });
});
