import type { Connection } from "mongoose";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import type { ReadSuspense } from "../../platform/reports/suspense.js";
import type { StoredCredit } from "../domain/credit.js";
import { collections } from "./collections.js";

/** Credits of a tenant that nobody has known. */
export function readWalletSuspense(db: Connection): ReadSuspense {
  const credits = recordCollection<StoredCredit>(db, collections.credits);
  return async function* (tenantId, from, until) {
    const filter = { status: "UNMATCHED", receivedAt: { $gte: from, $lt: until } } as const;
    const options = { hint: "unmatched_by_age", projection: { _id: 0, receivedAt: 1, amount: 1 } };
    for await (const { receivedAt, amount } of credits.forTenant(tenantId).stream(filter, options)) {
      yield { receivedAt, ...amount };
    }
  };
}
