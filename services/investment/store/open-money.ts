import type { Connection } from "mongoose";
import { tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import type { CountOpenMoney } from "../../platform/erasure/open-money.js";
import { collections, type ApplicationRow, type HoldingRow } from "./collections.js";

/** Holdings that are paid for and not paid out, and purchases that are not decided. */
export function countOpenHoldings(db: Connection): CountOpenMoney {
  const holdings = tenantCollection<HoldingRow>(db, collections.holdings);
  const applications = tenantCollection<ApplicationRow>(db, collections.applications);
  return async (customerId, { tenantId }) => ({
    holdings: await holdings.forTenant(tenantId).count({ customerId, status: "ACTIVE" }),
    purchases: await applications.forTenant(tenantId).count({ customerId, status: { $in: ["PENDING", "WAITING"] } }),
  });
}
