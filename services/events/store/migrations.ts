import type { Connection } from "mongoose";
import { dataKeyCollection, dataKeyIndexes } from "../../kernel/keys/data-keys.js";
import { createErasureIndexes } from "../../platform/erasure/erasure.js";
import { createIdempotencyIndexes } from "../../kernel/idempotency/index.js";
import { createMasterKeyIndexes } from "../../kernel/keys/wrapped-keys.js";
import { createIndexes, type Migration } from "../../kernel/mongo/migrations.js";
import { createOutboxIndexes } from "../../kernel/outbox/index.js";
import { collections } from "./collections.js";

/** Changes of the database of events, in the order they are applied. */
export const migrations: Migration[] = [{ id: "0001-indexes", up: createAllIndexes }];

async function createAllIndexes(db: Connection): Promise<void> {
  await createIndexes(db, collections.events, [
    { key: { tenantId: 1, eventId: 1 }, name: "one_per_id", unique: true },
    { key: { tenantId: 1, place: 1 }, name: "one_per_place", unique: true },
    { key: { tenantId: 1, subject: 1, sequence: 1 }, name: "one_per_sequence", unique: true },
    { key: { tenantId: 1, type: 1, place: 1 }, name: "by_type" },
    { key: { tenantId: 1, recordedAt: 1, place: 1 }, name: "by_time" },
    { key: { tenantId: 1, customerId: 1, place: 1 }, name: "by_customer" },
    { key: { expiresAt: 1 }, name: "old", expireAfterSeconds: 0 },
  ]);
  await createIndexes(db, collections.places, [{ key: { tenantId: 1 }, name: "one_per_tenant", unique: true }]);
  await createIndexes(db, collections.subjects, [
    { key: { tenantId: 1, subject: 1 }, name: "one_per_subject", unique: true },
  ]);
  await createIndexes(db, collections.erased, [
    { key: { tenantId: 1, customerId: 1 }, name: "one_per_customer", unique: true },
  ]);
  await createIndexes(db, collections.endpoints, [
    { key: { tenantId: 1, endpointId: 1 }, name: "one_per_id", unique: true },
  ]);
  await createIndexes(db, collections.lanes, [
    { key: { tenantId: 1, endpointId: 1 }, name: "one_per_endpoint", unique: true },
    { key: { dueAt: 1 }, name: "due", partialFilterExpression: { isActive: true, dueAt: { $exists: true } } },
  ]);
  await createIndexes(db, collections.templates, [
    { key: { tenantId: 1, kind: 1, channel: 1, language: 1 }, name: "one_per_language", unique: true },
  ]);
  await createIndexes(db, collections.schedules, [{ key: { tenantId: 1 }, name: "one_per_tenant", unique: true }]);
  await createDeliveryIndexes(db);
  await createIndexes(db, dataKeyCollection, [...dataKeyIndexes]);
  await createMasterKeyIndexes(db);
  await createErasureIndexes(db);
  await createIdempotencyIndexes(db);
  await createOutboxIndexes(db);
}

async function createDeliveryIndexes(db: Connection): Promise<void> {
  await createIndexes(db, collections.deliveries, [
    { key: { tenantId: 1, deliveryId: 1 }, name: "one_per_id", unique: true },
    { key: { tenantId: 1, endpointId: 1, eventId: 1 }, name: "one_per_event", unique: true },
    { key: { tenantId: 1, eventId: 1 }, name: "by_event" },
    { key: { tenantId: 1, endpointId: 1, place: -1 }, name: "newest" },
    { key: { tenantId: 1, endpointId: 1, status: 1, place: -1 }, name: "by_status" },
    { key: { tenantId: 1, customerId: 1 }, name: "by_customer" },
    {
      key: { tenantId: 1, endpointId: 1, dueAt: 1 },
      name: "due",
      partialFilterExpression: { dueAt: { $exists: true } },
    },
    // Of an ordered endpoint's subject one delivery is on its way.
    { key: { tenantId: 1, line: 1 }, name: "one_head", unique: true, partialFilterExpression: { isHead: true } },
    { key: { tenantId: 1, line: 1, place: 1 }, name: "waiting", partialFilterExpression: { isWaiting: true } },
    { key: { expiresAt: 1 }, name: "old", expireAfterSeconds: 0 },
  ]);
}
