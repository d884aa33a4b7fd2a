import type { TenantCollection } from "../../shared/mongo/tenant-collection.js";
import { newCustomer, type CustomerRecord } from "../domain/customer.js";
import type { CustomerMarks, KeptScore, Owned, Page, Session, StatusChange } from "./index.js";

const projection = { _id: 0, tenantId: 0 };
const noMarks = { checks: 0, pastChanges: 0, lastDay: 0 };

/** What is held of customers: one record each, how their status came about, and their scores. */
export function customerStore(
  statuses: TenantCollection<Owned<CustomerRecord>>,
  changes: TenantCollection<Owned<StatusChange>>,
  scores: TenantCollection<Owned<KeptScore>>,
) {
  const complete = (customerId: string, found: CustomerRecord | null) =>
    found === null ? undefined : { ...newCustomer(customerId), ...found };
  return {
    async findCustomer(customerId: string, session?: Session): Promise<CustomerRecord | undefined> {
      const options = { projection: { ...projection, ...noMarks }, session };
      return complete(customerId, await statuses.findOne({ customerId }, options));
    },
    /** Of those that anything is held of; the others are PENDING. */
    async statusesOf(customerIds: readonly string[]): Promise<Map<string, CustomerRecord["status"]>> {
      const options = { projection: { _id: 0, customerId: 1, status: 1 } };
      const found = await statuses.find({ customerId: { $in: [...customerIds] } }, options);
      return new Map(found.map(({ customerId, status }) => [customerId, status]));
    },
    /** Takes the customer for this transaction: whoever else decides on them waits or begins anew. */
    async lockCustomer(customerId: string, session: Session): Promise<CustomerRecord | undefined> {
      const options = { session, returnDocument: "after", projection: { ...projection, ...noMarks } } as const;
      return complete(customerId, await statuses.findOneAndUpdate({ customerId }, { $inc: { checks: 1 } }, options));
    },
    /** The same of several for decisions that fall on `day`, with what says whether anything has changed since another one. */
    async lockCustomersOn(customerIds: readonly string[], day: string, session: Session): Promise<Map<string, Locked>> {
      const change = { $inc: { checks: 1 }, $max: { lastDay: day } } as object;
      const [only] = customerIds;
      if (customerIds.length === 1 && only !== undefined) {
        const options = { session, returnDocument: "after", projection } as const;
        const found = await statuses.findOneAndUpdate({ customerId: only }, change, options);
        return lockedById(found === null ? [] : [found], day);
      }
      const all = { customerId: { $in: [...customerIds] } };
      await statuses.updateMany(all, change, { session });
      return lockedById(await statuses.find(all, { session, projection }), day);
    },
    /**
     * The same where all of them, with what was decided last, are as they are remembered: then true, and nothing is read. Otherwise some
     * of them may have been taken, and are to be taken again.
     */
    async lockUnchanged(remembered: readonly Locked[], session: Session): Promise<boolean> {
      const values = new Map(
        remembered.map(({ customer: { customerId, version }, marks: { checks } }) => [customerId, { version, checks }]),
      );
      const change = { $inc: { checks: 1 } } as object;
      const { matchedCount } = await statuses.updateWhereUnchanged({}, { by: "customerId", values }, change, {
        session,
      });
      return matchedCount === remembered.length;
    },
    /** Says that a day before the last has changed. MissingReads the lock. */
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
      changes.find({ customerId }, { sort: { sequence: 1 }, projection }),
    insertStatusChange: (change: StatusChange, session: Session) => changes.insertOne(change, { session }),
    insertScore: (score: KeptScore, session: Session) => scores.insertOne(score, { session }),
    async findLastScore(customerId: string): Promise<KeptScore | undefined> {
      return (await scores.findOne({ customerId }, { sort: { sequence: -1 }, projection })) ?? undefined;
    },
    listScores: (customerId: string, { limit, after }: Page): Promise<KeptScore[]> =>
      scores.find(after === undefined ? { customerId } : { customerId, sequence: { $lt: Number(after) } }, {
        sort: { sequence: -1 },
        limit,
        projection,
      }),
  };
}

/** A customer taken for a transaction. */
export interface Locked {
  customer: CustomerRecord;
  marks: CustomerMarks;
}

function lockedById(found: readonly (Owned<CustomerRecord> & Partial<CustomerMarks>)[], day: string) {
  return new Map(
    found.map(({ checks = 0, pastChanges = 0, lastDay = day, ...record }): [string, Locked] => [
      record.customerId,
      { customer: { ...newCustomer(record.customerId), ...record }, marks: { checks, pastChanges, lastDay } },
    ]),
  );
}
