import type { Connection } from "mongoose";
import { tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import type { ApprovalKind } from "../../platform/approvals/approvals.js";
import { countBlocker, type CountBlockers } from "../../platform/closing/close-blockers.js";
import type { StoredApproval } from "./collections.js";

// What moves money, or says how much of it there is, once it is approved.
const ofMoney: readonly ApprovalKind[] = [
  "REPAYMENT_VERIFICATION",
  "REFUND",
  "DISBURSEMENT",
  "WRITE_OFF",
  "REVERSAL",
  "CASH_IN",
  "PAYOUT_OUTCOME",
  "AMENDMENT",
  "SETTLEMENT",
  "JOURNAL",
];

/** Approvals of money that were asked for until the day's end and that nobody has decided. */
export function countIdentityBlockers(db: Connection): CountBlockers {
  const approvals = tenantCollection<StoredApproval>(db, "approvals");
  return async ({ tenantId }, { endsAt }) => [
    await countBlocker(approvals.forTenant(tenantId), "APPROVALS_OPEN", {
      filter: { status: "PENDING", kind: { $in: [...ofMoney] }, askedAt: { $lt: endsAt } },
      sort: { _id: 1 },
      at: ({ askedAt }) => askedAt,
      index: "status",
    }),
  ];
}
