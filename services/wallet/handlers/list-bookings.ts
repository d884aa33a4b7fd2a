import type { Booking, ListBookingsRequest, ListBookingsResponse } from "../../../proto/gen/wallet/v1/bookings.js";
import type { Call } from "../../kernel/grpc/context.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import { moneyToWire } from "../../kernel/money.js";
import { invalidInput } from "../../kernel/refusal.js";
import { bookingKinds, transfersOfBooking, type BookingKind, type BookingRow } from "../domain/booking.js";
import type { WalletDeps } from "./deps.js";

const pageSize = 500;

/**
 * Lists all that the wallet has booked or is about to, for comparing it with the ledger: kind by
 * kind, by id.
 */
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
  return {
    ...base,
    transfers: transfersOfBooking(row).map(({ key, amount }) => ({ key, amount: moneyToWire(amount) })),
  };
}
