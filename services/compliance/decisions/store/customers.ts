import type { RecordCollection } from "../../../kernel/mongo/record-collection.js";
import type { HistoryVersion } from "../domain/customer-history.js";
import type { CustomerRecord, StatusChange } from "../domain/customer.js";
import type { StoredScore } from "../domain/risk.js";
import type { Page, Session } from "../../common/store/collections.js";

/**
 * Kept beside a customer's record: `checks` is raised by every lock, so that two locks conflict.
 */
type Counters = HistoryVersion & { checks: number };

const lockedProjection = { _id: 0, tenantId: 0, checks: 0 };
const recordProjection = { ...lockedProjection, pastChanges: 0, lastDay: 0 };

/** What moves of a customer go by, and whether they were assessed by the newest policy. */
export type Movable = Pick<CustomerRecord, "status" | "holds" | "policyVersion" | "nextExpiryAt">;

/** What is held of customers: one record each, how their status came about, and their scores. */
export function customerStore(
  statuses: RecordCollection<CustomerRecord>,
  changes: RecordCollection<StatusChange>,
  scores: RecordCollection<StoredScore>,
) {
  return {
    findCustomer: (customerId: string, session?: Session): Promise<CustomerRecord | undefined> =>
      statuses.findOne({ customerId }, { projection: recordProjection, session }),
    /**
     * What a payment to a customer is asked by: PENDING and unstopped
     * where nothing is held of them.
     */
    async payeeOf(customerId: string): Promise<Pick<CustomerRecord, "status" | "holds">> {
      const options = { projection: { _id: 0, status: 1, holds: 1 } };
      return (await statuses.findOne({ customerId }, options)) ?? { status: "PENDING" };
    },
    /**
     * What moves are asked by, of those that anything is held of; the
     * others are PENDING and unstopped.
     */
    async movablesOf(customerIds: readonly string[]): Promise<Map<string, Movable>> {
      const options = { projection: { _id: 0, customerId: 1, status: 1, holds: 1, policyVersion: 1, nextExpiryAt: 1 } };
      const found = await statuses.find({ customerId: { $in: [...customerIds] } }, options);
      return new Map(found.map(({ customerId, ...movable }) => [customerId, movable]));
    },
    /**
     * Locks the customer for this transaction: whoever else decides on them waits or begins anew.
     */
    lockCustomer(customerId: string, session: Session): Promise<CustomerRecord | undefined> {
      const options = { session, returnDocument: "after", projection: recordProjection } as const;
      return statuses.findOneAndUpdate({ customerId }, { $inc: { checks: 1 } } as object, options);
    },
    /** The same of several, nothing of whom is asked. */
    async lockCustomers(customerIds: readonly string[], session: Session): Promise<void> {
      const all = { customerId: { $in: [...customerIds] } };
      await statuses.updateMany(all, { $inc: { checks: 1 } } as object, { session });
    },
    /**
     * Locks several for decisions that fall on `day`; those that nothing is held of are left out.
     */
    async lockCustomersOn(customerIds: readonly string[], day: string, session: Session): Promise<LockedCustomers> {
      const change = { $inc: { checks: 1 }, $max: { lastDay: day } } as object;
      const [only] = customerIds;
      if (customerIds.length === 1 && only !== undefined) {
        const options = { session, returnDocument: "after", projection: lockedProjection } as const;
        const found = await statuses.findOneAndUpdate({ customerId: only }, change, options);
        return lockedById(found === undefined ? [] : [found], day);
      }
      const all = { customerId: { $in: [...customerIds] } };
      await statuses.updateMany(all, change, { session });
      return lockedById(await statuses.find(all, { session, projection: lockedProjection }), day);
    },
    /** Notes that a day before the last has changed. Needs the lock. */
    async notePastChanges(customerIds: readonly string[], session: Session): Promise<void> {
      const changed = { customerId: { $in: [...customerIds] } };
      await statuses.updateMany(changed, { $inc: { pastChanges: 1 } } as object, { session });
    },
    async putCustomer(customer: CustomerRecord, session: Session): Promise<void> {
      const { customerId, ...content } = customer;
      const gone = customer.nextExpiryAt === undefined ? { $unset: { nextExpiryAt: true } as const } : {};
      await statuses.updateOne({ customerId }, { $set: content, ...gone }, { session, upsert: true });
    },
    listStatusChanges: (customerId: string): Promise<StatusChange[]> =>
      changes.find({ customerId }, { sort: { sequence: 1 } }),
    insertStatusChange: (change: StatusChange, session: Session) => changes.insertOne(change, { session }),
    insertScore: (score: StoredScore, session: Session) => scores.insertOne(score, { session }),
    findLastScore: (customerId: string): Promise<StoredScore | undefined> =>
      scores.findOne({ customerId }, { sort: { sequence: -1 } }),
    listScores: (customerId: string, { limit, after }: Page): Promise<StoredScore[]> =>
      scores.find(after === undefined ? { customerId } : { customerId, sequence: { $lt: Number(after) } }, {
        sort: { sequence: -1 },
        limit,
      }),
  };
}

/** Customers who are locked, by id. */
export type LockedCustomers = ReadonlyMap<string, { customer: CustomerRecord; historyVersion: HistoryVersion }>;

function lockedById(found: readonly (CustomerRecord & Partial<Counters>)[], day: string): LockedCustomers {
  return new Map(
    found.map(({ pastChanges = 0, lastDay = day, ...customer }) => [
      customer.customerId,
      { customer, historyVersion: { pastChanges, lastDay } },
    ]),
  );
}
