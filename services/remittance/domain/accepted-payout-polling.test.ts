import { paidAt, paidTransaction, reports } from "../../../test/support/transactions.js";
import { nextPollAt, hint } from "./accepted-payout-polling.js";
import type { TransactionStatus } from "./transaction.js";

describe("the partner is asked again", () => {
  test("a payout is asked for after half its age, from 1 s to 15 min", () => {
    const pause = (ageMs: number) => {
      const at = nextPollAt(paidTransaction("PROCESSING", { sentAt: new Date(paidAt.getTime() - ageMs) }), paidAt);
      return at.getTime() - paidAt.getTime();
    };
    expect([0, 1_000, 10_000, 600_000, 86_400_000].map(pause)).toEqual([1_000, 1_000, 5_000, 300_000, 900_000]);
  });

  test("a hint is taken where something new can come of it", () => {
    const taken = (status: TransactionStatus) =>
      reports.filter((one) => hint(paidTransaction(status), one, paidAt) !== undefined);
    expect(taken("PROCESSING")).toEqual(["PAID", "REFUSED", "RECALLED", "RETURNED"]);
    expect(taken("COMPLETED")).toEqual(["RETURNED"]);
    expect(taken("CANCELLING")).toEqual(["RETURNED"]);
    for (const status of ["PAID", "REFUNDED", "AWAITING_PAYMENT"] as const) expect(taken(status)).toEqual([]);
  });
});
