import { money } from "../../kernel/money.js";
import { afterStep, paidAt, paidTransaction, report } from "../../../test/support/transactions.js";
import { nextAction } from "./next-action.js";
import { requestOutcome, decideOutcome, decidedReport, recordRequest } from "./payout-decision.js";
import { applyReport } from "./payout-report.js";
import type { RequestedOutcome, Payout } from "./payout.js";
import { requestPayoutRefund, decideRefund } from "./refund.js";
import type { Transaction, TransactionStatus } from "./transaction.js";

const requested: RequestedOutcome = {
  outcomeId: "o-1",
  outcome: "REFUSED",
  reason: "the bank says so",
  askedBy: "manager-1",
  askedAt: paidAt,
};
const unclear = { said: "refused a copy of it, AM05", since: paidAt };
const settled = { outcome: "PAID", settledAt: paidAt } as const;
const waiting = (status: TransactionStatus = "PROCESSING", payout: Partial<Payout> = {}) =>
  paidTransaction(status, { unclear, ...payout });
const approved = { approved: true, decidedBy: "manager-2", approvalId: "a-1" };

function decided(before: Transaction, outcome: RequestedOutcome["outcome"], part: Partial<RequestedOutcome> = {}) {
  const open = afterStep(before, requestOutcome(before, { ...requested, outcome, ...part }, paidAt));
  const step = decideOutcome(open, "o-1", approved, paidAt)!;
  return { after: afterStep(open, step), drive: step.drive };
}

test.each<[string, Transaction, Partial<RequestedOutcome>, RegExp]>([
  ["nothing is unclear", paidTransaction("PROCESSING"), {}, /nothing of this payout/],
  ["another word waits", waiting("PROCESSING", { unclear: { ...unclear, asked: requested } }), {}, /second person/],
  ["more was kept than was paid", waiting(), { outcome: "RETURNED", kept: money(160_000_01n, "NGN") }, /kept/],
  ["something was kept of what was refused", waiting(), { kept: money(1n, "NGN") }, /kept/],
])("nobody may say how it ended where %s", (_name, before, part, expected) => {
  expect(() => requestOutcome(before, { ...requested, outcomeId: "o-2", ...part }, paidAt)).toThrow(expected);
});

test("what never reached identity gives its place up after ten minutes, what did does not", () => {
  const later = new Date(paidAt.getTime() + 10 * 60_000);
  const open = waiting("PROCESSING", { unclear: { ...unclear, asked: requested } });
  expect(
    requestOutcome(open, { ...requested, outcomeId: "o-2" }, later).change.set?.payout?.unclear?.asked?.outcomeId,
  ).toBe("o-2");
  const noted = afterStep(open, recordRequest(open, "o-1", "a-1")!);
  expect(() => requestOutcome(noted, { ...requested, outcomeId: "o-2" }, later)).toThrow(/second person/);
});

test("a refused word leaves the question open, and one that was overtaken does nothing", () => {
  const open = waiting("PROCESSING", { unclear: { ...unclear, asked: requested } });
  const after = afterStep(open, decideOutcome(open, "o-1", { ...approved, approved: false }, paidAt)!);
  expect(after.payout?.unclear).toEqual(unclear);
  expect(decideOutcome(after, "o-1", approved, paidAt)).toBeUndefined();
  expect(decideOutcome(paidTransaction("COMPLETED", settled), "o-1", approved, paidAt)).toBeUndefined();
});

test.each<[TransactionStatus, "ACCEPTED" | "PAID", Partial<Payout>]>([
  ["PROCESSING", "ACCEPTED", {}],
  ["COMPLETED", "PAID", settled],
])("other words of the bank about what is %s leave the question where it waits", (status, word, payout) => {
  const asking = afterStep(waiting(status, payout), requestOutcome(waiting(status, payout), requested, paidAt));
  const open = afterStep(asking, recordRequest(asking, "o-1", "a-1")!);
  const unclear = "booked a debit of 1.00 NGN";
  const step = applyReport(open, report(word, { unclear }), new Date(paidAt.getTime() + 1));
  if (step.kind !== "STEP") throw new Error("nothing was noted");
  const after = afterStep(open, step.step);
  expect(after.payout?.unclear).toEqual({ said: unclear, since: paidAt, asked: { ...requested, approvalId: "a-1" } });
  expect(decideOutcome(after, "o-1", approved, paidAt)).toBeDefined();
});

test.each<[TransactionStatus, RequestedOutcome["outcome"], Partial<Payout>, string]>([
  ["PROCESSING", "PAID", {}, "PAID"],
  ["PROCESSING", "REFUSED", {}, "REFUSED"],
  ["PROCESSING", "RETURNED", {}, "RETURNED"],
  ["CANCELLING", "PAID", {}, "PAID"],
  ["CANCELLING", "REFUSED", {}, "REFUSED"],
  ["COMPLETED", "REFUSED", settled, "RETURNED"],
  ["COMPLETED", "RETURNED", settled, "RETURNED"],
])("%s that is %s by two persons goes on as if its partner had said so", (status, outcome, payout, expected) => {
  const { after, drive } = decided(waiting(status, payout), outcome);
  expect(drive).toEqual({ at: paidAt });
  expect(after.payout?.unclear).toBeUndefined();
  const action = nextAction(after, paidAt);
  expect(action).toMatchObject({ do: "CONCLUDE", report: { status: expected, reason: requested.reason } });
  if (action.do === "CONCLUDE") expect(applyReport(after, action.report, paidAt).kind).not.toBe("NOTHING");
});

test("what was completed and is PAID is only clear again, and what the partner said before is no news", () => {
  const { after, drive } = decided(waiting("COMPLETED", settled), "PAID");
  expect(drive).toBe("KEEP");
  expect(decidedReport(after)).toBeUndefined();
  for (const status of ["ACCEPTED", "PAID"] as const) {
    expect(applyReport(after, report(status, { unclear: unclear.said }), paidAt)).toEqual({ kind: "NOTHING" });
  }
  const step = applyReport(after, report("PAID", { unclear: "booked a debit of 1.00 NGN" }), paidAt);
  expect(step.kind).toBe("STEP");
});

describe("money goes back by one of two ways", () => {
  const isBack = { ...requested, outcome: "RETURNED" } as const;
  const request = { refundId: "r-1", reason: "goodwill", askedBy: "manager-1", amount: money(1_00n, "USD") };
  const completed = waiting("COMPLETED", settled);
  const asking = afterStep(completed, requestOutcome(completed, isBack, paidAt));
  const withRefund = (before: Transaction) => {
    const { refunds } = requestPayoutRefund(before, request, paidAt);
    return afterStep(before, { change: { set: { refunds } }, drive: "KEEP" });
  };

  test("a payout whose refund was approved while it was asked about stays unclear, for another word", () => {
    const both = afterStep(withRefund(completed), requestOutcome(completed, isBack, paidAt));
    const refunded = { ...both, refunds: both.refunds!.map((one) => ({ ...one, status: "APPROVED" as const })) };
    const step = decideOutcome(refunded, "o-1", approved, paidAt)!;
    expect(step.drive).toBe("KEEP");
    const after = afterStep(refunded, step);
    expect(after.payout).toMatchObject({ outcome: "PAID", unclear });
    expect([after.payout?.decided, after.payout?.unclear?.asked]).toEqual([undefined, undefined]);
    const last = afterStep(after, requestOutcome(after, { ...requested, outcome: "PAID" }, paidAt));
    expect(afterStep(last, decideOutcome(last, "o-1", approved, paidAt)!).payout?.unclear).toBeUndefined();
  });

  test("a refund is asked for a hundred times, refused ones included", () => {
    const refusedOne = { ...request, status: "REFUSED" as const, askedAt: paidAt };
    const often = (times: number) => ({
      ...completed,
      refunds: Array.from({ length: times }, (_, at) => ({ ...refusedOne, refundId: `r-0-${at}` })),
    });
    expect(requestPayoutRefund(often(99), request, paidAt).refunds).toHaveLength(100);
    const code = "REFUND_LIMIT_REACHED";
    expect(() => requestPayoutRefund(often(100), request, paidAt)).toThrow(expect.objectContaining({ code }));
  });

  test("no refund is asked for or approved while two persons say whether it came back", () => {
    expect(() => requestPayoutRefund(asking, request, paidAt)).toThrow(/came back/);
    expect(() => requestPayoutRefund(decided(completed, "RETURNED").after, request, paidAt)).toThrow(/came back/);
    const both = afterStep(withRefund(completed), requestOutcome(completed, isBack, paidAt));
    const step = decideRefund(both, "r-1", approved, paidAt)!;
    expect(step.events).toBeUndefined();
    expect(afterStep(both, step).refunds).toMatchObject([{ status: "REFUSED" }]);
  });

  test("that it was paid leaves refunds as they are", () => {
    const paid = afterStep(completed, requestOutcome(completed, { ...requested, outcome: "PAID" }, paidAt));
    const step = decideRefund(withRefund(paid), "r-1", approved, paidAt)!;
    expect(step.events).toEqual(["REFUND_APPROVED"]);
  });
});
