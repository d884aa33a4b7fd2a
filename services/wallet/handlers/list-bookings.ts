import type { Booking, ListBookingsRequest, ListBookingsResponse } from "../../../proto/gen/wallet/v1/bookings.js";
import type { WirePartial } from "../../shared/grpc/definition.js";
import type { Call } from "../../shared/grpc/context.js";
import { moneyToWire } from "../../shared/money.js";
import { invalidInput } from "../../shared/refusal.js";
import { transferOfCredit } from "../domain/credit.js";
import { transferOfHeld, transferOfReleased } from "../domain/held.js";
import { transferOfDeposit, type PlannedTransfer } from "../domain/transfers.js";
import { transferOfTopUp } from "../domain/top-up.js";
import { transfersOfWithdrawal } from "../domain/withdrawal.js";
import { bookingKinds, type BookingKind, type BookingRow } from "../store/bookings.js";
import type { WalletDeps } from "./deps.js";

const pageSize = 500;

/** All that this service has booked or wants to, for an operator who compares it with the ledger. Kind after kind, by id. */
export function listBookings({ store }: Pick<WalletDeps, "store">) {
  return async ({ cursor }: ListBookingsRequest, call: Call): Promise<ListBookingsResponse> => {
    const [named = bookingKinds[0], after = ""] = cursor === "" ? [] : cursor.split(/ (.*)/s);
    const kind = bookingKinds.find((one) => one === named);
    if (kind === undefined) throw invalidInput("cursor", "is not one of ours");
    const rows = await store.forTenant(call.tenantId).bookingPage(kind, after, pageSize);
    const last = rows.at(-1);
    const following = bookingKinds[bookingKinds.indexOf(kind) + 1];
    const isFull = rows.length === pageSize && last !== undefined;
    const nextCursor = isFull ? `${kind} ${last.id}` : following === undefined ? "" : `${following} `;
    return { bookings: rows.map((row) => bookingOf(kind, row) as Booking), nextCursor };
  };
}

function bookingOf(kind: BookingKind, row: BookingRow): WirePartial<Booking> {
  const { id, state } = row;
  const base = { kind, id, state, keyPrefix: "", transactionId: "", total: undefined };
  if (row.payment !== undefined && row.payment.plan === undefined) {
    const { payableType, payableId, total } = row.payment;
    const transactionId = payableType === "TRANSACTION" ? payableId : "";
    return { ...base, transfers: [], keyPrefix: `payment:${id}:`, total: moneyToWire(total), transactionId };
  }
  return { ...base, transfers: transfersOf(row).map(({ key, amount }) => ({ key, amount: moneyToWire(amount) })) };
}

function transfersOf(row: BookingRow): readonly PlannedTransfer[] {
  if (row.payment?.plan !== undefined) return row.payment.plan.transfers;
  if (row.deposit !== undefined) return [transferOfDeposit(row.deposit)];
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
