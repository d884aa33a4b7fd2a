import type { Connection } from "mongoose";
import { systemClock } from "../../shared/clocks/clock.js";
import { dataKeyCollection, dataKeyIndexes } from "../../shared/erasure/data-keys.js";
import { createErasureIndexes } from "../../shared/erasure/erasure.js";
import { createIdempotencyIndexes } from "../../shared/idempotency/index.js";
import { createLogger } from "../../shared/log.js";
import { createIndexes, type Migration } from "../../shared/mongo/migrations.js";
import { acrossTenants } from "../../shared/mongo/tenant-collection.js";
import { inTransaction, isDuplicateKey } from "../../shared/mongo/transaction.js";
import { createOutbox, createOutboxIndexes } from "../../shared/outbox/index.js";
import { drivePayout, payoutAggregate } from "../jobs/news.js";
import { quoteCollections } from "./quotes.js";
import { collections, type Rate } from "./index.js";
import { searchWordsOf } from "./transaction-lists.js";
import type { Transaction } from "../domain/transaction.js";
import { versionedCollections } from "./versioned.js";

const corridor = { tenantId: 1, originCountry: 1, receivingCountry: 1, sendCurrency: 1, receivingCurrency: 1 } as const;

const batched = { "payout.batchId": { $exists: true } };
const settled = { "payout.settledAt": { $exists: true } };
const cameBack = { "payout.outcome": "RETURNED" };

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
  {
    id: "0002-payouts",
    async up(db) {
      await createIndexes(db, collections.transactions, [
        { key: { tenantId: 1, "payout.batchId": 1 }, name: "by_batch", partialFilterExpression: batched },
        { key: { tenantId: 1, "payout.settledAt": 1 }, name: "by_settlement", partialFilterExpression: settled },
      ]);
      await createIndexes(db, collections.payoutBatches, [
        { key: { tenantId: 1, batchId: 1 }, name: "one_per_id", unique: true },
        {
          key: { tenantId: 1, currency: 1 },
          name: "one_open",
          unique: true,
          partialFilterExpression: { state: "OPEN" },
        },
      ]);
      await createIndexes(db, collections.statementReaders, [
        { key: { tenantId: 1 }, name: "one_per_tenant", unique: true },
        { key: { dueAt: 1 }, name: "due" },
      ]);
      await createIndexes(db, collections.payoutCallbacks, [
        { key: { tenantId: 1, webhookId: 1 }, name: "one_per_id", unique: true },
        { key: { expiresAt: 1 }, name: "expiry", expireAfterSeconds: 0 },
      ]);
    },
  },
  {
    id: "0003-drive-what-is-paid",
    up: drivePaid,
  },
  {
    id: "0004-rates-hold-for-a-time",
    async up(db) {
      const rates = acrossTenants<Rate & { tenantId: string }>(db, collections.rates, "validity of old rates");
      for (const { tenantId, rateId, createdAt } of await rates.find({ validFrom: { $exists: false } })) {
        await rates.updateOne({ tenantId, rateId }, { $set: { validFrom: createdAt } });
      }
      await createIndexes(db, collections.rates, [
        {
          key: { tenantId: 1, sendCurrency: 1, receivingCurrency: 1, validFrom: -1, sequence: -1 },
          name: "by_validity",
        },
      ]);
    },
  },
  {
    id: "0005-quotes",
    async up(db) {
      await createIndexes(db, quoteCollections.quotes, [
        { key: { tenantId: 1, quoteId: 1 }, name: "one_per_id", unique: true },
        // Kept a while after their end, so that who comes late hears that it has expired.
        { key: { createdAt: 1 }, name: "expiry", expireAfterSeconds: 90 * 24 * 60 * 60 },
      ]);
      await createIndexes(db, quoteCollections.promotionUses, [
        { key: { tenantId: 1, code: 1, customerId: 1 }, name: "one_per_customer", unique: true },
      ]);
      await createVersionedIndexes(db, collections.markups, ["owner", "sendCurrency", "receivingCurrency"]);
      await createVersionedIndexes(db, collections.promotions, ["code"]);
    },
  },
  {
    id: "0006-reconciliation-by-pages",
    async up(db) {
      const key = (moment: string) => ({ tenantId: 1, [moment]: 1, transactionId: 1 }) as const;
      await createIndexes(db, collections.transactions, [
        { key: key("payout.settledAt"), name: "by_settlement_and_id", partialFilterExpression: settled },
        { key: key("payout.refundedAt"), name: "by_return_and_id", partialFilterExpression: cameBack },
        // Payouts that nobody drives are looked for among what is paid and not started yet.
        { key: { paidAt: 1 }, name: "paid", partialFilterExpression: { status: "PAID" } },
      ]);
    },
  },
  {
    id: "0007-payout-points",
    async up(db) {
      await createVersionedIndexes(db, collections.payoutPoints, ["code"]);
      await createVersionedIndexes(db, collections.branches, ["code"]);
      const way = { tenantId: 1, country: 1, currency: 1, type: 1 } as const;
      await createIndexes(db, collections.payoutPoints, [
        { key: { ...way, code: 1 }, name: "by_way" },
        { key: { ...way, allocatedTo: 1, code: 1 }, name: "by_allocation" },
        { key: { ...way, operatorKey: 1, code: 1 }, name: "by_operator" },
      ]);
      await createIndexes(db, collections.branches, [
        { key: { tenantId: 1, country: 1, code: 1 }, name: "by_country" },
      ]);
    },
  },
  {
    id: "0008-personal-data",
    async up(db) {
      await createIndexes(db, dataKeyCollection, [...dataKeyIndexes]);
    },
  },
  {
    id: "0009-lists-of-transactions",
    async up(db) {
      const newest = { createdAt: -1, transactionId: -1 } as const;
      await createIndexes(db, collections.transactions, [
        { key: { tenantId: 1, ...newest }, name: "newest" },
        { key: { tenantId: 1, "sender.customerId": 1, ...newest }, name: "newest_of_sender" },
        { key: { tenantId: 1, createdBy: 1, ...newest }, name: "newest_of_creator" },
        { key: { tenantId: 1, agentId: 1, ...newest }, name: "newest_of_agent" },
        { key: { tenantId: 1, status: 1, ...newest }, name: "newest_of_status" },
        { key: { tenantId: 1, searchWords: 1, ...newest }, name: "newest_by_word" },
      ]);
      await createIndexes(db, collections.payoutPoints, [{ key: { tenantId: 1, pointId: 1 }, name: "by_id" }]);
      await addSearchWords(db);
    },
  },
  {
    id: "0010-versions-of-prices",
    async up(db) {
      await createIndexes(db, collections.priceVersions, [
        { key: { tenantId: 1 }, name: "one_per_tenant", unique: true },
      ]);
    },
  },
  {
    id: "0011-changes-by-two-persons",
    async up(db) {
      await createIndexes(db, collections.corridorChanges, [
        { key: { tenantId: 1, changeId: 1 }, name: "one_per_id", unique: true },
        {
          key: { tenantId: 1, fingerprint: 1 },
          name: "one_asked",
          unique: true,
          partialFilterExpression: { status: "ASKED" },
        },
      ]);
    },
  },
  { id: "0013-erasures", up: createErasureIndexes },
];

/** Transactions of the version before are found by their words too. */
async function addSearchWords(db: Connection): Promise<void> {
  const all = acrossTenants<Transaction & { tenantId: string }>(
    db,
    collections.transactions,
    "words of old transactions",
  );
  for await (const one of all.stream({ searchWords: { $exists: false } })) {
    const { tenantId, transactionId } = one;
    await all.updateOne({ tenantId, transactionId }, { $set: { searchWords: searchWordsOf(one) } });
  }
}

/** One of a key holds, and each version of it is kept once. */
async function createVersionedIndexes(db: Connection, name: string, fields: readonly string[]): Promise<void> {
  const { current, versions } = versionedCollections(name);
  const key = { tenantId: 1, ...Object.fromEntries(fields.map((field) => [field, 1])) } as const;
  await createIndexes(db, current, [{ key, name: "one_per_key", unique: true }]);
  await createIndexes(db, versions, [{ key: { ...key, version: -1 }, name: "one_per_version", unique: true }]);
}

/** What was paid for before payouts existed has nobody who drives it. */
async function drivePaid(db: Connection): Promise<void> {
  const log = createLogger({ service: "remittance", level: "silent" });
  const outbox = createOutbox({ db, clock: systemClock, log, service: "remittance" });
  const paid = acrossTenants<Transaction & { tenantId: string }>(
    db,
    collections.transactions,
    "payouts of old payments",
  );
  for (const { tenantId, transactionId, version, interactionId } of await paid.find({
    status: "PAID",
    payout: { $exists: false },
  })) {
    const aggregate = payoutAggregate(transactionId);
    const kind = drivePayout;
    const row = {
      tenantId,
      aggregate,
      seq: version,
      kind,
      payload: { transactionId },
      interactionId,
      actor: "remittance",
    };
    await inTransaction(db, (session) => outbox.add(row, session), { readBack: async () => undefined }).catch(
      (error: unknown) => {
        // Cut off before, and run again.
        if (!isDuplicateKey(error)) throw error;
      },
    );
  }
}
