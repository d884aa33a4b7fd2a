import { Refusal } from "../../kernel/refusal.js";
import { afterStep, paidAt, paidTransaction } from "../../../test/support/transactions.js";
import { cancel, cancellableForMs } from "./cancellation.js";
import type { TransactionStatus } from "./transaction.js";

describe("cancel", () => {
  test.each<[TransactionStatus, string]>([
    ["AWAITING_COMPLIANCE", "CANCELLED"],
    ["AWAITING_PAYMENT", "CANCELLED"],
    ["PAID", "CANCELLING NOT_SENT"],
    ["PROCESSING", "CANCELLING"],
    ["READY_FOR_PICKUP", "CANCELLING"],
  ])("%s becomes %s", (status, expected) => {
    const before = paidTransaction(status);
    const atTheEnd = new Date(paidAt.getTime() + cancellableForMs);
    const { status: to, payout } = afterStep(before, cancel(before, "why", atTheEnd)!);
    expect([to, payout?.outcome].filter(Boolean).join(" ")).toBe(expected);
  });

  test.each<TransactionStatus>(["PAYING", "COMPLETED", "FAILED", "RETURNED", "REFUNDED", "EXPIRED", "REJECTED"])(
    "refuses %s",
    (status) => {
      expect(() => cancel(paidTransaction(status), "why", paidAt)).toThrow(Refusal);
    },
  );

  test("refuses what is still being created, and more than 30 minutes after the payment", () => {
    const { compliance: _decision, ...creating } = paidTransaction("AWAITING_COMPLIANCE");
    expect(() => cancel(creating, "why", paidAt)).toThrow(/being created/);
    const late = new Date(paidAt.getTime() + cancellableForMs + 1);
    expect(() => cancel(paidTransaction("PROCESSING"), "why", late)).toThrow(/30 minutes/);
  });

  test("asked again changes nothing", () => {
    expect(cancel(paidTransaction("CANCELLING"), "why", paidAt)).toBeUndefined();
    expect(cancel(paidTransaction("CANCELLED"), "why", paidAt)).toBeUndefined();
  });
});
