import type { Connection } from "mongoose";
import { dataKeyCollection, dataKeyIndexes } from "../../../kernel/keys/data-keys.js";
import { createIndexes } from "../../../kernel/mongo/migrations.js";
import { collections } from "../../common/store/collections.js";

/** Five years, as long as records of who was identified are kept. */
const keepSearchesS = 5 * 365 * 24 * 3_600;

/**
 * Of whom is compared with lists and what was found, with the keys that both are sealed
 * by; of plugins that fetch lists.
 */
export async function createScreeningIndexes(db: Connection): Promise<void> {
  await createIndexes(db, dataKeyCollection, [...dataKeyIndexes]);
  await createIndexes(db, collections.screeningKeys, [{ key: { tenantId: 1 }, name: "one_per_tenant", unique: true }]);
  await createIndexes(db, collections.listPlugins, [
    { key: { tenantId: 1, installationId: 1 }, name: "one_per_installation", unique: true },
    { key: { dueAt: 1 }, name: "by_due" },
  ]);
  await createIndexes(db, collections.screenings, [
    { key: { tenantId: 1, screeningId: -1 }, name: "one_per_id", unique: true },
    { key: { tenantId: 1, "subject.kind": 1, "subject.id": 1, screeningId: -1 }, name: "by_subject" },
    { key: { tenantId: 1, "subject.customerId": 1, screeningId: -1 }, name: "by_customer" },
    { key: { tenantId: 1, transactionIds: 1, screeningId: -1 }, name: "by_transaction" },
    { key: { tenantId: 1, status: 1, screeningId: -1 }, name: "by_status" },
    { key: { tenantId: 1, trigger: 1, screeningId: -1 }, name: "by_trigger" },
    {
      key: { tenantId: 1, hasOffList: 1, screeningId: -1 },
      name: "off_list",
      partialFilterExpression: { hasOffList: true },
    },
    // What officers have yet to look at: few of all screenings.
    {
      key: { tenantId: 1, hasOpenHits: 1, screeningId: 1 },
      name: "open_hits",
      partialFilterExpression: { hasOpenHits: true },
    },
    // Whom people searched for is nobody's record that an erasure would find.
    {
      key: { screenedAt: 1 },
      name: "searches_that_are_over",
      expireAfterSeconds: keepSearchesS,
      partialFilterExpression: { "subject.kind": "SEARCH" },
    },
  ]);
  await createIndexes(db, collections.screeningSubjects, [
    { key: { tenantId: 1, kind: 1, id: 1 }, name: "one_per_subject", unique: true },
    { key: { tenantId: 1, customerId: 1 }, name: "by_customer" },
    // Those that were compared with something else are found to both sides of it.
    { key: { tenantId: 1, basis: 1 }, name: "by_basis" },
    { key: { tenantId: 1, screenedAt: 1 }, name: "by_time" },
  ]);
}
