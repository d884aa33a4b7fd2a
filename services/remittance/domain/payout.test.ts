import { money } from "../../shared/money.js";
import { Refusal } from "../../shared/refusal.js";
import { hear } from "./payout-report.js";
import * as payouts from "./payout.js";
import type { PartnerPayout, Payout, Step } from "./payout.js";
import { changed, type Transaction, type TransactionStatus } from "./transaction.js";

const now = new Date("2026-11-21T10:00:00Z");
const receive = money(160_000_00n, "NGN");

function transaction(status: TransactionStatus, payout: Partial<Payout> = {}, part: Partial<Transaction> = {}) {
  const price = { principal: money(100_00n, "USD"), total: money(102_69n, "USD"), receive, rate: "1600" };
  return {
    transactionId: "t",
    version: 5,
    status,
    deliveryMethod: "ACCOUNTPAYMENT",
    processingMode: "REAL_TIME",
    price,
    paidAt: now,
    payout: { interactionId: "i-1", ...payout },
    releasedPayments: [],
    timeline: [],
    compliance: { decision: "APPROVED" },
    ...part,
  } as unknown as Transaction;
}

const said = (status: PartnerPayout["status"], part: Partial<PartnerPayout> = {}): PartnerPayout => ({
  status,
  reason: "",
  amount: receive,
  ...(status === "RETURNED" && { kept: money(0n, "NGN") }),
  ...part,
});
const after = (before: Transaction, step: Step) => changed(before, step.change, { at: now, actor: "test" });
/** State after the partner's word; what it asks for where it asks for something; undefined where nothing is new. */
function heard(before: Transaction, word: PartnerPayout): string | undefined {
  const result = hear(before, word, now);
  if (result.kind === "NOTHING") return undefined;
  if (result.kind === "SETTLE") return "SETTLE";
  const { status, payout } = after(before, result.step);
  return status === "CANCELLING" ? `CANCELLING ${payout?.outcome ?? ""}`.trim() : status;
}
const statuses = ["ACCEPTED", "PAID", "REFUSED", "RECALLED", "RETURNED"] as const;
const table = (before: Transaction) =>
  statuses.map((status) => {
    try {
      return heard(before, said(status));
    } catch (error) {
      return error instanceof Refusal ? error.code : error;
    }
  });

describe("the partner's word", () => {
  const settled = { outcome: "PAID", settledAt: now } as const;
  const conflict = "STATE_CONFLICT";
  test.each<[string, Transaction, (string | undefined)[]]>([
    ["PROCESSING", transaction("PROCESSING"), ["PROCESSING", "SETTLE", "FAILED", "FAILED", "SETTLE"]],
    ["READY_FOR_PICKUP", transaction("READY_FOR_PICKUP"), ["READY_FOR_PICKUP", "SETTLE", "FAILED", "FAILED", "SETTLE"]],
    [
      "PROCESSING of cash",
      transaction("PROCESSING", {}, { deliveryMethod: "CASH_PICKUP" }),
      ["READY_FOR_PICKUP", "SETTLE", "FAILED", "FAILED", "SETTLE"],
    ],
    [
      "CANCELLING",
      transaction("CANCELLING"),
      ["CANCELLING", "SETTLE", "CANCELLING REFUSED", "CANCELLING RECALLED", "SETTLE"],
    ],
    [
      "CANCELLING, recalled",
      transaction("CANCELLING", { outcome: "RECALLED" }),
      [conflict, conflict, conflict, undefined, conflict],
    ],
    ["CANCELLING, never sent", transaction("CANCELLING", { outcome: "NOT_SENT" }), statuses.map(() => conflict)],
    ["COMPLETED", transaction("COMPLETED", settled), [conflict, undefined, conflict, conflict, "RETURNED"]],
    ["FAILED", transaction("FAILED", { outcome: "REFUSED" }), [conflict, conflict, undefined, conflict, conflict]],
    [
      "REFUNDED after a return",
      transaction("REFUNDED", { ...settled, outcome: "RETURNED" }),
      [conflict, conflict, conflict, conflict, undefined],
    ],
    ["EXPIRED", transaction("EXPIRED"), statuses.map(() => undefined)],
  ])("in %s", (_name, before, expected) => {
    expect(table(before)).toEqual(expected);
  });

  test("with another amount parks", () => {
    const word = said("PAID", { amount: money(1n, "NGN") });
    expect(() => hear(transaction("PROCESSING"), word, now)).toThrow(/another amount/);
    expect(() => hear(transaction("PROCESSING"), said("PAID", { amount: money(160_000_00n, "USD") }), now)).toThrow(
      Refusal,
    );
  });
});

describe("an end", () => {
  test("is one: what is settled is not refunded, what is refunded is not settled", () => {
    const word = said("PAID");
    for (const outcome of ["REFUSED", "RECALLED", "NOT_SENT"] as const) {
      expect(payouts.settle(transaction("CANCELLING", { outcome }), word, now)).toBeUndefined();
    }
    for (const status of ["FAILED", "REFUNDED", "RETURNED", "COMPLETED", "PAID"] as const) {
      expect(payouts.settle(transaction(status), word, now)).toBeUndefined();
    }
    const settledAt = now;
    for (const [status, payout] of [
      ["COMPLETED", { outcome: "PAID", settledAt }],
      ["PROCESSING", {}],
      ["CANCELLING", {}],
      ["FAILED", {}],
      ["FAILED", { outcome: "REFUSED", settledAt }],
      ["RETURNED", { outcome: "RETURNED" }],
      ["REFUNDED", { outcome: "REFUSED" }],
    ] as const) {
      expect(() => payouts.refundTerms(transaction(status, payout))).toThrow(/cannot be refunded/);
    }
  });

  test("a settled cancellation says why", () => {
    const before = transaction("CANCELLING");
    const step = payouts.settle(before, said("PAID"), now)!;
    expect(after(before, step).timeline.at(-1)).toMatchObject({
      status: "COMPLETED",
      reason: "paid out before it could be recalled",
    });
    expect(step.drive).toBe("NONE");
    expect(payouts.settle(before, said("RETURNED"), now)!.drive).toEqual({ at: now });
  });
});

describe("cancel", () => {
  test.each<[TransactionStatus, string]>([
    ["AWAITING_COMPLIANCE", "CANCELLED"],
    ["AWAITING_PAYMENT", "CANCELLED"],
    ["PAID", "CANCELLING NOT_SENT"],
    ["PROCESSING", "CANCELLING"],
    ["READY_FOR_PICKUP", "CANCELLING"],
  ])("%s becomes %s", (status, expected) => {
    const before = transaction(status);
    const now30 = new Date(now.getTime() + payouts.cancellableForMs);
    const { status: to, payout } = after(before, payouts.cancel(before, "why", now30)!);
    expect([to, payout?.outcome].filter(Boolean).join(" ")).toBe(expected);
  });

  test.each<TransactionStatus>(["PAYING", "COMPLETED", "FAILED", "RETURNED", "REFUNDED", "EXPIRED", "REJECTED"])(
    "refuses %s",
    (status) => {
      expect(() => payouts.cancel(transaction(status), "why", now)).toThrow(Refusal);
    },
  );

  test("refuses what is still being created, and more than 30 minutes after the payment", () => {
    const { compliance: _decision, ...creating } = transaction("AWAITING_COMPLIANCE");
    expect(() => payouts.cancel(creating, "why", now)).toThrow(/being created/);
    const late = new Date(now.getTime() + payouts.cancellableForMs + 1);
    expect(() => payouts.cancel(transaction("PROCESSING"), "why", late)).toThrow(/30 minutes/);
  });

  test("asked again changes nothing", () => {
    expect(payouts.cancel(transaction("CANCELLING"), "why", now)).toBeUndefined();
    expect(payouts.cancel(transaction("CANCELLED"), "why", now)).toBeUndefined();
  });
});

describe("what is done next", () => {
  const soon = new Date(now.getTime() + 1_000);
  test.each<[string, Transaction, payouts.Action]>([
    ["at once", transaction("PAID"), { do: "START" }],
    ["a window", transaction("PAID", {}, { processingMode: "NONE_AGGREGATION" }), { do: "FIND_WINDOW" }],
    [
      "before the window",
      transaction("PAID", { windowAt: soon }, { processingMode: "NONE_AGGREGATION" }),
      { do: "WAIT", until: soon },
    ],
    ["in the window", transaction("PAID", { windowAt: now }, { processingMode: "NONE_AGGREGATION" }), { do: "START" }],
    ["a batch", transaction("PAID", {}, { processingMode: "AGGREGATION" }), { do: "JOIN_BATCH" }],
    ["in a batch", transaction("PAID", { batchId: "b" }, { processingMode: "AGGREGATION" }), { do: "NOTHING" }],
    ["with the partner", transaction("PROCESSING"), { do: "ASK" }],
    ["completed and hinted", transaction("COMPLETED"), { do: "ASK" }],
    ["cancelling", transaction("CANCELLING"), { do: "RECALL" }],
    ["recalled", transaction("CANCELLING", { outcome: "RECALLED" }), { do: "REFUND" }],
    ["failed", transaction("FAILED"), { do: "REFUND" }],
    ["returned", transaction("RETURNED"), { do: "REFUND" }],
    ["refunded", transaction("REFUNDED"), { do: "NOTHING" }],
    ["awaiting payment", transaction("AWAITING_PAYMENT"), { do: "NOTHING" }],
  ])("%s", (_name, before, action) => {
    expect(payouts.nextAction(before, now)).toEqual(action);
  });

  test("a payout is asked for after half its age, from 1 s to 15 min", () => {
    const pause = (ageMs: number) => {
      const at = payouts.askAgainAt(transaction("PROCESSING", { sentAt: new Date(now.getTime() - ageMs) }), now);
      return at.getTime() - now.getTime();
    };
    expect([0, 1_000, 10_000, 600_000, 86_400_000].map(pause)).toEqual([1_000, 1_000, 5_000, 300_000, 900_000]);
  });

  test("a hint is taken where something new can come of it", () => {
    const taken = (status: TransactionStatus) =>
      statuses.filter((word) => payouts.hint(transaction(status), word, now) !== undefined);
    expect(taken("PROCESSING")).toEqual(["PAID", "REFUSED", "RECALLED", "RETURNED"]);
    expect(taken("COMPLETED")).toEqual(["RETURNED"]);
    expect(taken("CANCELLING")).toEqual(["RETURNED"]);
    for (const status of ["PAID", "REFUNDED", "AWAITING_PAYMENT"] as const) expect(taken(status)).toEqual([]);
  });
});
