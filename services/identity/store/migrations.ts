import type { Connection } from "mongoose";
import { createErasureIndexes } from "../../platform/erasure/erasure.js";
import { createIdempotencyIndexes } from "../../kernel/idempotency/index.js";
import { createMasterKeyIndexes } from "../../kernel/keys/wrapped-keys.js";
import { createIndexes, type Migration } from "../../kernel/mongo/migrations.js";
import { createOutboxIndexes } from "../../kernel/outbox/index.js";

/**
 * Indexes of identity's database. Every unique one begins with the shard key, tenantId, save in
 * `hosts` and `keys`, which are not sharded.
 */
export const migrations: readonly Migration[] = [
  {
    id: "0001-indexes",
    async up(db: Connection): Promise<void> {
      await createIdempotencyIndexes(db);
      await createOutboxIndexes(db);
      await createMasterKeyIndexes(db);
      await createErasureIndexes(db);
      await createTenantIndexes(db);
      await createPeopleIndexes(db);
      await createCredentialIndexes(db);
      await createFactorIndexes(db);
      await createApprovalIndexes(db);
      await createPluginIndexes(db);
    },
  },
];

async function createApprovalIndexes(db: Connection): Promise<void> {
  const partialFilterExpression = { customerId: { $exists: true } };
  await createIndexes(db, "approvals", [
    { key: { tenantId: 1, status: 1, _id: -1 }, name: "status" },
    { key: { tenantId: 1, kind: 1, _id: -1 }, name: "kind" },
    { key: { tenantId: 1, subject: 1, _id: -1 }, name: "subject" },
    { key: { tenantId: 1, askedBy: 1, _id: -1 }, name: "asked_by" },
    { key: { tenantId: 1, customerId: 1 }, name: "customer", partialFilterExpression },
  ]);
}

async function createPluginIndexes(db: Connection): Promise<void> {
  await createIndexes(db, "plugins", [
    { key: { tenantId: 1, status: 1, _id: 1 }, name: "status" },
    { key: { changedAt: 1 }, name: "removing", partialFilterExpression: { status: "REMOVING" } },
  ]);
  await createIndexes(db, "plugin_health", [{ key: { tenantId: 1 }, name: "tenant" }]);
  await createIndexes(db, "plugin_calls", [
    { key: { tenantId: 1, installationId: 1, seq: -1 }, name: "newest_first", unique: true },
  ]);
  await createIndexes(db, "plugin_minutes", [
    { key: { tenantId: 1, minute: 1 }, name: "minute" },
    { key: { expiresAt: 1 }, name: "expires", expireAfterSeconds: 0 },
  ]);
}

async function createTenantIndexes(db: Connection): Promise<void> {
  await createIndexes(db, "tenants", [{ key: { tenantId: 1 }, name: "tenant", unique: true }]);
  await createIndexes(db, "hosts", [{ key: { tenantId: 1 }, name: "tenant" }]);
  await createIndexes(db, "preference_changes", [{ key: { tenantId: 1, _id: -1 }, name: "newest_first" }]);
}

async function createPeopleIndexes(db: Connection): Promise<void> {
  const ofCustomers = { "customer.id": { $exists: true } };
  await createIndexes(db, "users", [
    // Whoever has no address is in nobody's way.
    {
      key: { tenantId: 1, emailKey: 1 },
      name: "email",
      unique: true,
      partialFilterExpression: { emailKey: { $gt: "" } },
    },
    unique("customer_id", "customer.id"),
    unique("customer_code", "customer.code"),
    {
      key: { tenantId: 1, "customer.agentId": 1, "customer.id": 1 },
      name: "customer_agent",
      partialFilterExpression: ofCustomers,
    },
    {
      key: { tenantId: 1, "customer.searchWords": 1, "customer.id": 1 },
      name: "customer_words",
      partialFilterExpression: ofCustomers,
    },
    {
      key: { tenantId: 1, "customer.findKeys": 1, "customer.agentId": 1 },
      name: "customer_find",
      partialFilterExpression: { "customer.findKeys": { $exists: true } },
    },
    {
      key: { tenantId: 1, "customer.standing.status": 1, "customer.id": 1 },
      name: "customer_status",
      partialFilterExpression: ofCustomers,
    },
    // Whoever has no mark stands first in it, in the order of their ids.
    { key: { isIntroduced: 1, _id: 1 }, name: "introduced" },
    {
      key: { tenantId: 1, "customer.phone.lookUp": 1, "customer.id": 1 },
      name: "customer_phone",
      partialFilterExpression: { "customer.phone.lookUp": { $exists: true } },
    },
    {
      key: { tenantId: 1, role: 1, _id: 1 },
      name: "staff",
      partialFilterExpression: { role: { $in: ["MANAGER", "AGENT", "CASHIER"] } },
    },
    {
      key: { "disabled.at": 1 },
      name: "disabled",
      partialFilterExpression: { "disabled.at": { $exists: true } },
    },
  ]);
  await createIndexes(db, "registrations", [{ key: { expiresAt: 1 }, name: "expires", expireAfterSeconds: 0 }]);
  await createIndexes(db, "contact_changes", [
    { key: { tenantId: 1, userId: 1, type: 1, createdAt: -1 }, name: "user" },
    // Changes outlive their end by a week, since the relay still tells the old contact.
    { key: { expiresAt: 1 }, name: "expires", expireAfterSeconds: 7 * 86_400 },
  ]);
  await createIndexes(db, "transfer_parties", [
    { key: { tenantId: 1, transfer: 1 }, name: "one_per_transfer", unique: true },
    { key: { tenantId: 1, customerId: 1 }, name: "customer" },
    { key: { expiresAt: 1 }, name: "expires", expireAfterSeconds: 0 },
  ]);
  await createIndexes(db, "audit", [{ key: { tenantId: 1, subject: 1, _id: 1 }, name: "subject" }]);
  await createIndexes(db, "personal_answers", [{ key: { tenantId: 1, userId: 1 }, name: "user" }]);
  await createIndexes(db, "erasures", [
    { key: { tenantId: 1, customerId: 1 }, name: "one_per_customer", unique: true },
  ]);
}

async function createCredentialIndexes(db: Connection): Promise<void> {
  await createIndexes(db, "sessions", [
    { key: { tenantId: 1, userId: 1 }, name: "user" },
    { key: { endsAt: 1 }, name: "ends", expireAfterSeconds: 0 },
  ]);
  await createIndexes(db, "revocations", [
    { key: { mirrored: 1 }, name: "unmirrored", partialFilterExpression: { mirrored: false } },
    { key: { expiresAt: 1 }, name: "expires", expireAfterSeconds: 0 },
  ]);
  await createIndexes(db, "keys", [
    { key: { purpose: 1 }, name: "one_current", unique: true, partialFilterExpression: { state: "CURRENT" } },
  ]);
  await createIndexes(db, "password_resets", [{ key: { expiresAt: 1 }, name: "expires", expireAfterSeconds: 0 }]);
  await createIndexes(db, "known_places", [
    { key: { tenantId: 1, userId: 1 }, name: "user" },
    { key: { expiresAt: 1 }, name: "expires", expireAfterSeconds: 0 },
  ]);
  await createIndexes(db, "api_tokens", [
    { key: { tenantId: 1, "secrets.lookUp": 1 }, name: "secret", unique: true },
    { key: { tenantId: 1, userId: 1, createdAt: -1 }, name: "user" },
  ]);
}

async function createFactorIndexes(db: Connection): Promise<void> {
  await createIndexes(db, "payment_codes", [
    { key: { tenantId: 1, userId: 1, binding: 1, createdAt: -1 }, name: "binding" },
    { key: { expiresAt: 1 }, name: "expires", expireAfterSeconds: 3_600 },
  ]);
  await createIndexes(db, "factor_resets", [
    {
      key: { tenantId: 1, userId: 1 },
      name: "one_open",
      unique: true,
      partialFilterExpression: { open: true },
    },
  ]);
}

function unique(name: string, path: string) {
  return {
    key: { tenantId: 1, [path]: 1 } as Record<string, 1>,
    name,
    unique: true,
    partialFilterExpression: { [path]: { $exists: true } },
  };
}
