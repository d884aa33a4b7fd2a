import type { Connection } from "mongoose";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import type { ReadSuspense } from "../../platform/reports/suspense.js";
import { collections } from "./collections.js";
import type { Credit } from "../domain/credit.js";

/** Credits for loans that have matched nothing. */
export function readLendingSuspense(db: Connection): ReadSuspense {
  const credits = recordCollection<Credit>(db, collections.credits);
  return async function* (tenantId, from, until) {
    const filter = { state: "SUSPENSE", receivedAt: { $gte: from, $lt: until } } as const;
    const options = { hint: "suspense_by_age", projection: { receivedAt: 1, amountMinor: 1, currency: 1 } };
    for await (const { receivedAt, amountMinor, currency } of credits.forTenant(tenantId).stream(filter, options)) {
      yield { receivedAt, minor: amountMinor, currency };
    }
  };
}
