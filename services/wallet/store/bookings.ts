import type { StoredCredit } from "../domain/credit.js";
import type { Deposit } from "../domain/deposit.js";
import type { HeldArrival } from "../domain/held.js";
import type { Movement } from "../domain/movement.js";
import type { PayableItem } from "../domain/payable.js";
import type { Payment } from "../domain/payment.js";
import type { TopUp } from "../domain/top-up.js";

export const bookingKinds = ["payment", "deposit", "movement", "top-up", "credit", "held", "withdrawal"] as const;
export type BookingKind = (typeof bookingKinds)[number];

/** One document of its kind. */
export interface BookingRow {
  readonly id: string;
  readonly state: "DONE" | "PENDING" | "FAILED";
  readonly payment?: Payment;
  readonly deposit?: Deposit;
  readonly movement?: Movement;
  readonly topUp?: TopUp;
  readonly credit?: StoredCredit;
  readonly held?: HeldArrival;
  readonly withdrawal?: PayableItem;
}

/** States as they are stored → whether the ledger must have it. */
export function bookingState(status: string): BookingRow["state"] {
  if (status === "FAILED") return "FAILED";
  return ["PENDING", "TAKEN", "SENDING"].includes(status) ? "PENDING" : "DONE";
}
