import { bookingState, type BookingKind, type BookingRow } from "../domain/booking.js";
import type { Payment } from "../domain/payment.js";
import type { Collection } from "./collections.js";
import type { CreditRow } from "./credits.js";
import { heldOf, type HeldRow } from "./held-arrivals.js";
import type { MovementRow } from "./movements.js";
import type { PayableRow } from "./payables.js";
import { paymentOf, type PaymentRow } from "./payments.js";
import type { TopUpRow } from "./top-ups.js";

interface OfTenants<Row extends { tenantId: string }> {
  forTenant(tenantId: string): Collection<Row>;
}

interface Booked {
  payments: OfTenants<PaymentRow>;
  movements: OfTenants<MovementRow>;
  topUps: OfTenants<TopUpRow>;
  credits: OfTenants<CreditRow>;
  held: OfTenants<HeldRow>;
  payables: OfTenants<PayableRow>;
}

const sentToBank = { $in: ["SENDING", "SENT", "REFUSED", "RETURNED"] as const };

/** Documents of a kind whose money the ledger has or must get, by id. */
export async function bookingPage(
  of: Booked,
  tenantId: string,
  { kind, after, limit }: { kind: BookingKind; after: string; limit: number },
): Promise<BookingRow[]> {
  const byId = { _id: { $gt: after } };
  const page = { sort: { _id: 1 as const }, limit };
  switch (kind) {
    case "payment": {
      const rows = await of.payments.forTenant(tenantId).find(byId as never, page);
      return rows.map((row) => ({ ...stateOf(row), payment: paymentOf(row) as Payment }));
    }
    case "deposit":
    case "movement": {
      const fit = { kind: kind === "deposit" ? "DEPOSIT" : { $ne: "DEPOSIT" } };
      const rows = await of.movements.forTenant(tenantId).find({ ...byId, ...fit } as never, page);
      return rows.map(({ _id, ...row }) => ({ ...stateOf({ _id, ...row }), movement: { movementId: _id, ...row } }));
    }
    case "top-up": {
      const rows = await of.topUps.forTenant(tenantId).find(byId as never, page);
      return rows.map(({ _id, ...row }) => ({ ...stateOf({ _id, ...row }), topUp: { topUpId: _id, ...row } }));
    }
    case "credit": {
      const byCreditId = { sort: { creditId: 1 as const }, limit };
      const rows = await of.credits.forTenant(tenantId).find({ creditId: { $gt: after } }, byCreditId);
      return rows.map((row) => ({ id: row.creditId, state: bookingState(row.status), credit: row }));
    }
    case "held": {
      const byHeldId = { sort: { heldId: 1 as const }, limit };
      const rows = await of.held.forTenant(tenantId).find({ heldId: { $gt: after } }, byHeldId);
      return rows.map((row) => ({ id: row.heldId, state: "DONE" as const, held: heldOf(row) }));
    }
    case "withdrawal": {
      const filter = { ...byId, type: "WITHDRAWAL", status: sentToBank };
      const rows = await of.payables.forTenant(tenantId).find(filter as never, page);
      return rows.map(({ _id, ...row }) => ({ ...stateOf({ _id, ...row }), withdrawal: { payableId: _id, ...row } }));
    }
  }
}

function stateOf({ _id: id, status }: { _id: string; status: string }): Pick<BookingRow, "id" | "state"> {
  return { id, state: bookingState(status) };
}
