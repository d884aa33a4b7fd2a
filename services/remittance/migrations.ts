import { createIdempotencyIndexes } from "../shared/idempotency/index.js";
import { createIndexes, type Migration } from "../shared/mongo/migrations.js";
import { createOutboxIndexes } from "../shared/outbox/index.js";
import { collections } from "./store.js";

const corridor = { tenantId: 1, originCountry: 1, receivingCountry: 1, sendCurrency: 1, receivingCurrency: 1 } as const;

/** Indexes and changes of remittance's database, in the order they are applied. */
export const migrations: Migration[] = [
  {
    id: "0001-indexes",
    async up(db) {
      await createIndexes(db, collections.corridors, [{ key: corridor, name: "one_per_corridor", unique: true }]);
      await createIndexes(db, collections.corridorVersions, [
        { key: { ...corridor, version: 1 }, name: "one_per_version", unique: true },
      ]);
      await createIndexes(db, collections.rates, [
        {
          key: { tenantId: 1, sendCurrency: 1, receivingCurrency: 1, sequence: -1 },
          name: "one_per_sequence",
          unique: true,
        },
      ]);
      await createIndexes(db, collections.beneficiaries, [
        { key: { tenantId: 1, code: 1 }, name: "one_per_code", unique: true },
        { key: { tenantId: 1, customerId: 1, createdAt: 1 }, name: "by_customer" },
      ]);
      await createIndexes(db, collections.transactions, [
        { key: { tenantId: 1, transactionId: 1 }, name: "one_per_id", unique: true },
        { key: { tenantId: 1, transactionCode: 1 }, name: "one_per_code", unique: true },
        // Only what the expiry sweep looks for.
        { key: { expiresAt: 1 }, name: "unpaid", partialFilterExpression: { status: "AWAITING_PAYMENT" } },
      ]);
      await createIdempotencyIndexes(db);
      await createOutboxIndexes(db);
    },
  },
];
