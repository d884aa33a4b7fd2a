import { Refusal } from "../../kernel/refusal.js";
import { afterChange, approved, created, createdAt } from "../../../test/support/transactions.js";
import { afterCompliance, rejectionOf } from "./compliance-outcome.js";
import { claim } from "./payment-claim.js";
import { payableForMs } from "./payment-window.js";

const payable = afterChange(created, afterCompliance(approved, createdAt));
const ask = { paymentId: "p1", customerId: "c1", total: created.price.total, accountNumber: "" };

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
    expect(payable).toMatchObject({
      status: "AWAITING_PAYMENT",
      version: 2,
      expiresAt: new Date(createdAt.getTime() + payableForMs),
    });
    expect(payable.timeline.at(-1)).toEqual({
      status: "AWAITING_PAYMENT",
      at: createdAt,
      actor: "somebody",
      reason: "",
    });
  });

  it("keeps one waiting that needs a person or documents, without a word in the timeline", () => {
    for (const decision of ["REVIEW", "PENDING"] as const) {
      const waiting = afterChange(created, afterCompliance({ ...approved, decision }, createdAt));
      expect(waiting).toMatchObject({ status: "AWAITING_COMPLIANCE", version: 2, compliance: { decision } });
      expect(waiting.timeline).toHaveLength(1);
      expect(codeOf(() => claim(waiting, ask, createdAt))).toBe("TRANSACTION_NOT_PAYABLE");
    }
  });

  it("ends a rejected one", () => {
    const rejected = {
      ...approved,
      decision: "REJECTED" as const,
      reasonCode: "RULE_REJECTED",
      message: "secret rule",
    };
    const ended = afterChange(created, afterCompliance(rejected, createdAt));
    expect(ended).toMatchObject({ status: "REJECTED", timeline: [{}, { reason: "RULE_REJECTED" }] });
    expect(codeOf(() => claim(ended, ask, createdAt))).toBe("TRANSACTION_NOT_PAYABLE");
    expect(rejectionOf(rejected)).toMatchObject({
      code: "COMPLIANCE_REJECTED",
      message: "compliance refuses this transaction",
    });
  });
});
