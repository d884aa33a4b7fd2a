import type { Connection } from "mongoose";
import { tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import { countBlocker, type CountBlockers } from "../../platform/closing/close-blockers.js";

interface OpenSettlement {
  tenantId: string;
  status: string;
  valueAt: Date;
  askedAt: Date;
}

/** Of the ledger itself, settlements of days until then that are not posted keep books open. */
export function countLedgerBlockers(db: Connection): CountBlockers {
  const settlements = tenantCollection<OpenSettlement>(db, "settlements");
  return async ({ tenantId }, { endsAt }) => [
    await countBlocker(settlements.forTenant(tenantId), "SETTLEMENTS_OPEN", {
      filter: { status: { $in: ["PROPOSING", "PROPOSED", "APPROVED"] }, valueAt: { $lt: endsAt } },
      sort: { _id: 1 },
      at: ({ askedAt }) => askedAt,
    }),
  ];
}
