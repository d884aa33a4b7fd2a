import { createIndexes, type Migration } from "../../shared/mongo/migrations.js";
import { acrossTenants } from "../../shared/mongo/tenant-collection.js";
import type { HeadDocument } from "./collections.js";
import { createSumsStore } from "./sums.js";

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
  {
    id: "0002-lists-and-sums",
    async up(db) {
      await createIndexes(db, "accounts", [
        // Lists by cursor, each in the order of ids.
        { name: "id", key: { tenantId: 1, accountId: 1 } },
        { name: "code_id", key: { tenantId: 1, code: 1, accountId: 1 } },
        { name: "owner", key: { tenantId: 1, ownerId: 1, accountId: 1 } },
        { name: "metadata_name", key: { tenantId: 1, "metadata.k": 1, accountId: 1 } },
        { name: "metadata_value", key: { tenantId: 1, "metadata.k": 1, "metadata.v": 1, accountId: 1 } },
      ]);
      await createIndexes(db, "days", [{ name: "account_day", key: { tenantId: 1, accountId: 1, day: 1 } }]);
      await createIndexes(db, "volumes", [{ name: "day", key: { tenantId: 1, day: 1 } }]);
      await createIndexes(db, "reversals", [{ name: "reversed_by", key: { tenantId: 1, reversedBy: 1 } }]);
    },
  },
  {
    // Beside the previous version, which goes on posting: what it posts meanwhile is made up for at the next take-over.
    id: "0003-sums",
    async up(db) {
      const heads = acrossTenants<HeadDocument>(db, "heads", "migrations");
      for await (const { tenantId } of heads.stream({}, { sort: { _id: 1 } })) {
        await createSumsStore(db, tenantId).catchUp();
      }
    },
  },
  {
    // They have no index but their _id.
    id: "0004-heads-and-leases-by-tenant",
    async up(db) {
      await createIndexes(db, "heads", []);
      await createIndexes(db, "leases", []);
    },
  },
  {
    id: "0005-refusals-by-key",
    async up(db) {
      const refused = { refusal: { $exists: true } };
      await createIndexes(db, "transfers", [
        { name: "refusal", key: { tenantId: 1, key: 1 }, partialFilterExpression: refused },
      ]);
    },
  },
];
