import type { Connection } from "mongoose";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import { countWork, type WorkQueue } from "../../platform/work-queues/work-queues.js";
import type { StoredCredit } from "../domain/credit.js";
import type { HeldArrival } from "../domain/held-arrival.js";
import { collections } from "./collections.js";

/** Money that arrived and waits for somebody's word. */
export function createWorkQueueStore(db: Connection) {
  const credits = recordCollection<StoredCredit>(db, collections.credits);
  const held = recordCollection<HeldArrival>(db, collections.held);
  return {
    forTenant: (tenantId: string) => ({
      countWork: (): Promise<WorkQueue>[] => [
        countWork(credits.forTenant(tenantId), "CREDITS_UNMATCHED", {
          filter: { status: "UNMATCHED" },
          oldest: { sort: { receivedAt: 1 }, at: ({ receivedAt }) => receivedAt },
        }),
        countWork(held.forTenant(tenantId), "ARRIVALS_HELD", {
          filter: { status: "HELD" },
          oldest: { sort: { heldAt: 1 }, at: ({ heldAt }) => heldAt },
        }),
      ],
    }),
  };
}
