import { createIdempotencyIndexes } from "../../kernel/idempotency/index.js";
import { createIndexes, type Migration } from "../../kernel/mongo/migrations.js";
import { createOutboxIndexes } from "../../kernel/outbox/index.js";
import { collections } from "./collections.js";

/** Indexes of the database of investments. */
export const migrations: Migration[] = [
  {
    id: "0001-indexes",
    async up(db) {
      // Collections are made here, since the first write of one must not wait for its creation
      // inside a transaction.
      await createIndexes(db, collections.products, [{ key: { tenantId: 1, productId: 1 }, unique: true }]);
      await createIndexes(db, collections.productVersions, [{ key: { tenantId: 1, productId: 1, version: 1 } }]);
      await createIndexes(db, collections.positions, [{ key: { tenantId: 1, productId: 1 } }]);
      await createIndexes(db, collections.applications, [
        { key: { tenantId: 1, status: 1 }, partialFilterExpression: { status: "PENDING" } },
        { key: { tenantId: 1, customerId: 1, createdAt: 1 } },
        { key: { tenantId: 1, customerId: 1, _id: -1 } },
      ]);
      await createIndexes(db, collections.holdings, [
        { key: { tenantId: 1, customerId: 1, _id: -1 } },
        { key: { tenantId: 1, productId: 1, _id: 1 } },
        { key: { tenantId: 1, slice: 1, status: 1, through: 1, customerId: 1 } },
        { key: { tenantId: 1, _id: -1 }, partialFilterExpression: { "unpaid.since": { $gt: "" } } },
      ]);
      await createIndexes(db, collections.settlements, [
        { key: { tenantId: 1, holdingId: 1, createdAt: 1 } },
        { key: { tenantId: 1, status: 1 }, partialFilterExpression: { status: "PENDING" } },
      ]);
      await createIndexes(db, collections.movements, [{ key: { tenantId: 1, holdingId: 1, _id: 1 } }]);
      await createIndexes(db, collections.totals, [{ key: { tenantId: 1, customerId: 1, currency: 1 } }]);
      await createIndexes(db, collections.dividends, [{ key: { tenantId: 1, productId: 1, declaredAt: 1 } }]);
      await createIndexes(db, collections.shares, [
        { key: { tenantId: 1, dividendId: 1, status: 1, _id: 1 } },
        { key: { tenantId: 1, holdingId: 1 }, partialFilterExpression: { status: "FAILED" } },
      ]);
      await createIndexes(db, collections.slices, [{ key: { tenantId: 1, slice: 1 } }]);
      await createIndexes(db, collections.tenants, [{ key: { nextRunAt: 1 } }]);
      await createIndexes(db, collections.rates, [{ key: { tenantId: 1, from: 1, to: 1, validFrom: 1 } }]);
      await createIdempotencyIndexes(db);
      await createOutboxIndexes(db);
    },
  },
];
