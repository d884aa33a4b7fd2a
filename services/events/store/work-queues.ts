import type { Connection } from "mongoose";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import { countWork, type WorkQueue } from "../../platform/work-queues/work-queues.js";
import type { Endpoint } from "../domain/endpoint.js";
import { collections } from "./collections.js";
import type { Lane } from "./lanes.js";

/**
 * Webhook endpoints that get nothing. A tenant has at most 50, which its part of an index names.
 */
export function createWorkQueueStore(db: Connection) {
  const endpoints = recordCollection<Pick<Endpoint, "status" | "changedAt">>(db, collections.endpoints);
  const lanes = recordCollection<Lane>(db, collections.lanes);
  return {
    forTenant: (tenantId: string) => ({
      countWork: (): Promise<WorkQueue>[] => [
        countWork(endpoints.forTenant(tenantId), "WEBHOOK_ENDPOINTS_DISABLED", {
          filter: { status: "DISABLED" },
          oldest: { sort: { changedAt: 1 }, at: ({ changedAt }) => changedAt },
        }),
        countWork(lanes.forTenant(tenantId), "WEBHOOK_ENDPOINTS_FAILING", {
          filter: { isActive: true, failingSince: { $exists: true } },
          oldest: { sort: { failingSince: 1 }, at: ({ failingSince }) => failingSince },
        }),
      ],
    }),
  };
}
