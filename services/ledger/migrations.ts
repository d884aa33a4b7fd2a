import { createIndexes, type Migration } from "../shared/mongo/migrations.js";

/** Every index begins with the tenant (the shard key), save those of sweeps across tenants. */
export const migrations: Migration[] = [
  {
    id: "0001-indexes",
    async up(db) {
      const inJournal = { seq: { $exists: true } };
      await createIndexes(db, "transfers", [
        // The chain, paged by sequence; refusals stand outside of it.
        { name: "sequence", key: { tenantId: 1, seq: 1 }, unique: true, partialFilterExpression: inJournal },
        { name: "account", key: { tenantId: 1, "entries.account": 1, seq: 1 }, partialFilterExpression: inJournal },
        { name: "interaction", key: { tenantId: 1, interactionId: 1, seq: 1 }, partialFilterExpression: inJournal },
      ]);
      await createIndexes(db, "accounts", [{ name: "code", key: { tenantId: 1, code: 1, currency: 1 } }]);
      await createIndexes(db, "pendings", [
        // Across tenants: the sweep of what is past its timeout. Only open ones carry dueAt.
        { name: "due", key: { dueAt: 1 }, sparse: true },
      ]);
    },
  },
];
