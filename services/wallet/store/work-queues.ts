import type { Connection } from "mongoose";
import { tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import { countWork, type WorkQueue } from "../../platform/work-queues/work-queues.js";
import { collections } from "./collections.js";
import type { CreditRow } from "./credits.js";
import type { HeldRow } from "./held-arrivals.js";

/** Money that arrived and waits for somebody's word. */
export function createWorkQueueStore(db: Connection) {
  const credits = tenantCollection<CreditRow>(db, collections.credits);
  const held = tenantCollection<HeldRow>(db, collections.held);
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
