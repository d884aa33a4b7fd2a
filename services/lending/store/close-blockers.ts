import type { Connection } from "mongoose";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import { countBlocker, type CountBlockers } from "../../platform/closing/close-blockers.js";
import { collections } from "./collections.js";
import type { Credit } from "../domain/credit.js";

/** Credits for loans that have matched nothing for thirty days. */
export function countLendingBlockers(db: Connection): CountBlockers {
  const credits = recordCollection<Credit>(db, collections.credits);
  return async ({ tenantId }, { oldBefore }) => [
    await countBlocker(credits.forTenant(tenantId), "SUSPENSE_OLD", {
      filter: { state: "SUSPENSE", receivedAt: { $lt: oldBefore } },
      sort: { receivedAt: 1 },
      at: ({ receivedAt }) => receivedAt,
    }),
  ];
}
