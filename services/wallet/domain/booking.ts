import { transfersOfAgentPayment, type PaidSettlement } from "./agent-payment.js";
import { transferOfCredit, type StoredCredit } from "./credit.js";
import { transferOfHeld, transferOfReleased, type HeldArrival } from "./held-arrival.js";
import type { Movement } from "./movement.js";
import type { PayableItem } from "./payable.js";
import type { Payment } from "./payment.js";
import { transfersOfCommission } from "./sale-commission.js";
import { transferOfTopUp, type TopUp } from "./top-up.js";
import type { PlannedTransfer } from "./transfers.js";
import { transfersOfWithdrawal } from "./withdrawal.js";

export const bookingKinds = [
  "payment",
  "deposit",
  "movement",
  "top-up",
  "credit",
  "held",
  "withdrawal",
  "commission",
  "agent-settlement",
] as const;

export type BookingKind = (typeof bookingKinds)[number];

/** One document of its kind. */
export interface BookingRow {
  /** As keys of its transfers name it. */
  readonly id: string;
  /** Where the next page begins; the id where absent. */
  readonly cursor?: string;
  readonly state: "DONE" | "PENDING" | "FAILED";
  readonly payment?: Payment;
  readonly movement?: Movement;
  readonly topUp?: TopUp;
  readonly credit?: StoredCredit;
  readonly held?: HeldArrival;
  readonly withdrawal?: PayableItem;
  /** A sale whose commission was booked. */
  readonly earning?: Payment;
  readonly agentPayment?: PaidSettlement;
}

/** States as they are stored → whether the ledger must have it. */
export function bookingState(status: string): BookingRow["state"] {
  if (status === "FAILED") return "FAILED";
  return ["PENDING", "TAKEN", "SENDING"].includes(status) ? "PENDING" : "DONE";
}

/** Every transfer that the ledger has for it, or must get. */
export function transfersOfBooking(row: BookingRow): readonly PlannedTransfer[] {
  if (row.earning !== undefined) return transfersOfCommission(row.earning);
  if (row.agentPayment !== undefined) return transfersOfAgentPayment(row.agentPayment).transfers;
  if (row.payment?.plan !== undefined) return row.payment.plan.transfers;
  if (row.movement !== undefined) return row.movement.transfers;
  if (row.topUp !== undefined) return [transferOfTopUp(row.topUp)];
  if (row.credit !== undefined) {
    const { accountId, ...rest } = row.credit;
    // One that staff has assigned was in suspense before.
    const wasMatched = rest.status === "BOOKED" && accountId !== undefined;
    return [transferOfCredit(wasMatched ? row.credit : rest)];
  }
  if (row.held !== undefined) {
    const { status } = row.held;
    return status === "HELD" ? [transferOfHeld(row.held)] : [transferOfHeld(row.held), transferOfReleased(row.held)];
  }
  if (row.withdrawal === undefined) return [];
  const { status } = row.withdrawal;
  if (status === "SENT") return transfersOfWithdrawal(row.withdrawal, "", "SETTLED");
  if (status === "REFUSED") return transfersOfWithdrawal(row.withdrawal, "", "REFUSED");
  const [settled, returned] = ["SETTLED", "RETURNED"] as const;
  return [
    ...transfersOfWithdrawal(row.withdrawal, "", settled),
    ...transfersOfWithdrawal(row.withdrawal, "", returned),
  ];
}
