import { createErasureIndexes } from "../../shared/erasure/erasure.js";
import { createIndexes, type Migration } from "../../shared/mongo/migrations.js";
import { createOutboxIndexes } from "../../shared/outbox/index.js";
import { moveGuards } from "./guards.js";
import { tellStatuses } from "./statuses.js";
import { documentCollections } from "./documents.js";
import { collections } from "./index.js";

/** Indexes and changes of compliance's database, in the order they are applied. */
export const migrations: Migration[] = [
  {
    id: "0001-indexes",
    async up(db) {
      const unique = (collection: string, key: Record<string, 1 | -1>, name: string) =>
        createIndexes(db, collection, [{ key, name, unique: true }]);
      await unique(collections.policies, { tenantId: 1, version: -1 }, "one_per_version");
      await unique(collections.statuses, { tenantId: 1, customerId: 1 }, "one_per_customer");
      await unique(collections.statusChanges, { tenantId: 1, customerId: 1, sequence: 1 }, "one_per_sequence");
      await unique("limit_guards", { tenantId: 1, customerId: 1, currency: 1, day: 1 }, "one_per_day");
      await unique(collections.decisions, { tenantId: 1, transactionId: 1 }, "one_per_transaction");
    },
  },
  {
    id: "0002-rules-over-days-requirements-documents",
    async up(db) {
      const unique = (collection: string, key: Record<string, 1 | -1>, name: string) =>
        createIndexes(db, collection, [{ key, name, unique: true }]);
      await unique(collections.drafts, { tenantId: 1 }, "one_per_tenant");
      await unique(collections.days, { tenantId: 1, customerId: 1, day: 1 }, "one_per_day");
      await unique(collections.recipients, { tenantId: 1, customerId: 1, recipient: 1 }, "one_per_recipient");
      await unique(collections.scores, { tenantId: 1, customerId: 1, sequence: -1 }, "one_per_sequence");
      await unique(collections.verifications, { tenantId: 1, verificationId: 1 }, "one_per_id");
      await unique(collections.overrides, { tenantId: 1, overrideId: -1 }, "one_per_id");
      await unique(collections.overrides, { tenantId: 1, requestedBy: 1, key: 1 }, "one_per_key");
      await unique(collections.audit, { tenantId: 1, entryId: -1 }, "one_per_id");
      await createIndexes(db, collections.audit, [
        { key: { tenantId: 1, subject: 1, entryId: -1 }, name: "by_subject" },
      ]);
      await createIndexes(db, collections.verifications, [
        { key: { tenantId: 1, customerId: 1, kind: 1, verificationId: -1 }, name: "by_customer" },
      ]);
      await createIndexes(db, collections.decisions, [
        { key: { tenantId: 1, "inputs.facts.customerId": 1, "inputs.day": 1 }, name: "by_customer_and_day" },
        { key: { tenantId: 1, decidedAt: 1 }, name: "by_time" },
        // Only what waits.
        {
          key: { tenantId: 1, isOpen: 1, transactionId: 1 },
          name: "open",
          partialFilterExpression: { isOpen: true },
        },
      ]);
      await createIndexes(db, documentCollections.files, [
        { key: { tenantId: 1, "metadata.customerId": 1, _id: 1 }, name: "by_customer" },
        { key: { tenantId: 1, "metadata.state": 1, _id: 1 }, name: "by_state" },
      ]);
      await createIndexes(db, documentCollections.chunks, [
        { key: { tenantId: 1, files_id: 1, n: 1 }, name: "one_per_place", unique: true },
        { key: { expiresAt: 1 }, name: "never_handed_in", expireAfterSeconds: 0 },
      ]);
      await createOutboxIndexes(db);
    },
  },
  { id: "0003-guards-of-limits-into-days", up: moveGuards },
  { id: "0004-statuses-told-to-identity", up: tellStatuses },
  { id: "0005-erasures", up: createErasureIndexes },
  {
    id: "0006-forced-decisions",
    up: (db) =>
      createIndexes(db, collections.forced, [
        { key: { tenantId: 1, outcomeId: 1 }, name: "one_per_id", unique: true },
        { key: { tenantId: 1, createdAt: 1 }, name: "by_time" },
      ]),
  },
];
