import type { Connection } from "mongoose";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import { countBlocker, type CountBlockers } from "../../platform/closing/close-blockers.js";
import type { StoredCredit } from "../domain/credit.js";
import { collections } from "./collections.js";

/** Credits that nobody has known for thirty days. */
export function countWalletBlockers(db: Connection): CountBlockers {
  const credits = recordCollection<StoredCredit>(db, collections.credits);
  return async ({ tenantId }, { oldBefore }) => [
    await countBlocker(credits.forTenant(tenantId), "SUSPENSE_OLD", {
      filter: { status: "UNMATCHED", receivedAt: { $lt: oldBefore } },
      sort: { receivedAt: 1 },
      at: ({ receivedAt }) => receivedAt,
    }),
  ];
}
