import { createIdempotencyIndexes } from "../../kernel/idempotency/index.js";
import { createOutboxIndexes } from "../../kernel/outbox/index.js";
import { createIndexes, type Migration } from "../../kernel/mongo/migrations.js";
import { collections } from "./collections.js";

const inJournal = { seq: { $exists: true } };
const living = { isLiving: true };
const refused = { refusal: { $exists: true } };

/** Every index begins with the tenant (the shard key), save those of sweeps across tenants. */
export const migrations: Migration[] = [
  {
    id: "0001-indexes",
    async up(db) {
      await createIndexes(db, collections.transfers, [
        // The chain, paged by sequence; refusals stand outside of it.
        { name: "sequence", key: { tenantId: 1, seq: 1 }, unique: true, partialFilterExpression: inJournal },
        { name: "account", key: { tenantId: 1, "entries.account": 1, seq: 1 }, partialFilterExpression: inJournal },
        { name: "interaction", key: { tenantId: 1, interactionId: 1, seq: 1 }, partialFilterExpression: inJournal },
        { name: "refusal", key: { tenantId: 1, key: 1 }, partialFilterExpression: refused },
      ]);
      await createIndexes(db, collections.accounts, [
        { name: "code", key: { tenantId: 1, code: 1, currency: 1 } },
        // Lists by cursor, each in the order of ids.
        { name: "id", key: { tenantId: 1, accountId: 1 } },
        { name: "code_id", key: { tenantId: 1, code: 1, accountId: 1 } },
        { name: "owner", key: { tenantId: 1, ownerId: 1, accountId: 1 } },
        { name: "metadata_name", key: { tenantId: 1, "metadata.k": 1, accountId: 1 } },
        { name: "metadata_value", key: { tenantId: 1, "metadata.k": 1, "metadata.v": 1, accountId: 1 } },
        { name: "currency_id", key: { tenantId: 1, currency: 1, accountId: 1 } },
        { name: "code_currency_id", key: { tenantId: 1, code: 1, currency: 1, accountId: 1 } },
      ]);
      await createIndexes(db, collections.pendings, [
        // Across tenants: the sweep of what is past its timeout. Only open ones carry dueAt; a
        // tenant that has many is passed over.
        { name: "due", key: { dueAt: 1, tenantId: 1 }, partialFilterExpression: { dueAt: { $exists: true } } },
      ]);
      await createIndexes(db, collections.days, [
        { name: "account_day", key: { tenantId: 1, accountId: 1, day: 1 } },
        // What a trial balance of an earlier day leaves out.
        { name: "day_account", key: { tenantId: 1, day: 1, accountId: 1 } },
      ]);
      await createIndexes(db, collections.volumes, [{ name: "day", key: { tenantId: 1, day: 1 } }]);
      await createIndexes(db, collections.reversals, [{ name: "reversed_by", key: { tenantId: 1, reversedBy: 1 } }]);
      await createIndexes(db, collections.records, [
        { name: "number", key: { tenantId: 1, number: 1 }, unique: true },
        // When a day was closed, or opened again.
        {
          name: "period",
          key: { tenantId: 1, "items.subject": 1, number: -1 },
          partialFilterExpression: { "items.kind": "PERIOD" },
        },
      ]);
      // They have no index but their _id.
      await createIndexes(db, collections.heads, []);
      await createIndexes(db, collections.leases, []);
      // Made at once: a tenant that is held must be so here, too.
      await createIndexes(db, collections.tellings, [
        { name: "one_per_tenant", key: { tenantId: 1 }, unique: true },
        { name: "left", key: { _id: 1, left: 1 }, partialFilterExpression: { left: { $exists: true } } },
      ]);
      // Those that were killed leave a row: a pod never comes back under its address.
      await createIndexes(db, collections.replicas, [{ name: "gone", key: { seenAt: 1 }, expireAfterSeconds: 3_600 }]);
      await createIndexes(db, collections.verifications, [
        { name: "newest", key: { tenantId: 1, verificationId: -1 } },
        { name: "one_running", key: { tenantId: 1 }, unique: true, partialFilterExpression: { status: "RUNNING" } },
        // Across tenants: what waits for a process to work on it.
        { name: "running", key: { leasedUntil: 1 }, partialFilterExpression: { status: "RUNNING" } },
      ]);
      await createIndexes(db, collections.verificationStates, [
        { name: "verification", key: { tenantId: 1, verificationId: 1 } },
      ]);
      await createIndexes(db, collections.settlements, [
        {
          name: "reference",
          key: { tenantId: 1, accountId: 1, reference: 1 },
          unique: true,
          partialFilterExpression: living,
        },
        { name: "newest", key: { tenantId: 1, _id: -1 } },
        { name: "account_newest", key: { tenantId: 1, accountId: 1, _id: -1 } },
        { name: "status_newest", key: { tenantId: 1, status: 1, _id: -1 } },
      ]);
      await createIndexes(db, collections.settlementLines, [
        // A transfer stands in one living settlement.
        {
          name: "taken",
          key: { tenantId: 1, accountId: 1, transferKey: 1 },
          unique: true,
          partialFilterExpression: living,
        },
        { name: "settlement", key: { tenantId: 1, settlementId: 1, seq: 1 } },
      ]);
      await createIndexes(db, collections.settlementMarks, [
        { name: "account", key: { tenantId: 1, accountId: 1 }, unique: true },
      ]);
      await createIndexes(db, collections.manualJournals, [
        { name: "newest", key: { tenantId: 1, _id: -1 } },
        { name: "status_newest", key: { tenantId: 1, status: 1, _id: -1 } },
      ]);
      await createIndexes(db, collections.manualJournalFiles, [{ name: "of_tenant", key: { tenantId: 1, _id: 1 } }]);
      await createIndexes(db, collections.positions, [{ name: "of_tenant", key: { tenantId: 1 } }]);
      await createIndexes(db, collections.partnerAlarms, [
        { name: "account", key: { tenantId: 1, accountId: 1 }, unique: true },
      ]);
      await createIndexes(db, collections.positionMoves, [
        { name: "one_per_day", key: { tenantId: 1, code: 1, currency: 1, day: 1 }, unique: true },
        { name: "day", key: { tenantId: 1, day: 1 } },
      ]);
      await createIndexes(db, collections.positionLooks, [
        { name: "one_per_tenant", key: { tenantId: 1 }, unique: true },
        // Across tenants: whose day is over, and what nobody has counted.
        { name: "due", key: { dueAt: 1 } },
      ]);
      await createIndexes(db, collections.middleRates, [
        { name: "one_per_day", key: { tenantId: 1, fromCurrency: 1, toCurrency: 1, day: -1 }, unique: true },
        { name: "day", key: { tenantId: 1, day: 1 } },
        // What was revalued by one names it for good.
        { name: "expiry", key: { toldAt: 1 }, expireAfterSeconds: 800 * 86_400 },
      ]);
      await createIndexes(db, collections.revaluations, [
        { name: "one_per_day", key: { tenantId: 1, day: 1 }, unique: true },
      ]);
      await createIndexes(db, collections.closings, [
        { name: "number", key: { tenantId: 1, number: -1 } },
        { name: "period", key: { tenantId: 1, period: 1 } },
        // The closing before a period, and those that re-opening days supersedes.
        { name: "last", key: { tenantId: 1, last: -1, number: -1 } },
      ]);
      await createIndexes(db, collections.closingParts, [
        { name: "part", key: { tenantId: 1, closing: 1, what: 1, part: 1 }, unique: true },
      ]);
      await createIndexes(db, collections.chartMappings, [
        { name: "version", key: { tenantId: 1, version: -1 }, unique: true },
      ]);
      await createIdempotencyIndexes(db);
      await createOutboxIndexes(db);
    },
  },
];
