import { money } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import { afterStep, paidAt, paidTransaction, report, reports } from "../../../test/support/transactions.js";
import { applyReport } from "./payout-report.js";
import type { PartnerPayout } from "./payout.js";
import type { Transaction } from "./transaction.js";

/**
 * State after the partner's report; what it asks for where it asks for something; undefined where
 * nothing is new.
 */
function outcomeOf(before: Transaction, one: PartnerPayout): string | undefined {
  const result = applyReport(before, one, paidAt);
  if (result.kind === "NOTHING") return undefined;
  if (result.kind === "SETTLE") return "SETTLE";
  const { status, payout } = afterStep(before, result.step);
  return status === "CANCELLING" ? `CANCELLING ${payout?.outcome ?? ""}`.trim() : status;
}
const table = (before: Transaction) =>
  reports.map((status) => {
    try {
      return outcomeOf(before, report(status));
    } catch (error) {
      return error instanceof Refusal ? error.code : error;
    }
  });

describe("a partner's report", () => {
  const settled = { outcome: "PAID", settledAt: paidAt } as const;
  const conflict = "STATE_CONFLICT";
  test.each<[string, Transaction, (string | undefined)[]]>([
    ["PROCESSING", paidTransaction("PROCESSING"), ["PROCESSING", "SETTLE", "FAILED", "FAILED", "SETTLE"]],
    [
      "READY_FOR_PICKUP",
      paidTransaction("READY_FOR_PICKUP"),
      ["READY_FOR_PICKUP", "SETTLE", "FAILED", "FAILED", "SETTLE"],
    ],
    [
      "PROCESSING of cash",
      paidTransaction("PROCESSING", {}, { deliveryMethod: "CASH_PICKUP" }),
      ["READY_FOR_PICKUP", "SETTLE", "FAILED", "FAILED", "SETTLE"],
    ],
    [
      "CANCELLING",
      paidTransaction("CANCELLING"),
      ["CANCELLING", "SETTLE", "CANCELLING REFUSED", "CANCELLING RECALLED", "SETTLE"],
    ],
    [
      "CANCELLING, recalled",
      paidTransaction("CANCELLING", { outcome: "RECALLED" }),
      [conflict, conflict, conflict, undefined, conflict],
    ],
    ["CANCELLING, never sent", paidTransaction("CANCELLING", { outcome: "NOT_SENT" }), reports.map(() => conflict)],
    ["COMPLETED", paidTransaction("COMPLETED", settled), [conflict, undefined, conflict, conflict, "RETURNED"]],
    ["FAILED", paidTransaction("FAILED", { outcome: "REFUSED" }), [conflict, conflict, undefined, conflict, conflict]],
    [
      "REFUNDED after a return",
      paidTransaction("REFUNDED", { ...settled, outcome: "RETURNED" }),
      [conflict, conflict, conflict, conflict, undefined],
    ],
    ["EXPIRED", paidTransaction("EXPIRED"), reports.map(() => undefined)],
  ])("in %s", (_name, before, expected) => {
    expect(table(before)).toEqual(expected);
  });

  test("with another amount parks", () => {
    const other = report("PAID", { amount: money(1n, "NGN") });
    expect(() => applyReport(paidTransaction("PROCESSING"), other, paidAt)).toThrow(/another amount/);
    expect(() =>
      applyReport(paidTransaction("PROCESSING"), report("PAID", { amount: money(160_000_00n, "USD") }), paidAt),
    ).toThrow(Refusal);
    for (const status of ["REFUSED", "RECALLED"] as const) {
      const unpaid = report(status, { amount: money(1n, "NGN") });
      expect(() => applyReport(paidTransaction("PROCESSING"), unpaid, paidAt)).toThrow(/another amount/);
    }
  });

  test.each<[string, Partial<PartnerPayout>]>([
    ["kept more than was paid", { kept: money(160_000_01n, "NGN") }],
    ["kept money of another currency", { kept: money(1n, "USD") }],
  ])("that it came back, and a bank %s, waits for a person", (_name, part) => {
    const settled = { outcome: "PAID", settledAt: paidAt } as const;
    const returned = report("RETURNED", part);
    expect(applyReport(paidTransaction("PROCESSING"), returned, paidAt)).toEqual({ kind: "SETTLE" });
    const result = applyReport(paidTransaction("COMPLETED", settled), returned, paidAt);
    if (result.kind !== "STEP") throw new Error(`it is ${result.kind}`);
    const after = afterStep(paidTransaction("COMPLETED", settled), result.step);
    expect(after).toMatchObject({ status: "COMPLETED", payout: { outcome: "PAID", unclear: { since: paidAt } } });
    expect(applyReport(after, returned, paidAt)).toEqual({ kind: "NOTHING" });
    expect(outcomeOf(after, report("RETURNED"))).toBe("RETURNED");
  });

  test("that its order never came parks where the partner had said that it has it", () => {
    const never: PartnerPayout = { status: "RECALLED", reason: "" };
    expect(outcomeOf(paidTransaction("CANCELLING"), never)).toBe("CANCELLING RECALLED");
    expect(() => applyReport(paidTransaction("CANCELLING", { acceptedAt: paidAt }), never, paidAt)).toThrow(/had/);
  });
});
