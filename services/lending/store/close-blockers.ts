import type { Connection } from "mongoose";
import { tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import { countBlocker, type CountBlockers } from "../../platform/closing/close-blockers.js";
import { collections } from "./collections.js";
import type { CreditRow } from "./credits.js";

/** Credits for loans that have matched nothing for thirty days. */
export function countLendingBlockers(db: Connection): CountBlockers {
  const credits = tenantCollection<CreditRow>(db, collections.credits);
  return async ({ tenantId }, { oldBefore }) => [
    await countBlocker(credits.forTenant(tenantId), "SUSPENSE_OLD", {
      filter: { state: "SUSPENSE", receivedAt: { $lt: oldBefore } },
      sort: { receivedAt: 1 },
      at: ({ receivedAt }) => receivedAt,
    }),
  ];
}
