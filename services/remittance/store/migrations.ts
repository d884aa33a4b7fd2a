import type { Connection } from "mongoose";
import { dataKeyCollection, dataKeyIndexes } from "../../kernel/keys/data-keys.js";
import { createErasureIndexes } from "../../platform/erasure/erasure.js";
import { createIdempotencyIndexes } from "../../kernel/idempotency/index.js";
import { createForcedOutcomeIndexes } from "../../platform/sandbox/forced-outcome-store.js";
import { createMasterKeyIndexes } from "../../kernel/keys/wrapped-keys.js";
import { createIndexes, type Migration } from "../../kernel/mongo/migrations.js";
import { createOutboxIndexes } from "../../kernel/outbox/index.js";
import { collections, versionCollections } from "./collections.js";

const dayS = 24 * 60 * 60;
const newest = { createdAt: -1, transactionId: -1 } as const;

/** Indexes of remittance's database. */
export const migrations: Migration[] = [
  {
    id: "0001-indexes",
    async up(db) {
      await createTransactionIndexes(db);
      await createReportIndexes(db);
      await createPriceIndexes(db);
      await createRecipientIndexes(db);
      await createPayoutIndexes(db);
      await createPartnerIndexes(db);
      await createRateFeedIndexes(db);
      await createBankFileIndexes(db);
      await createIndexes(db, dataKeyCollection, [...dataKeyIndexes]);
      await createMasterKeyIndexes(db);
      await createErasureIndexes(db);
      await createIdempotencyIndexes(db);
      await createOutboxIndexes(db);
    },
  },
];

async function createTransactionIndexes(db: Connection): Promise<void> {
  const settled = { "payout.settledAt": { $exists: true } };
  const cameBack = { "payout.outcome": "RETURNED" };
  const batched = { "payout.batchId": { $exists: true } };
  const held = { "payout.heldAt": { $exists: true } };
  const uncarried = { "payout.noCarrierSince": { $exists: true } };
  const unclear = { "payout.unclear.since": { $exists: true } };
  const uncounted = { uncountedSince: { $gt: new Date(0) } };
  const moment = (field: string) => ({ tenantId: 1, [field]: 1, transactionId: 1 }) as const;
  await createIndexes(db, collections.transactions, [
    { key: { tenantId: 1, transactionId: 1 }, name: "one_per_id", unique: true },
    { key: { tenantId: 1, transactionCode: 1 }, name: "one_per_code", unique: true },
    // Only what the expiry sweep looks for, and all that it reads: those of sandboxes are found
    // among everybody's without a look at one transaction.
    {
      key: { status: 1, expiresAt: 1, tenantId: 1, transactionId: 1 },
      name: "unpaid",
      partialFilterExpression: { status: "AWAITING_PAYMENT" },
    },
    { key: { tenantId: 1, "payout.batchId": 1 }, name: "by_batch", partialFilterExpression: batched },
    // Reconciliation goes through these by pages.
    { key: moment("payout.settledAt"), name: "by_settlement_and_id", partialFilterExpression: settled },
    { key: moment("payout.refundedAt"), name: "by_return_and_id", partialFilterExpression: cameBack },
    { key: { tenantId: 1, ...newest }, name: "newest" },
    // Statuses and ways are few: a list that names none reads each one's newest,
    // merged (transaction-lists.ts).
    { key: { tenantId: 1, "sender.customerId": 1, status: 1, ...newest }, name: "newest_of_sender" },
    // What counts together, without a look at what else its sender sent.
    { key: { tenantId: 1, linkedBy: 1, createdAt: 1 }, name: "linked" },
    { key: { tenantId: 1, createdBy: 1, ...newest }, name: "newest_of_creator" },
    { key: { tenantId: 1, agentId: 1, ...newest }, name: "newest_of_agent" },
    { key: { tenantId: 1, status: 1, deliveryMethod: 1, ...newest }, name: "newest_of_status" },
    { key: { tenantId: 1, searchWords: 1, ...newest }, name: "newest_by_word" },
    // What is rare among many is not looked for in all of them.
    {
      key: { tenantId: 1, "transferInformation.receivingCountry": 1, deliveryMethod: 1, status: 1, ...newest },
      name: "newest_to_country",
    },
    { key: { tenantId: 1, "price.principal.currency": 1, ...newest }, name: "newest_in_currency" },
    { key: { tenantId: 1, "sender.customerCode": 1, ...newest }, name: "newest_of_sender_code" },
    { key: { tenantId: 1, "recipient.customerCode": 1, ...newest }, name: "newest_of_recipient_code" },
    { key: { tenantId: 1, "payout.heldAt": 1 }, name: "by_hold", partialFilterExpression: held },
    { key: { tenantId: 1, uncountedSince: 1 }, name: "uncounted", partialFilterExpression: uncounted },
    { key: { tenantId: 1, status: 1, ...newest }, name: "newest_held", partialFilterExpression: held },
    { key: { tenantId: 1, "payout.noCarrierSince": 1 }, name: "by_no_carrier", partialFilterExpression: uncarried },
    { key: { tenantId: 1, "payout.unclear.since": 1 }, name: "by_unclear", partialFilterExpression: unclear },
    { key: { tenantId: 1, ...newest }, name: "newest_unclear", partialFilterExpression: unclear },
    {
      key: { tenantId: 1, "block.by.blockId": 1 },
      name: "by_block",
      partialFilterExpression: { block: { $exists: true } },
    },
    {
      key: { tenantId: 1, "payout.installationId": 1, status: 1 },
      name: "by_installation",
      partialFilterExpression: { "payout.installationId": { $exists: true } },
    },
  ]);
  await createIndexes(db, collections.blockOrders, [
    { key: { tenantId: 1, blockId: 1 }, name: "one_per_id", unique: true },
  ]);
}

async function createReportIndexes(db: Connection): Promise<void> {
  const corridor = { originCountry: 1, receivingCountry: 1, sendCurrency: 1, receivingCurrency: 1 } as const;
  await createIndexes(db, collections.reportDays, [
    { key: { tenantId: 1, agentId: 1, day: 1, ...corridor }, name: "one_per_key", unique: true },
    { key: { tenantId: 1, day: 1 }, name: "by_day" },
  ]);
  await createIndexes(db, collections.reportExports, [
    { key: { tenantId: 1, exportId: 1 }, name: "one_per_id", unique: true },
    { key: { tenantId: 1, askedBy: 1, exportId: -1 }, name: "newest_of_asker" },
    { key: { tenantId: 1, status: 1, exportId: 1 }, name: "first_of_status" },
    { key: { dueAt: 1 }, name: "due", partialFilterExpression: { dueAt: { $exists: true } } },
    { key: { expiresAt: 1 }, name: "expiry", expireAfterSeconds: 0 },
  ]);
  await createIndexes(db, collections.reportPieces, [
    { key: { tenantId: 1, exportId: 1, number: 1 }, name: "one_per_number", unique: true },
    { key: { tenantId: 1, customerIds: 1 }, name: "by_person" },
    { key: { expiresAt: 1 }, name: "expiry", expireAfterSeconds: 0 },
  ]);
  await createIndexes(db, collections.reportCreators, [
    {
      key: { tenantId: 1, day: 1, agentId: 1, createdBy: 1, createdByRole: 1, sendCurrency: 1 },
      name: "one_per_key",
      unique: true,
    },
  ]);
}

async function createPriceIndexes(db: Connection): Promise<void> {
  const corridor = {
    tenantId: 1,
    originCountry: 1,
    receivingCountry: 1,
    sendCurrency: 1,
    receivingCurrency: 1,
  } as const;
  await createIndexes(db, collections.corridors, [{ key: corridor, name: "one_per_corridor", unique: true }]);
  await createIndexes(db, collections.corridorVersions, [
    { key: { ...corridor, version: 1 }, name: "one_per_version", unique: true },
  ]);
  for (const changes of [collections.corridorChanges, collections.disclosureChanges]) {
    await createIndexes(db, changes, [
      { key: { tenantId: 1, changeId: 1 }, name: "one_per_id", unique: true },
      {
        key: { tenantId: 1, fingerprint: 1 },
        name: "one_asked",
        unique: true,
        partialFilterExpression: { status: "ASKED" },
      },
    ]);
  }
  await createVersionedIndexes(db, collections.disclosureTemplates, ["profile"]);
  const pair = { tenantId: 1, sendCurrency: 1, receivingCurrency: 1 } as const;
  await createIndexes(db, collections.rates, [
    { key: { ...pair, sequence: -1 }, name: "one_per_sequence", unique: true },
    { key: { ...pair, validFrom: -1, sequence: -1 }, name: "by_validity" },
  ]);
  await createVersionedIndexes(db, collections.markups, ["owner", "sendCurrency", "receivingCurrency"]);
  await createVersionedIndexes(db, collections.promotions, ["code"]);
  await createIndexes(db, collections.promotionUses, [
    { key: { tenantId: 1, code: 1, customerId: 1 }, name: "one_per_customer", unique: true },
  ]);
  await createIndexes(db, collections.priceVersions, [{ key: { tenantId: 1 }, name: "one_per_tenant", unique: true }]);
  await createIndexes(db, collections.quotes, [
    { key: { tenantId: 1, quoteId: 1 }, name: "one_per_id", unique: true },
    // Kept a while after their end, so that who comes late hears that it has expired.
    { key: { createdAt: 1 }, name: "expiry", expireAfterSeconds: 90 * dayS },
  ]);
}

async function createRecipientIndexes(db: Connection): Promise<void> {
  await createIndexes(db, collections.beneficiaries, [
    { key: { tenantId: 1, code: 1 }, name: "one_per_code", unique: true },
    { key: { tenantId: 1, customerId: 1, createdAt: 1 }, name: "by_customer" },
  ]);
  await createIndexes(db, collections.recipientLooks, [
    { key: { tenantId: 1, customerId: 1, _id: -1 }, name: "newest_of_customer" },
  ]);
  await createIndexes(db, collections.payeeChecks, [
    { key: { tenantId: 1, payeeCheckId: 1 }, name: "one_per_id", unique: true },
    { key: { tenantId: 1, customerId: 1 }, name: "by_customer" },
    { key: { expiresAt: 1 }, name: "expiry", expireAfterSeconds: 0 },
  ]);
  await createVersionedIndexes(db, collections.payoutPoints, ["code"]);
  await createVersionedIndexes(db, collections.branches, ["code"]);
  const way = { tenantId: 1, country: 1, currency: 1, type: 1 } as const;
  await createIndexes(db, collections.payoutPoints, [
    { key: { tenantId: 1, pointId: 1 }, name: "by_id" },
    { key: { ...way, code: 1 }, name: "by_way" },
    { key: { ...way, allocatedTo: 1, code: 1 }, name: "by_allocation" },
    { key: { ...way, operatorKey: 1, code: 1 }, name: "by_operator" },
  ]);
  await createIndexes(db, collections.branches, [{ key: { tenantId: 1, country: 1, code: 1 }, name: "by_country" }]);
}

async function createPayoutIndexes(db: Connection): Promise<void> {
  await createIndexes(db, collections.payoutBatches, [
    { key: { tenantId: 1, batchId: 1 }, name: "one_per_id", unique: true },
    // One open batch a partner; where none is named it is one a currency.
    {
      key: { tenantId: 1, currency: 1, installationId: 1 },
      name: "one_open_per_partner",
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
}

async function createPartnerIndexes(db: Connection): Promise<void> {
  await createIndexes(db, collections.watchedInstallations, [
    { key: { tenantId: 1, installationId: 1 }, name: "one_per_installation", unique: true },
    { key: { dueAt: 1 }, name: "due" },
  ]);
  await createForcedOutcomeIndexes(db, collections.forcedPayouts);
  await createIndexes(db, collections.forcedOrders, [
    { key: { tenantId: 1, transactionId: 1 }, name: "one_per_transaction", unique: true },
    { key: { createdAt: 1 }, name: "expiry", expireAfterSeconds: 90 * dayS },
  ]);
}

async function createRateFeedIndexes(db: Connection): Promise<void> {
  await createIndexes(db, collections.rateTellings, [
    { key: { tenantId: 1 }, name: "one_per_tenant", unique: true },
    { key: { dueAt: 1 }, name: "due" },
  ]);
  await createIndexes(db, collections.rateFeeds, [
    { key: { tenantId: 1, installationId: 1 }, name: "one_per_installation", unique: true },
    { key: { dueAt: 1 }, name: "due" },
    { key: { staleAt: 1 }, name: "stale", partialFilterExpression: { staleAt: { $exists: true } } },
  ]);
  const pair = { tenantId: 1, sendCurrency: 1, receivingCurrency: 1 } as const;
  await createIndexes(db, collections.heldRates, [
    { key: { tenantId: 1, heldId: 1 }, name: "one_per_id", unique: true },
    { key: pair, name: "one_open_per_pair", unique: true, partialFilterExpression: { isOpen: true } },
    { key: { tenantId: 1, installationId: 1, isOpen: 1 }, name: "open_of_installation" },
    { key: { closedAt: 1 }, name: "expiry", expireAfterSeconds: 90 * dayS },
  ]);
}

async function createBankFileIndexes(db: Connection): Promise<void> {
  const own = { tenantId: 1, installationId: 1 } as const;
  await createIndexes(db, collections.bankMessages, [
    { key: { ...own, messageId: 1 }, name: "one_per_id", unique: true },
    { key: { ...own, attempt: 1 }, name: "one_per_attempt", unique: true },
  ]);
  await createIndexes(db, collections.bankOrders, [
    { key: { ...own, reference: 1 }, name: "one_per_reference", unique: true },
    { key: { ...own, endToEndId: 1 }, name: "one_per_end_to_end_id", unique: true },
    { key: { ...own, messageId: 1 }, name: "by_message" },
  ]);
  const partialFilterExpression = { state: "READ" };
  await createIndexes(db, collections.bankFiles, [
    { key: { ...own, fileId: 1 }, name: "read_once", unique: true, partialFilterExpression },
    { key: { ...own, kind: 1, messageId: 1 }, name: "one_read_per_number", unique: true, partialFilterExpression },
    { key: { ...own, at: -1 }, name: "newest" },
    { key: { ...own, at: 1 }, name: "to_hint", partialFilterExpression: { toHint: true } },
  ]);
  await createIndexes(db, collections.bankFileTries, [
    { key: { ...own, file: 1 }, name: "one_per_file", unique: true },
    { key: { at: 1 }, name: "old", expireAfterSeconds: 90 * dayS },
  ]);
  await createIndexes(db, collections.bankMarks, [
    { key: { tenantId: 1, installationId: 1 }, name: "one_per_installation", unique: true },
  ]);
  await createIndexes(db, collections.bankReports, [
    { key: { ...own, fileId: 1, line: 1 }, name: "one_per_line", unique: true },
    { key: { ...own, reference: 1 }, name: "by_reference" },
    { key: { ...own, at: 1, fileId: 1, line: 1 }, name: "by_time" },
  ]);
}

/** One of a key holds, and each version of it is kept once. */
async function createVersionedIndexes(db: Connection, name: string, fields: readonly string[]): Promise<void> {
  const { current, versions } = versionCollections(name);
  const key = { tenantId: 1, ...Object.fromEntries(fields.map((field) => [field, 1])) } as const;
  await createIndexes(db, current, [{ key, name: "one_per_key", unique: true }]);
  await createIndexes(db, versions, [{ key: { ...key, version: -1 }, name: "one_per_version", unique: true }]);
}
