export type CustomerStatus = "PENDING" | "CONFIRMED" | "BLOCKED";

/** Ways on which money leaves a customer, or is to. */
export const outgoingMoves = [
  "PAYMENT",
  "TRANSACTION",
  "WITHDRAWAL",
  "HOLD",
  "HOLD_CONFIRMATION",
  "EXCHANGE",
  "CASH_OUT",
  "REFUND_GIVEN",
  "LOAN_REPAYMENT",
  "LOAN_PAYOFF",
  "INVESTMENT",
  "LOAN_APPLICATION",
] as const;

/** Ways on which money comes to a customer. */
export const incomingMoves = [
  "CASH_IN",
  "TOP_UP",
  "PAYMENT_RECEIVED",
  "BANK_CREDIT_RECEIVED",
  "REFUND_RECEIVED",
  "TRANSFER_RECEIVED",
  "LOAN_DISBURSEMENT",
  "INVESTMENT_RETURN",
] as const;

export const moveKinds = [...outgoingMoves, ...incomingMoves] as const;
export type MoveKind = (typeof moveKinds)[number];

/**
 * PASS: it goes on. REFUSE: nothing moves. HOLD: it arrives and is kept out of the customer's reach
 * until the customer may have it. WAIT: an application waits for its customer.
 */
export type MoveDecision = "PASS" | "REFUSE" | "HOLD" | "WAIT";

type Row = Readonly<Record<Exclude<CustomerStatus, "CONFIRMED">, MoveDecision>>;

const refused: Row = { PENDING: "REFUSE", BLOCKED: "REFUSE" };
const waits: Row = { PENDING: "WAIT", BLOCKED: "REFUSE" };
const held: Row = { PENDING: "HOLD", BLOCKED: "HOLD" };
// This is the customer's own money, which left them while they were confirmed.
const back: Row = { PENDING: "PASS", BLOCKED: "HOLD" };
// A customer at the desk can show who they are before they pay in; cash of a blocked one stays.
const atTheDesk: Row = { PENDING: "REFUSE", BLOCKED: "HOLD" };

/**
 * What a customer's status lets each kind of move do; CONFIRMED passes all of them unless a hit
 * stops the customer. The one table: nothing else asks the status.
 */
export const moveTable: Readonly<Record<MoveKind, Row>> = {
  PAYMENT: refused,
  TRANSACTION: refused,
  WITHDRAWAL: refused,
  HOLD: refused,
  HOLD_CONFIRMATION: refused,
  EXCHANGE: refused,
  CASH_OUT: refused,
  REFUND_GIVEN: refused,
  LOAN_REPAYMENT: refused,
  LOAN_PAYOFF: refused,
  INVESTMENT: waits,
  LOAN_APPLICATION: waits,

  CASH_IN: atTheDesk,
  // Nothing has arrived yet: the card is not charged.
  TOP_UP: refused,
  PAYMENT_RECEIVED: held,
  BANK_CREDIT_RECEIVED: held,
  REFUND_RECEIVED: back,
  TRANSFER_RECEIVED: held,
  // The tenant's own money stays with the tenant.
  LOAN_DISBURSEMENT: refused,
  INVESTMENT_RETURN: back,
};

export function decisionOnMove(kind: MoveKind, status: CustomerStatus): MoveDecision {
  return status === "CONFIRMED" ? "PASS" : moveTable[kind][status];
}

/**
 * The same of a customer of whom a hit is open or confirmed: until people have decided on it, their
 * money is moved as that of who is blocked. What their status refuses anyway stays refused, so that
 * nobody is treated better for a hit.
 */
export function decisionOnBlockedMove(kind: MoveKind, status: CustomerStatus): MoveDecision {
  const byStatus = decisionOnMove(kind, status);
  return byStatus === "REFUSE" ? byStatus : moveTable[kind].BLOCKED;
}

export type StatusReason = "" | "CUSTOMER_NOT_CONFIRMED" | "CUSTOMER_BLOCKED";

/** Why a move is refused. COMPLIANCE_REJECTED says no more than that. */
export type MoveReason = StatusReason | "COMPLIANCE_REJECTED";

export interface MoveAnswer {
  decision: MoveDecision;
  /** Of REFUSE; empty else. */
  reasonCode: MoveReason;
}

/**
 * What a move may do, and what is told where it may not: of a hit nothing
 * that a status would not say too.
 */
export function answerOnMove(kind: MoveKind, status: CustomerStatus, isStopped: boolean): MoveAnswer {
  const decision = isStopped ? decisionOnBlockedMove(kind, status) : decisionOnMove(kind, status);
  if (decision !== "REFUSE") return { decision, reasonCode: "" };
  const byStatus = reasonOf(status);
  return { decision, reasonCode: byStatus === "" ? "COMPLIANCE_REJECTED" : byStatus };
}

/** Why a status keeps a move from going on. */
export function reasonOf(status: CustomerStatus): StatusReason {
  if (status === "CONFIRMED") return "";
  return status === "BLOCKED" ? "CUSTOMER_BLOCKED" : "CUSTOMER_NOT_CONFIRMED";
}
