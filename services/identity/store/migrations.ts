import type { Connection } from "mongoose";
import { v7 as uuidv7 } from "uuid";
import { createIdempotencyIndexes } from "../../shared/idempotency/index.js";
import { createIndexes, type Migration } from "../../shared/mongo/migrations.js";
import { acrossTenants } from "../../shared/mongo/tenant-collection.js";
import { addMissingRows, createOutboxIndexes } from "../../shared/outbox/index.js";
import { personalDataKeepers, retainedUntil } from "../domain/erasure.js";
import { sandboxIdOf } from "../../shared/sandbox.js";
import { erasureRow } from "../jobs/erasure.js";
import type { FieldCipher } from "../credentials/sealing.js";
import type { ErasureDocument, StoredCustomerPart, StoredUser, TenantDocument } from "./documents.js";

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
  {
    id: "0002-accounts",
    async up(db) {
      await createOutboxIndexes(db);
      await createIndexes(db, "users", [
        {
          key: { tenantId: 1, role: 1, _id: 1 },
          name: "staff",
          partialFilterExpression: { role: { $in: ["MANAGER", "AGENT", "CASHIER"] } },
        },
        {
          key: { tenantId: 1, "customer.phone.lookUp": 1, "customer.id": 1 },
          name: "customer_phone",
          partialFilterExpression: { "customer.phone.lookUp": { $exists: true } },
        },
        {
          key: { "disabled.at": 1 },
          name: "disabled",
          partialFilterExpression: { "disabled.at": { $exists: true } },
        },
      ]);
      await createIndexes(db, "password_resets", [{ key: { expiresAt: 1 }, name: "expires", expireAfterSeconds: 0 }]);
      await createIndexes(db, "audit", [{ key: { tenantId: 1, subject: 1, _id: 1 }, name: "subject" }]);
      await createIndexes(db, "personal_answers", [{ key: { tenantId: 1, userId: 1 }, name: "user" }]);
    },
  },
  {
    id: "0003-sandboxes",
    async up(db) {
      const tenants = acrossTenants<TenantDocument>(db, "tenants", "migration: a sandbox for every tenant");
      for (const live of await tenants.find({ sandboxOf: { $exists: false } })) {
        const { _id, tenantId: _tenantId, ...content } = live;
        const sandboxId = sandboxIdOf(_id);
        const sandbox = { ...content, hosts: [], sandboxOf: _id };
        const own = { _id: sandboxId, tenantId: sandboxId };
        await tenants.updateOne(own, { $setOnInsert: sandbox }, { upsert: true });
      }
    },
  },
  {
    id: "0005-tokens-codes-approvals",
    async up(db) {
      await createIndexes(db, "api_tokens", [
        { key: { tenantId: 1, "secrets.lookUp": 1 }, name: "secret", unique: true },
        { key: { tenantId: 1, userId: 1, createdAt: -1 }, name: "user" },
      ]);
      await createIndexes(db, "payment_codes", [
        { key: { tenantId: 1, userId: 1, binding: 1, createdAt: -1 }, name: "binding" },
        { key: { expiresAt: 1 }, name: "expires", expireAfterSeconds: 3_600 },
      ]);
      await createIndexes(db, "approvals", [{ key: { tenantId: 1, status: 1, _id: -1 }, name: "status" }]);
    },
  },
  {
    id: "0006-preference-changes",
    async up(db) {
      await createIndexes(db, "preference_changes", [{ key: { tenantId: 1, _id: -1 }, name: "newest_first" }]);
    },
  },
  {
    id: "0007-erasures",
    async up(db) {
      await createIndexes(db, "erasures", [
        { key: { tenantId: 1, customerId: 1 }, name: "one_per_customer", unique: true },
      ]);
      await tellOfErased(db);
    },
  },
  {
    id: "0008-known-places",
    async up(db) {
      await createIndexes(db, "known_places", [
        { key: { tenantId: 1, userId: 1 }, name: "user" },
        { key: { expiresAt: 1 }, name: "expires", expireAfterSeconds: 0 },
      ]);
    },
  },
  {
    id: "0009-contacts-registrations-resets",
    async up(db) {
      await createIndexes(db, "contact_changes", [
        { key: { tenantId: 1, userId: 1, type: 1, createdAt: -1 }, name: "user" },
        // The relay still tells the old contact after it is over.
        { key: { expiresAt: 1 }, name: "expires", expireAfterSeconds: 7 * 86_400 },
      ]);
      await createIndexes(db, "registrations", [{ key: { expiresAt: 1 }, name: "expires", expireAfterSeconds: 0 }]);
      await createIndexes(db, "factor_resets", [
        {
          key: { tenantId: 1, userId: 1 },
          name: "one_open",
          unique: true,
          partialFilterExpression: { open: true },
        },
      ]);
    },
  },
];

/** Tells the services of those who were erased before services were told. */
async function tellOfErased(db: Connection): Promise<void> {
  const reason = "migration: erasures told to services";
  const users = acrossTenants<StoredUser>(db, "users", reason);
  const tenants = acrossTenants<TenantDocument>(db, "tenants", reason);
  const erasures = acrossTenants<ErasureDocument>(db, "erasures", reason);
  for await (const { _id: userId, tenantId, customer, erasedAt: at, disabled } of users.stream({
    erasedAt: { $exists: true },
  })) {
    if (customer === undefined || at === undefined) continue;
    const { by = "operator", reason: why = "" } = disabled ?? {};
    const tenant = await tenants.findOne({ _id: tenantId });
    const customerId = customer.id;
    const erasure = {
      _id: uuidv7(),
      userId,
      at,
      by,
      reason: why,
      retainedUntil: retainedUntil(at, tenant?.preference ?? {}),
      services: [...personalDataKeepers],
      answers: [],
    };
    await erasures.updateOne({ tenantId, customerId }, { $setOnInsert: erasure }, { upsert: true });
    const told = { tenantId, userId, customerId, interactionId: `erasure-${customerId}`, actor: by };
    const now = new Date();
    const turn = { stage: "AT_ONCE" as const, round: 1, dueAt: now };
    const rows = personalDataKeepers.map((service) => erasureRow(told, service, 1, turn));
    await addMissingRows(db, rows, now);
  }
}

/** Seals the phone numbers that were stored as they are. Needs the keys, so it comes after they are opened. */
export function sealPhoneNumbers(cipher: FieldCipher): Migration {
  return {
    id: "0004-seal-phone-numbers",
    async up(db) {
      const users = acrossTenants<StoredUser>(db, "users", "migration: seal phone numbers");
      const plain = { "customer.phoneNumber": { $exists: true } } as object;
      for await (const { _id, tenantId, customer } of users.stream(plain)) {
        const { phoneNumber = "" } = customer as StoredCustomerPart & { phoneNumber?: string };
        const lookUp = cipher.lookUp(tenantId, "phone", phoneNumber);
        const phone = { ...cipher.seal(phoneNumber, `${tenantId}/${_id}/phone`), lookUp };
        const change = {
          $unset: { "customer.phoneNumber": true },
          ...(phoneNumber === "" ? {} : { $set: { "customer.phone": phone } }),
        };
        await users.updateOne({ _id, ...plain }, change as object);
      }
    },
  };
}

function unique(name: string, path: string) {
  return {
    key: { tenantId: 1, [path]: 1 } as Record<string, 1>,
    name,
    unique: true,
    partialFilterExpression: { [path]: { $exists: true } },
  };
}
