import type { Connection } from "mongoose";
import { erasedDocuments, erasedText, storedResponses, type RetainedRecords } from "../../platform/erasure/erasure.js";
import { waitingEvents } from "../../platform/events/erasure.js";
import type { Idempotency } from "../../kernel/idempotency/index.js";
import { tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import { collections } from "./collections.js";

/**
 * What lending keeps of people, and how long. Loans, with their schedules and postings, name them
 * by their ids alone.
 */
export function personalRecords(db: Connection, idempotency: Idempotency) {
  return {
    atOnce: [storedResponses(idempotency), waitingEvents(db)],
    // Who sent a transfer is found by the repayment that it was for, so before the repayment is
    // erased.
    afterRetention: [receivedTransfers(db), repayments(db), applications(db)],
  };
}

/** Repayments with the name and address of who announced them. */
function repayments(db: Connection): RetainedRecords {
  return erasedDocuments(db, {
    kind: "repayments",
    collection: collections.repayments,
    which: ({ customerId }) => ({ customerId, customerName: { $ne: erasedText } }),
    settled: { status: { $ne: "PENDING_VERIFICATION" } },
    change: { $set: { customerName: erasedText, email: "", narration: "", reason: "" } },
  });
}

/** Bank transfers that repaid the customer's loans, with who sent them. */
function receivedTransfers(db: Connection): RetainedRecords {
  type Owned = { _id: string; tenantId: string; customerId: string };
  const all = [collections.repayments, collections.payoffs].map((name) => tenantCollection<Owned>(db, name));
  return erasedDocuments(db, {
    kind: "received-bank-transfers",
    collection: collections.credits,
    async which({ tenantId, customerId }) {
      const projection = { _id: 1 };
      const found = await Promise.all(all.map((of) => of.forTenant(tenantId).find({ customerId }, { projection })));
      return { matchedTo: { $in: found.flat().map(({ _id }) => _id) }, senderName: { $ne: erasedText } };
    },
    change: { $set: { senderName: erasedText } },
  });
}

/** Applications with what the customer said of their means and plans. */
function applications(db: Connection): RetainedRecords {
  return erasedDocuments(db, {
    kind: "loan-applications",
    collection: collections.applications,
    which: ({ customerId }) => ({ customerId, purpose: { $ne: erasedText } }),
    // One that nobody has decided on still needs them.
    settled: { status: { $ne: "SUBMITTED" } },
    change: {
      $set: { purpose: erasedText, incomeMinor: 0n, obligationsMinor: 0n, reason: "" },
      $inc: { version: 1 },
    },
  });
}
