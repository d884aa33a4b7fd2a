import type { Connection } from "mongoose";
import { countWork, type WorkQueue } from "../../platform/work-queues/work-queues.js";
import { visibleTo } from "../domain/approvals.js";
import { filterOf } from "./approvals.js";
import { openCollections, type StoredApproval } from "./collections.js";

type Reader = Parameters<typeof visibleTo>[0];

/** Approvals that wait, as whoever reads has them. */
export function createWorkQueueStore(db: Connection) {
  const { approvals } = openCollections(db);
  const oldest = { sort: { _id: 1 }, at: ({ askedAt }: StoredApproval) => askedAt } as const;
  return {
    forTenant: (tenantId: string) => ({
      countWork(reader: Reader): Promise<WorkQueue>[] {
        const own = approvals.forTenant(tenantId);
        const pending = { ...visibleTo(reader), status: "PENDING" as const };
        const toDecide = { ...pending, notAskedBy: reader.userId };
        return [
          countWork(own, "APPROVALS_PENDING", { filter: filterOf(pending), oldest }),
          countWork(own, "APPROVALS_TO_DECIDE", { filter: filterOf(toDecide), oldest }),
          countWork(own, "REFUNDS_TO_DECIDE", { filter: filterOf({ ...toDecide, kind: "REFUND" }), oldest }),
        ];
      },
    }),
  };
}
