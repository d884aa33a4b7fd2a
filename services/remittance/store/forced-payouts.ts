import type { ClientSession, Connection } from "mongoose";
import { forcedOutcomeStore, type StoredForcedOutcome } from "../../platform/sandbox/forced-outcome-store.js";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import type { ForcedOrder } from "../domain/forced-payout.js";
import { collections } from "./collections.js";

/** How payouts of sandboxes are forced to end, and what of it was taken for which transaction. */
export function createForcedPayoutStore(db: Connection) {
  const outcomes = recordCollection<StoredForcedOutcome>(db, collections.forcedPayouts);
  const orders = recordCollection<ForcedOrder>(db, collections.forcedOrders);
  return {
    forTenant(tenantId: string) {
      const own = orders.forTenant(tenantId);
      return {
        ...forcedOutcomeStore(outcomes.forTenant(tenantId)),
        findForcedOrder: (transactionId: string, session?: ClientSession) =>
          own.findOne({ transactionId }, { session }),
        insertForcedOrder: (order: ForcedOrder, session: ClientSession) => own.insertOne(order, { session }),
      };
    },
  };
}
