import type { Connection } from "mongoose";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import { countWork, type WorkQueue } from "../../platform/work-queues/work-queues.js";
import { deliveryMethods } from "../domain/corridor.js";
import type { Transaction, TransactionStatus } from "../domain/transaction.js";
import { collections } from "./collections.js";
import { heldPayouts, uncarriedPayouts, unclearPayouts } from "./transaction-lists.js";

/** Transactions that wait for people, or for a partner who may have forgotten them. */
export function createWorkQueueStore(db: Connection) {
  const transactions = recordCollection<Transaction>(db, collections.transactions);
  return {
    forTenant: (tenantId: string) => ({
      countWork(): Promise<WorkQueue>[] {
        const own = transactions.forTenant(tenantId);
        const created = {
          sort: { createdAt: 1, transactionId: 1 },
          at: ({ createdAt }: Transaction) => createdAt,
        } as const;
        // Every way is named, since it stands before the age in the index of statuses.
        const ofStatus = (status: TransactionStatus) => ({
          filter: { status, deliveryMethod: { $in: [...deliveryMethods] } },
          oldest: created,
          index: "newest_of_status",
        });
        const held = {
          filter: heldPayouts as object,
          oldest: { sort: { "payout.heldAt": 1 }, at: ({ payout }: Transaction) => payout?.heldAt },
        } as const;
        const unclear = {
          filter: unclearPayouts as object,
          oldest: { sort: { "payout.unclear.since": 1 }, at: ({ payout }: Transaction) => payout?.unclear?.since },
        } as const;
        const uncarried = {
          filter: uncarriedPayouts as object,
          oldest: {
            sort: { "payout.noCarrierSince": 1 },
            at: ({ payout }: Transaction) => payout?.noCarrierSince,
          },
        } as const;
        return [
          countWork(own, "TRANSACTIONS_AWAITING_COMPLIANCE", ofStatus("AWAITING_COMPLIANCE")),
          countWork(own, "PAYOUTS_PROCESSING", ofStatus("PROCESSING")),
          countWork(own, "PAYOUTS_HELD", held),
          countWork(own, "PAYOUTS_UNCLEAR", unclear),
          countWork(own, "PAYOUTS_WITHOUT_CARRIER", uncarried),
          countWork(own, "PAYOUTS_FAILED", ofStatus("FAILED")),
        ];
      },
    }),
  };
}
