import type { Connection } from "mongoose";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import { countWork, type WorkQueue } from "../../platform/work-queues/work-queues.js";
import type { Application } from "../domain/application.js";
import type { Repayment } from "../domain/repayment.js";
import { collections } from "./collections.js";
import type { Credit } from "../domain/credit.js";

/** What of loans waits for people. */
export function createWorkQueueStore(db: Connection) {
  const applications = recordCollection<Application>(db, collections.applications);
  const repayments = recordCollection<Repayment>(db, collections.repayments);
  const credits = recordCollection<Credit>(db, collections.credits);
  return {
    forTenant: (tenantId: string) => ({
      countWork: (): Promise<WorkQueue>[] => [
        countWork(repayments.forTenant(tenantId), "REPAYMENTS_TO_VERIFY", {
          filter: { status: "PENDING_VERIFICATION" },
          oldest: { sort: { _id: 1 }, at: ({ createdAt }) => createdAt },
        }),
        countWork(applications.forTenant(tenantId), "LOAN_APPLICATIONS_TO_DECIDE", {
          filter: { status: "SUBMITTED" },
          oldest: { sort: { _id: 1 }, at: ({ createdAt }) => createdAt },
        }),
        countWork(credits.forTenant(tenantId), "LOAN_CREDITS_IN_SUSPENSE", {
          filter: { state: "SUSPENSE" },
          oldest: { sort: { receivedAt: 1 }, at: ({ receivedAt }) => receivedAt },
        }),
      ],
    }),
  };
}
