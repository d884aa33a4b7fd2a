import { createErasureIndexes } from "../../platform/erasure/erasure.js";
import { createIdempotencyIndexes } from "../../kernel/idempotency/index.js";
import { createIndexes, type Migration } from "../../kernel/mongo/migrations.js";
import { createOutboxIndexes } from "../../kernel/outbox/index.js";
import { collections, uniqueIndexes } from "./collections.js";

type Database = Parameters<Migration["up"]>[0];

/** Indexes of the wallet's database. */
export const migrations: Migration[] = [
  {
    id: "0001-indexes",
    async up(db) {
      await indexAccounts(db);
      await indexPayments(db);
      await indexMoneyIn(db);
      await indexMovements(db);
      await indexPages(db);
      await indexAgents(db);
      await indexOwnPartners(db);
      await createErasureIndexes(db);
      await createIdempotencyIndexes(db);
      await createOutboxIndexes(db);
    },
  },
];

/** Pages by id: of all that a tenant has, and of the few of a type among many. */
async function indexPages(db: Database): Promise<void> {
  const { payments, movements, topUps, payables, tills } = collections;
  for (const name of [payments, movements, topUps]) {
    await createIndexes(db, name, [{ key: { tenantId: 1, _id: 1 }, name: "by_id" }]);
  }
  await createIndexes(db, payables, [{ key: { tenantId: 1, type: 1, _id: -1 }, name: "newest_of_type" }]);
  await createIndexes(db, tills, [
    { key: { tenantId: 1, cashierId: 1, _id: -1 }, name: "newest_of_cashier" },
    {
      key: { tenantId: 1, isOpen: 1, _id: -1 },
      name: "newest_open",
      partialFilterExpression: { isOpen: true },
    },
  ]);
}

/** Plans of commission: one document a version, and one newest of each. What moved of agents. */
async function indexAgents(db: Database): Promise<void> {
  const { commissionPlans, agents, agentLines, agentBalances, agentSettlements } = collections;
  await createIndexes(db, commissionPlans, [
    { key: { tenantId: 1, planId: 1, version: -1 }, name: "one_per_version", unique: true },
    {
      key: { tenantId: 1, planId: 1 },
      name: "one_newest",
      unique: true,
      partialFilterExpression: { isNewest: true },
    },
  ]);
  await createIndexes(db, agents, [{ key: { tenantId: 1, _id: 1 }, name: "by_id" }]);
  await createIndexes(db, collections.agentTransfers, [
    { key: { tenantId: 1, people: 1, _id: -1 }, name: "newest_of_agent" },
    { key: { tenantId: 1, _id: -1 } },
  ]);
  await createIndexes(db, collections.agentPickups, [
    { key: { tenantId: 1, agentId: 1, currency: 1, businessDay: 1 }, name: "first_of_agent" },
  ]);
  await createIndexes(db, agentBalances, [
    { key: { tenantId: 1, agentId: 1, currency: 1 }, name: "one_per_agent_and_currency", unique: true },
  ]);
  await createIndexes(db, agentSettlements, [
    {
      key: { tenantId: 1, agentId: 1, currency: 1, number: 1 },
      name: "one_per_number",
      unique: true,
      partialFilterExpression: { number: { $exists: true } },
    },
    { key: { tenantId: 1, _id: -1 } },
    { key: { tenantId: 1, agentId: 1, _id: -1 }, name: "newest_of_agent" },
    { key: { tenantId: 1, status: 1, _id: -1 }, name: "newest_of_status" },
    {
      key: { tenantId: 1, agentId: 1, currency: 1, isMovedOpen: 1 },
      name: "moved_on",
      partialFilterExpression: { isMovedOpen: true },
    },
  ]);
  await createIndexes(db, agentLines, [
    { key: { tenantId: 1, lineId: 1 }, name: "one_per_line", unique: true },
    { key: { tenantId: 1, agentId: 1, currency: 1, at: -1, lineId: -1 }, name: "newest_of_agent" },
    {
      key: { tenantId: 1, agentId: 1, currency: 1, businessDay: 1, lineId: 1 },
      name: "open_of_agent",
      partialFilterExpression: { isOpen: true },
    },
    {
      key: { tenantId: 1, settlementId: 1, at: 1, lineId: 1 },
      name: "of_settlement",
      partialFilterExpression: { settlementId: { $exists: true } },
    },
  ]);
}

/** What is under way at tenants' own banks and acquirers, and how far their lists were read. */
async function indexOwnPartners(db: Database): Promise<void> {
  for (const name of [collections.payables, collections.topUps]) {
    await createIndexes(db, name, [
      {
        key: { tenantId: 1, "partner.installationId": 1, status: 1 },
        name: "by_own_partner",
        partialFilterExpression: { "partner.installationId": { $exists: true } },
      },
    ]);
  }
  await createIndexes(db, collections.creditCursors, [
    { key: { tenantId: 1, installationId: 1 }, name: "one_per_own_bank", unique: true },
  ]);
}

async function indexAccounts(db: Database): Promise<void> {
  await createIndexes(db, collections.accounts, [
    { key: { tenantId: 1, accountNumber: 1 }, name: uniqueIndexes.accountNumber, unique: true },
    {
      key: { tenantId: 1, customerId: 1, currency: 1 },
      name: uniqueIndexes.customerCurrency,
      unique: true,
      partialFilterExpression: { status: { $in: ["OPENING", "ACTIVE", "FROZEN"] } },
    },
    { key: { tenantId: 1, customerId: 1, createdAt: 1 } },
  ]);
  await createIndexes(db, collections.bankAccounts, [
    {
      key: { tenantId: 1, customerId: 1, country: 1, bankCode: 1, accountNumber: 1 },
      name: uniqueIndexes.bankAccount,
      unique: true,
      partialFilterExpression: { status: "VERIFIED" },
    },
  ]);
  await createIndexes(db, collections.customerBlocks, [
    { key: { tenantId: 1, customerId: 1 }, name: "one_per_customer", unique: true },
  ]);
}

async function indexPayments(db: Database): Promise<void> {
  await createIndexes(db, collections.payments, [
    {
      key: { tenantId: 1, customerId: 1, paymentGatewayRef: 1 },
      name: uniqueIndexes.paymentReference,
      unique: true,
      partialFilterExpression: { referenceHeld: true },
    },
    {
      key: { tenantId: 1, "ending.day": 1 },
      name: "sold_by_day",
      partialFilterExpression: { "sale.tillId": { $exists: true } },
    },
  ]);
  await createIndexes(db, collections.payables, [
    { key: { tenantId: 1, payerCustomerId: 1, _id: -1 } },
    { key: { tenantId: 1, payeeCustomerId: 1, _id: -1 } },
    { key: { tenantId: 1, _id: -1 } },
  ]);
  await createIndexes(db, collections.limits, [{ key: { tenantId: 1, currency: 1, accountId: 1 }, unique: true }]);
  await createIndexes(db, collections.spending, [{ key: { tenantId: 1, accountId: 1, day: 1 }, unique: true }]);
}

async function indexMoneyIn(db: Database): Promise<void> {
  await createIndexes(db, collections.tills, [
    {
      key: { tenantId: 1, cashierId: 1, currency: 1 },
      name: uniqueIndexes.till,
      unique: true,
      partialFilterExpression: { isOpen: true },
    },
    { key: { tenantId: 1, _id: -1 } },
    { key: { tenantId: 1, branch: 1, lastDay: 1 }, name: "by_branch" },
  ]);
  await createIndexes(db, collections.tillLines, [
    { key: { tenantId: 1, tillId: 1, number: 1 }, name: "one_per_place", unique: true },
    { key: { tenantId: 1, tillId: 1, day: 1 }, name: "by_day" },
  ]);
  await createIndexes(db, collections.tillCounts, [
    { key: { tenantId: 1, tillId: 1, _id: -1 }, name: "newest_of_till" },
  ]);
  await createIndexes(db, collections.handOvers, [
    { key: { tenantId: 1, people: 1, _id: -1 }, name: "newest_of_person" },
    { key: { tenantId: 1, _id: -1 } },
  ]);
  await createIndexes(db, collections.branchAssignments, [
    { key: { tenantId: 1, userId: 1 }, name: "one_per_user", unique: true },
    { key: { tenantId: 1, branch: 1, userId: 1 }, name: "by_branch" },
  ]);
  await createIndexes(db, collections.cashOrders, [
    { key: { tenantId: 1, vaults: 1, _id: -1 }, name: "newest_of_vault" },
    { key: { tenantId: 1, vaults: 1, sentOn: 1 }, name: "sent_of_vault" },
    { key: { tenantId: 1, _id: -1 } },
  ]);
  await createIndexes(db, collections.vaults, [
    { key: { tenantId: 1, branch: 1, currency: 1 }, name: "one_per_branch_and_currency", unique: true },
  ]);
  await createIndexes(db, collections.vaultLines, [
    { key: { tenantId: 1, branch: 1, currency: 1, number: 1 }, name: "one_per_place", unique: true },
    { key: { tenantId: 1, branch: 1, currency: 1, day: 1 }, name: "by_day" },
  ]);
  await createIndexes(db, collections.counterPayables, [
    { key: { tenantId: 1, _id: -1 } },
    { key: { tenantId: 1, status: 1, _id: -1 }, name: "newest_of_status" },
    { key: { tenantId: 1, transactionCode: 1, _id: -1 }, name: "newest_of_transaction" },
    { key: { tenantId: 1, customerId: 1, _id: -1 }, name: "newest_of_sender" },
  ]);
  const cashLimit = { tenantId: 1, currency: 1, cashierId: 1 } as const;
  await createIndexes(db, collections.cashLimits, [{ key: cashLimit, unique: true }]);
  await createIndexes(db, collections.credits, [
    { key: { tenantId: 1, creditId: 1 }, unique: true },
    { key: { tenantId: 1, status: 1, creditId: 1 } },
    { key: { tenantId: 1, receivedAt: 1 }, name: "unmatched_by_age", partialFilterExpression: { status: "UNMATCHED" } },
  ]);
  await createIndexes(db, collections.creditReaders, [{ key: { tenantId: 1 }, unique: true }, { key: { dueAt: 1 } }]);
  await createIndexes(db, collections.held, [
    { key: { tenantId: 1, heldId: 1 }, unique: true },
    { key: { tenantId: 1, status: 1, heldId: 1 } },
    { key: { tenantId: 1, heldAt: 1 }, name: "held_by_age", partialFilterExpression: { status: "HELD" } },
  ]);
}

async function indexMovements(db: Database): Promise<void> {
  await createIndexes(db, collections.movements, [
    { key: { tenantId: 1, accountId: 1, createdAt: 1 } },
    { key: { tenantId: 1, kind: 1, createdAt: 1 } },
    {
      key: { tenantId: 1, "ending.day": 1, kind: 1 },
      name: "booked_by_day",
      partialFilterExpression: { "ending.day": { $exists: true } },
    },
  ]);
  // Made here, since the first write of a collection must not wait for its creation inside a
  // transaction.
  const { holds, quotes, topUps, refunds, cashIns } = collections;
  for (const name of [holds, quotes, topUps, refunds, cashIns]) {
    await createIndexes(db, name, [{ key: { tenantId: 1, createdAt: 1 } }]);
  }
}
