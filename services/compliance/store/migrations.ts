import type { Connection } from "mongoose";
import { createErasureIndexes } from "../../platform/erasure/erasure.js";
import { createForcedOutcomeIndexes } from "../../platform/sandbox/forced-outcome-store.js";
import { createIndexes, type Migration } from "../../kernel/mongo/migrations.js";
import { createIdempotencyIndexes } from "../../kernel/idempotency/index.js";
import { createOutboxIndexes } from "../../kernel/outbox/index.js";
import { collections } from "../common/store/collections.js";
import { createScreeningIndexes } from "../screening/store/screening-indexes.js";

/** Changes of compliance's database, in the order they are applied. */
export const migrations: Migration[] = [{ id: "0001-indexes", up: createAllIndexes }];

async function createAllIndexes(db: Connection): Promise<void> {
  await createPolicyAndCustomerIndexes(db);
  await createDecisionIndexes(db);
  await createOversightIndexes(db);
  await createIndexes(db, collections.documentFiles, [
    { key: { tenantId: 1, "metadata.customerId": 1, _id: 1 }, name: "by_customer" },
    { key: { tenantId: 1, "metadata.state": 1, _id: 1 }, name: "by_state" },
  ]);
  await createIndexes(db, collections.documentChunks, [
    { key: { tenantId: 1, files_id: 1, n: 1 }, name: "one_per_place", unique: true },
    { key: { expiresAt: 1 }, name: "never_handed_in", expireAfterSeconds: 0 },
  ]);
  await createIndexes(db, collections.uploadQuotas, [
    { key: { tenantId: 1, owner: 1 }, name: "one_per_owner", unique: true },
    { key: { expiresAt: 1 }, name: "nothing_open", expireAfterSeconds: 0 },
  ]);
  await createScreeningListIndexes(db);
  await createScreeningPolicyIndexes(db);
  await createScreeningIndexes(db);
  await createExemptionIndexes(db);
  await createCaseIndexes(db);
  await createForcedOutcomeIndexes(db, collections.forced);
  await createIdempotencyIndexes(db);
  await createOutboxIndexes(db);
  await createErasureIndexes(db);
}

async function createScreeningListIndexes(db: Connection): Promise<void> {
  await createIndexes(db, collections.screeningLists, [
    { key: { tenantId: 1, listId: 1 }, name: "one_per_id", unique: true },
    { key: { tenantId: 1, source: 1, version: -1 }, name: "one_per_version", unique: true },
    {
      key: { tenantId: 1, source: 1, isActive: 1 },
      name: "one_active_per_source",
      unique: true,
      partialFilterExpression: { isActive: true },
    },
    { key: { isActive: 1 }, name: "in_use", partialFilterExpression: { isActive: true } },
    { key: { dueAt: 1 }, name: "to_be_loaded", partialFilterExpression: { status: "LOADING" } },
  ]);
  await createIndexes(db, collections.screeningListEntries, [
    { key: { tenantId: 1, loadId: 1, entryId: 1 }, name: "one_per_entry", unique: true },
    {
      key: { tenantId: 1, loadId: 1, change: 1, entryId: 1 },
      name: "changes",
      partialFilterExpression: { change: { $exists: true } },
    },
  ]);
  await createIndexes(db, collections.screeningListParts, [
    { key: { tenantId: 1, uploadId: 1, offset: 1 }, name: "one_per_place", unique: true },
    { key: { expiresAt: 1 }, name: "never_loaded", expireAfterSeconds: 0 },
  ]);
}

async function createExemptionIndexes(db: Connection): Promise<void> {
  await createIndexes(db, collections.screeningExemptions, [
    { key: { tenantId: 1, exemptionId: -1 }, name: "one_per_id", unique: true },
    { key: { tenantId: 1, screeningId: 1, hitId: 1 }, name: "one_per_hit", unique: true },
    { key: { tenantId: 1, "subject.kind": 1, "subject.id": 1 }, name: "by_subject" },
    { key: { tenantId: 1, "subject.customerId": 1, exemptionId: -1 }, name: "by_customer" },
  ]);
}

async function createScreeningPolicyIndexes(db: Connection): Promise<void> {
  await createIndexes(db, collections.screeningPolicies, [
    { key: { tenantId: 1, version: -1 }, name: "one_per_version", unique: true },
  ]);
  await createIndexes(db, collections.screeningPolicyDrafts, [
    { key: { tenantId: 1 }, name: "one_per_tenant", unique: true },
  ]);
}

async function createPolicyAndCustomerIndexes(db: Connection): Promise<void> {
  await createIndexes(db, collections.policies, [
    { key: { tenantId: 1, version: -1 }, name: "one_per_version", unique: true },
  ]);
  await createIndexes(db, collections.drafts, [{ key: { tenantId: 1 }, name: "one_per_tenant", unique: true }]);
  await createIndexes(db, collections.statuses, [
    { key: { tenantId: 1, customerId: 1 }, name: "one_per_customer", unique: true },
  ]);
  await createIndexes(db, collections.statusChanges, [
    { key: { tenantId: 1, customerId: 1, sequence: 1 }, name: "one_per_sequence", unique: true },
  ]);
  await createIndexes(db, collections.scores, [
    { key: { tenantId: 1, customerId: 1, sequence: -1 }, name: "one_per_sequence", unique: true },
  ]);
}

async function createDecisionIndexes(db: Connection): Promise<void> {
  await createIndexes(db, collections.decisions, [
    { key: { tenantId: 1, transactionId: 1 }, name: "one_per_transaction", unique: true },
    { key: { tenantId: 1, "inputs.facts.customerId": 1, "inputs.day": 1 }, name: "by_customer_and_day" },
    { key: { tenantId: 1, decidedAt: 1 }, name: "by_time" },
    // The index has open decisions alone.
    {
      key: { tenantId: 1, isOpen: 1, transactionId: 1, isBlocked: 1, isPayeeBlocked: 1 },
      name: "open",
      partialFilterExpression: { isOpen: true },
    },
    {
      key: { tenantId: 1, transactionId: 1 },
      name: "screening_unavailable",
      partialFilterExpression: { isOpen: true, reasonCode: "SCREENING_UNAVAILABLE" },
    },
    // What waits for a word on whose wallet it pays.
    {
      key: { tenantId: 1, "inputs.screening.walletOwner": 1, transactionId: 1 },
      name: "open_into_wallets",
      partialFilterExpression: { isOpen: true, "inputs.screening.walletOwner": { $exists: true } },
    },
  ]);
  await createIndexes(db, collections.days, [
    { key: { tenantId: 1, customerId: 1, day: 1 }, name: "one_per_day", unique: true },
  ]);
  await createIndexes(db, collections.recipients, [
    { key: { tenantId: 1, customerId: 1, recipient: 1 }, name: "one_per_recipient", unique: true },
  ]);
}

async function createOversightIndexes(db: Connection): Promise<void> {
  await createIndexes(db, collections.verifications, [
    { key: { tenantId: 1, verificationId: 1 }, name: "one_per_id", unique: true },
    { key: { tenantId: 1, customerId: 1, kind: 1, verificationId: -1 }, name: "by_customer" },
  ]);
  await createIndexes(db, collections.agentContacts, [
    { key: { tenantId: 1, agentId: 1 }, name: "one_per_agent", unique: true },
  ]);
  await createIndexes(db, collections.overrides, [
    { key: { tenantId: 1, overrideId: -1 }, name: "one_per_id", unique: true },
    { key: { tenantId: 1, requestedBy: 1, key: 1 }, name: "one_per_key", unique: true },
  ]);
  await createIndexes(db, collections.audit, [
    { key: { tenantId: 1, entryId: -1 }, name: "one_per_id", unique: true },
    // An entry is found by each of those that it is about.
    { key: { tenantId: 1, subjects: 1, entryId: -1 }, name: "by_subjects" },
  ]);
}

async function createCaseIndexes(db: Connection): Promise<void> {
  const open = { isOpen: true };
  await createIndexes(db, collections.cases, [
    { key: { tenantId: 1, caseId: 1 }, name: "one_per_id", unique: true },
    { key: { tenantId: 1, number: 1 }, name: "one_per_number", unique: true },
    {
      key: { tenantId: 1, subjectKind: 1, subjectId: 1 },
      name: "one_open_per_subject",
      unique: true,
      partialFilterExpression: open,
    },
    { key: { tenantId: 1, subjectKind: 1, subjectId: 1, number: -1 }, name: "by_subject" },
    { key: { tenantId: 1, customerId: 1, number: 1 }, name: "by_customer" },
    { key: { tenantId: 1, screeningIds: 1 }, name: "by_screening" },
    { key: { tenantId: 1, transactionIds: 1 }, name: "by_transaction" },
    // The queues are of open cases alone.
    { key: { tenantId: 1, isOpen: 1, number: 1 }, name: "by_age", partialFilterExpression: open },
    { key: { tenantId: 1, isOpen: 1, rank: -1, number: 1 }, name: "by_priority", partialFilterExpression: open },
    { key: { tenantId: 1, isOpen: 1, dueAt: 1, number: 1 }, name: "by_due", partialFilterExpression: open },
    { key: { tenantId: 1, isOpen: 1, assignee: 1, number: 1 }, name: "by_assignee", partialFilterExpression: open },
    { key: { tenantId: 1, isOpen: 1, snoozedUntil: 1 }, name: "by_snooze", partialFilterExpression: open },
  ]);
  await createIndexes(db, collections.caseEvents, [
    { key: { tenantId: 1, caseId: 1, sequence: 1 }, name: "one_per_sequence", unique: true },
    {
      key: { tenantId: 1, rowId: 1 },
      name: "by_row",
      partialFilterExpression: { rowId: { $exists: true } },
    },
    { key: { tenantId: 1, customerId: 1 }, name: "by_customer" },
  ]);
  await createIndexes(db, collections.caseNumbers, [{ key: { tenantId: 1 }, name: "one_per_tenant", unique: true }]);
  await createIndexes(db, collections.caseFileChunks, [
    { key: { tenantId: 1, files_id: 1, n: 1 }, name: "one_per_place", unique: true },
    { key: { expiresAt: 1 }, name: "never_attached", expireAfterSeconds: 0 },
  ]);
}
