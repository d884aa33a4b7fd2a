import type { Connection } from "mongoose";
import { erasedText, storedResponses, type RetainedRecords } from "../../platform/erasure/erasure.js";
import { waitingEvents } from "../../platform/events/erasure.js";
import type { Idempotency } from "../../kernel/idempotency/index.js";
import { tenantCollection, type Filter } from "../../kernel/mongo/tenant-collection.js";
import type { Application } from "../domain/application.js";
import type { Repayment } from "../domain/repayment.js";
import { collections } from "./collections.js";
import type { CreditRow } from "./credits.js";
import type { EntityRow } from "./rows.js";

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
  const all = tenantCollection<EntityRow<Repayment>>(db, collections.repayments);
  const named = (customerId: string) =>
    ({ customerId, customerName: { $ne: erasedText } }) as Filter<EntityRow<Repayment>>;
  const gone = { customerName: erasedText, email: "", narration: "", reason: "" };
  return {
    kind: "repayments",
    async erase({ tenantId, customerId }, limit, session) {
      const own = all.forTenant(tenantId);
      const settled = { ...named(customerId), status: { $ne: "PENDING_VERIFICATION" } } as never;
      const found = await own.find(settled, { limit, session, projection: { _id: 1 } });
      const those = { _id: { $in: found.map(({ _id }) => _id) } };
      if (found.length > 0) await own.updateMany(those, { $set: gone }, { session });
      return found.length;
    },
    count: ({ tenantId, customerId }) => all.forTenant(tenantId).count(named(customerId)),
  };
}

/** Bank transfers that repaid the customer's loans, with who sent them. */
function receivedTransfers(db: Connection): RetainedRecords {
  const credits = tenantCollection<CreditRow>(db, collections.credits);
  const repaid = tenantCollection<EntityRow<Repayment>>(db, collections.repayments);
  const paidOff = tenantCollection<{ _id: string; tenantId: string; customerId: string }>(db, collections.payoffs);
  const arrived = async (tenantId: string, customerId: string) => {
    const projection = { _id: 1 };
    const repayments = await repaid.forTenant(tenantId).find({ customerId }, { projection });
    const payoffs = await paidOff.forTenant(tenantId).find({ customerId }, { projection });
    const matchedTo = { $in: [...repayments, ...payoffs].map(({ _id }) => _id) };
    return { matchedTo, senderName: { $ne: erasedText } } as Filter<CreditRow>;
  };
  return {
    kind: "received-bank-transfers",
    async erase({ tenantId, customerId }, limit, session) {
      const own = credits.forTenant(tenantId);
      const found = await own.find(await arrived(tenantId, customerId), { limit, session, projection: { _id: 1 } });
      const those = { _id: { $in: found.map(({ _id }) => _id) } };
      if (found.length > 0) await own.updateMany(those, { $set: { senderName: erasedText } }, { session });
      return found.length;
    },
    count: async ({ tenantId, customerId }) => credits.forTenant(tenantId).count(await arrived(tenantId, customerId)),
  };
}

/** Applications with what the customer said of their means and plans. */
function applications(db: Connection): RetainedRecords {
  const all = tenantCollection<EntityRow<Application>>(db, collections.applications);
  const unerased = (customerId: string) =>
    ({ customerId, purpose: { $ne: erasedText } }) as Filter<EntityRow<Application>>;
  const gone = { purpose: erasedText, incomeMinor: 0n, obligationsMinor: 0n, reason: "" };
  return {
    kind: "loan-applications",
    async erase({ tenantId, customerId }, limit, session) {
      const own = all.forTenant(tenantId);
      // One that nobody has decided on still needs them.
      const decided = { ...unerased(customerId), status: { $ne: "SUBMITTED" } } as never;
      const found = await own.find(decided, { limit, session, projection: { _id: 1 } });
      const those = { _id: { $in: found.map(({ _id }) => _id) } };
      if (found.length > 0) await own.updateMany(those, { $set: gone, $inc: { version: 1 } } as object, { session });
      return found.length;
    },
    count: ({ tenantId, customerId }) => all.forTenant(tenantId).count(unerased(customerId)),
  };
}
