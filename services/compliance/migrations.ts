import { createIndexes, type Migration } from "../shared/mongo/migrations.js";
import { collections } from "./store.js";

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
      await unique(collections.guards, { tenantId: 1, customerId: 1, currency: 1, day: 1 }, "one_per_day");
      await unique(collections.decisions, { tenantId: 1, transactionId: 1 }, "one_per_transaction");
    },
  },
];
