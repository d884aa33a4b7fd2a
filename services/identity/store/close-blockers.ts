import type { Connection } from "mongoose";
import type { ApprovalKind } from "../../platform/approvals/approvals.js";
import { countBlocker, type CountBlockers } from "../../platform/closing/close-blockers.js";
import { openCollections } from "./collections.js";

// What moves money, or says how much of it there is, once it is approved.
const ofMoney: readonly ApprovalKind[] = [
  "REPAYMENT_VERIFICATION",
  "REFUND",
  "DISBURSEMENT",
  "WRITE_OFF",
  "REVERSAL",
  "CASH_IN",
  "TILL_CLOSING",
  "CASH_ORDER",
  "VAULT_MOVEMENT",
  "AGENT_FLOAT",
  "PAYOUT_OUTCOME",
  "AMENDMENT",
  "SETTLEMENT",
  "JOURNAL",
];

/**
 * Approvals of money that were asked for until the day's end, as the tenant has days, and that
 * nobody has decided.
 */
export function countIdentityBlockers(db: Connection): CountBlockers {
  const { approvals, tenants } = openCollections(db);
  return async ({ tenantId }, { throughDate }) => {
    const tenant = await tenants.forTenant(tenantId).findOne({ _id: tenantId });
    const next = Temporal.PlainDate.from(throughDate).add({ days: 1 });
    const endsMs = next.toZonedDateTime(tenant?.preference.timeZone ?? "UTC").epochMilliseconds;
    // A sandbox's business clock is ahead of the one that requests are stamped by.
    const endsAt = new Date(endsMs - (tenant?.businessAheadMs ?? 0));
    return [
      await countBlocker(approvals.forTenant(tenantId), "APPROVALS_OPEN", {
        filter: { status: "PENDING", kind: { $in: [...ofMoney] }, askedAt: { $lt: endsAt } },
        sort: { _id: 1 },
        at: ({ askedAt }) => askedAt,
        index: "status",
      }),
    ];
  };
}
