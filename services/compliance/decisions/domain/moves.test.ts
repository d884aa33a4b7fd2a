import {
  incomingMoves,
  moveKinds,
  outgoingMoves,
  answerOnMove,
  decisionOnMove,
  type CustomerStatus,
  type MoveKind,
  type MoveDecision,
} from "./moves.js";

const expected: Record<MoveKind, [PENDING: MoveDecision, CONFIRMED: MoveDecision, BLOCKED: MoveDecision]> = {
  PAYMENT: ["REFUSE", "PASS", "REFUSE"],
  TRANSACTION: ["REFUSE", "PASS", "REFUSE"],
  WITHDRAWAL: ["REFUSE", "PASS", "REFUSE"],
  HOLD: ["REFUSE", "PASS", "REFUSE"],
  HOLD_CONFIRMATION: ["REFUSE", "PASS", "REFUSE"],
  EXCHANGE: ["REFUSE", "PASS", "REFUSE"],
  CASH_OUT: ["REFUSE", "PASS", "REFUSE"],
  REFUND_GIVEN: ["REFUSE", "PASS", "REFUSE"],
  LOAN_REPAYMENT: ["REFUSE", "PASS", "REFUSE"],
  LOAN_PAYOFF: ["REFUSE", "PASS", "REFUSE"],
  INVESTMENT: ["WAIT", "PASS", "REFUSE"],
  LOAN_APPLICATION: ["WAIT", "PASS", "REFUSE"],
  CASH_IN: ["REFUSE", "PASS", "HOLD"],
  TOP_UP: ["REFUSE", "PASS", "REFUSE"],
  PAYMENT_RECEIVED: ["HOLD", "PASS", "HOLD"],
  BANK_CREDIT_RECEIVED: ["HOLD", "PASS", "HOLD"],
  REFUND_RECEIVED: ["PASS", "PASS", "HOLD"],
  TRANSFER_RECEIVED: ["HOLD", "PASS", "HOLD"],
  LOAN_DISBURSEMENT: ["REFUSE", "PASS", "REFUSE"],
  INVESTMENT_RETURN: ["PASS", "PASS", "HOLD"],
};
const statuses: CustomerStatus[] = ["PENDING", "CONFIRMED", "BLOCKED"];

describe("what a status lets a kind of move do", () => {
  const cells = moveKinds.flatMap((kind) =>
    statuses.map((status, at) => [kind, status, expected[kind][at as 0 | 1 | 2]] as const),
  );
  test.each(cells)("%s of who is %s: %s", (kind, status, decision) => {
    expect(decisionOnMove(kind, status)).toBe(decision);
  });

  test("nothing leaves who is blocked, and nothing reaches them", () => {
    expect(new Set(outgoingMoves.map((kind) => decisionOnMove(kind, "BLOCKED")))).toEqual(new Set(["REFUSE"]));
    expect(incomingMoves.filter((kind) => decisionOnMove(kind, "BLOCKED") === "PASS")).toEqual([]);
  });

  test("nothing leaves who is not confirmed", () => {
    expect(outgoingMoves.filter((kind) => decisionOnMove(kind, "PENDING") === "PASS")).toEqual([]);
  });
});

describe("what a hit of the customer lets a kind of move do", () => {
  const refusedAnyway: MoveKind[] = ["TOP_UP", "LOAN_DISBURSEMENT"];
  const isRefused = (kind: MoveKind) => outgoingMoves.some((one) => one === kind) || refusedAnyway.includes(kind);
  test.each(moveKinds.map((kind) => [kind, isRefused(kind) ? "REFUSE" : "HOLD"] as const))(
    "%s of who is confirmed: %s",
    (kind, decision) => {
      const reasonCode = decision === "REFUSE" ? "COMPLIANCE_REJECTED" : "";
      expect(answerOnMove(kind, "CONFIRMED", true)).toEqual({ decision, reasonCode });
      expect(answerOnMove(kind, "CONFIRMED", false)).toEqual({ decision: "PASS", reasonCode: "" });
    },
  );

  test("nobody who is not confirmed, or is blocked, gets on by it or hears of it", () => {
    for (const kind of moveKinds) {
      expect(answerOnMove(kind, "BLOCKED", true)).toEqual(answerOnMove(kind, "BLOCKED", false));
      const pending = answerOnMove(kind, "PENDING", true);
      expect(pending.decision).toBe(isRefused(kind) || kind === "CASH_IN" ? "REFUSE" : "HOLD");
      expect(pending.reasonCode).toBe(pending.decision === "REFUSE" ? "CUSTOMER_NOT_CONFIRMED" : "");
    }
  });
});
