import type { Records } from "../../kernel/mongo/record-collection.js";
import type { AgentSettlement } from "../domain/agent-settlement.js";
import { bookingState, type BookingKind, type BookingRow } from "../domain/booking.js";
import type { StoredCredit } from "../domain/credit.js";
import type { HeldArrival } from "../domain/held-arrival.js";
import type { PayableItem } from "../domain/payable.js";
import { nextCommissionStep } from "../domain/sale-commission.js";
import type { StoredMovement } from "./movements.js";
import { paymentFromDocument, type StoredPayment } from "./payments.js";
import type { StoredTopUp } from "./top-ups.js";

interface Booked {
  payments: Records<StoredPayment, "paymentId">;
  movements: Records<StoredMovement, "movementId">;
  topUps: Records<StoredTopUp, "topUpId">;
  credits: Records<StoredCredit>;
  held: Records<HeldArrival>;
  payables: Records<PayableItem, "payableId">;
  agentSettlements: Records<AgentSettlement, "settlementId">;
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
      const found = await of.payments.forTenant(tenantId).find(byId as never, page);
      return found.map((one) => ({ ...stateOf(one.paymentId, one), payment: paymentFromDocument(one) }));
    }
    case "deposit":
    case "movement": {
      const fit = { kind: kind === "deposit" ? "DEPOSIT" : { $ne: "DEPOSIT" } };
      const found = await of.movements.forTenant(tenantId).find({ ...byId, ...fit } as never, page);
      return found.map((movement) => ({ ...stateOf(movement.movementId, movement), movement }));
    }
    case "top-up": {
      const found = await of.topUps.forTenant(tenantId).find(byId as never, page);
      return found.map((topUp) => ({ ...stateOf(topUp.topUpId, topUp), topUp }));
    }
    case "credit": {
      const byCreditId = { sort: { creditId: 1 as const }, limit };
      const found = await of.credits.forTenant(tenantId).find({ creditId: { $gt: after } }, byCreditId);
      return found.map((credit) => ({ ...stateOf(credit.creditId, credit), credit }));
    }
    case "held": {
      const byHeldId = { sort: { heldId: 1 as const }, limit };
      const found = await of.held.forTenant(tenantId).find({ heldId: { $gt: after } }, byHeldId);
      return found.map((held) => ({ id: held.heldId, state: "DONE" as const, held }));
    }
    case "withdrawal": {
      const filter = { ...byId, type: "WITHDRAWAL", status: sentToBank };
      const found = await of.payables.forTenant(tenantId).find(filter as never, page);
      return found.map((withdrawal) => ({ ...stateOf(withdrawal.payableId, withdrawal), withdrawal }));
    }
    case "commission": {
      const filter = { ...byId, commissionProgress: { $exists: true } };
      const found = await of.payments.forTenant(tenantId).find(filter as never, page);
      return found.map(paymentFromDocument).map((earning) => ({
        id: earning.payableId,
        cursor: earning.paymentId,
        state: nextCommissionStep(earning) === undefined ? ("DONE" as const) : ("PENDING" as const),
        earning,
      }));
    }
    case "agent-settlement": {
      const filter = { ...byId, status: { $in: ["PAYING", "PAID"] } };
      const found = await of.agentSettlements.forTenant(tenantId).find(filter as never, page);
      return found.flatMap(({ payment, ...settlement }) => {
        if (payment === undefined) return [];
        const state = settlement.status === "PAID" ? ("DONE" as const) : ("PENDING" as const);
        const agentPayment = { ...settlement, payment };
        return [{ id: payment.paymentId, cursor: settlement.settlementId, state, agentPayment }];
      });
    }
  }
}

function stateOf(id: string, { status }: { status: string }): Pick<BookingRow, "id" | "state"> {
  return { id, state: bookingState(status) };
}
