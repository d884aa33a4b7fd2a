import type { Connection } from "mongoose";
import { createIdempotencyIndexes } from "../../shared/idempotency/index.js";
import { createIndexes, type Migration } from "../../shared/mongo/migrations.js";

/** Indexes of identity's database. Every unique one begins with the shard key, tenantId, save in `hosts` and `keys`, which are not sharded. */
export const migrations: readonly Migration[] = [
  {
    id: "0001-indexes",
    async up(db: Connection): Promise<void> {
      await createIdempotencyIndexes(db);
      await createIndexes(db, "users", [
        { key: { tenantId: 1, emailKey: 1 }, name: "email", unique: true },
        unique("customer_id", "customer.id"),
        unique("customer_code", "customer.code"),
        {
          key: { tenantId: 1, "customer.agentId": 1, "customer.id": 1 },
          name: "customer_agent",
          partialFilterExpression: { "customer.id": { $exists: true } },
        },
      ]);
      await createIndexes(db, "tenants", [{ key: { tenantId: 1 }, name: "tenant", unique: true }]);
      await createIndexes(db, "hosts", [{ key: { tenantId: 1 }, name: "tenant" }]);
      await createIndexes(db, "sessions", [
        { key: { tenantId: 1, userId: 1 }, name: "user" },
        { key: { endsAt: 1 }, name: "ends", expireAfterSeconds: 0 },
      ]);
      await createIndexes(db, "revocations", [
        { key: { mirrored: 1 }, name: "unmirrored", partialFilterExpression: { mirrored: false } },
        { key: { expiresAt: 1 }, name: "expires", expireAfterSeconds: 0 },
      ]);
      await createIndexes(db, "keys", [
        {
          key: { purpose: 1 },
          name: "one_current",
          unique: true,
          partialFilterExpression: { state: "CURRENT" },
        },
      ]);
    },
  },
];

function unique(name: string, path: string) {
  return {
    key: { tenantId: 1, [path]: 1 } as Record<string, 1>,
    name,
    unique: true,
    partialFilterExpression: { [path]: { $exists: true } },
  };
}
