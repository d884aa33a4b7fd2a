import { createErasureIndexes } from "../../platform/erasure/erasure.js";
import { createIdempotencyIndexes } from "../../kernel/idempotency/index.js";
import { createIndexes, type Migration } from "../../kernel/mongo/migrations.js";
import { createOutboxIndexes } from "../../kernel/outbox/index.js";
import { collections } from "./collections.js";

const waiting = { status: "PENDING_VERIFICATION" };

/** Indexes of lending's database. */
export const migrations: Migration[] = [
  {
    id: "0001-indexes",
    async up(db) {
      await createIndexes(db, collections.products, [
        { key: { tenantId: 1, productId: 1, version: -1 }, name: "one_per_version", unique: true },
      ]);
      await createIndexes(db, collections.calendars, [{ key: { tenantId: 1, _id: 1 }, name: "by_tenant" }]);
      await createIndexes(db, collections.applications, [
        { key: { tenantId: 1, customerId: 1, _id: -1 }, name: "by_customer" },
        { key: { tenantId: 1, status: 1, _id: -1 }, name: "by_status" },
        {
          key: { askAgainAt: 1, _id: 1 },
          name: "in_review",
          partialFilterExpression: { askAgainAt: { $exists: true } },
        },
      ]);
      await createIndexes(db, collections.loans, [
        { key: { tenantId: 1, customerId: 1, _id: -1 }, name: "by_customer" },
        {
          key: { tenantId: 1, loanApplicationId: 1 },
          name: "one_per_application",
          unique: true,
          partialFilterExpression: { loanApplicationId: { $exists: true } },
        },
        { key: { tenantId: 1, slot: 1, _id: 1 }, name: "accruing", partialFilterExpression: { status: "ACTIVE" } },
        { key: { tenantId: 1, _id: 1 }, name: "by_id" },
        { key: { tenantId: 1, reference: 1, _id: 1 }, name: "by_reference" },
      ]);
      await createIndexes(db, collections.repayments, [
        { key: { tenantId: 1, customerId: 1, _id: -1 }, name: "by_customer" },
        { key: { tenantId: 1, accountId: 1, _id: 1 }, name: "waiting_of_loan", partialFilterExpression: waiting },
        {
          key: { tenantId: 1, matchReference: 1, _id: 1 },
          name: "waiting_by_reference",
          partialFilterExpression: waiting,
        },
        { key: { tenantId: 1, _id: 1 }, name: "waiting", partialFilterExpression: waiting },
      ]);
      await createIndexes(db, collections.payoffs, [
        {
          key: { tenantId: 1, matchReference: 1, _id: 1 },
          name: "waiting_by_reference",
          partialFilterExpression: { status: "PENDING" },
        },
      ]);
      await createIndexes(db, collections.quotes, [
        { key: { tenantId: 1, accountId: 1, _id: -1 }, name: "by_loan" },
        // Kept a month after they lapse.
        { key: { validUntil: 1 }, expireAfterSeconds: 30 * 86_400 },
      ]);
      await createIndexes(db, collections.overpaymentRefunds, [
        { key: { tenantId: 1, accountId: 1, _id: -1 }, name: "by_loan" },
      ]);
      const inSuspense = { state: "SUSPENSE" };
      await createIndexes(db, collections.credits, [
        { key: { tenantId: 1, matchReference: 1, _id: 1 }, name: "suspense", partialFilterExpression: inSuspense },
        { key: { tenantId: 1, receivedAt: 1 }, name: "suspense_by_age", partialFilterExpression: inSuspense },
      ]);
      await createIndexes(db, collections.postings, [
        { key: { tenantId: 1, _id: 1 }, name: "open", partialFilterExpression: { isOpen: true } },
      ]);
      await createIndexes(db, collections.tenants, [{ key: { tenantId: 1 }, unique: true }]);
      await createIndexes(db, collections.ranges, [
        { key: { tenantId: 1, date: -1, slot: 1 }, name: "one_per_share", unique: true },
      ]);
      await createIndexes(db, "approval_outcomes", [{ key: { tenantId: 1, _id: 1 }, name: "by_tenant" }]);
      await createIdempotencyIndexes(db);
      await createOutboxIndexes(db);
      await createErasureIndexes(db);
      for (const [name, partner, status] of [
        [collections.applications, "disbursement.partner.installationId", "disbursement.status"],
        [collections.overpaymentRefunds, "partner.installationId", "status"],
        [collections.payoffs, "partner.installationId", "status"],
      ] as const) {
        await createIndexes(db, name, [
          {
            key: { tenantId: 1, [partner]: 1, [status]: 1 },
            name: "by_own_partner",
            partialFilterExpression: { [partner]: { $exists: true } },
          },
        ]);
      }
    },
  },
];
