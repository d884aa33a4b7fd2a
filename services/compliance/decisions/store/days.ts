import type { RecordCollection } from "../../../kernel/mongo/record-collection.js";
import type { BulkOperation, Filter } from "../../../kernel/mongo/tenant-collection.js";
import type { DayRecord } from "../domain/day-usage.js";
import type { Session } from "../../common/store/collections.js";

/** What was counted of decisions, by customer and day, and whom customers have sent to. */
export function dayStore(
  days: RecordCollection<DayRecord>,
  recipients: RecordCollection<{ customerId: string; recipient: string }>,
) {
  return {
    /** A customer's days from one to another, both included. */
    listDays: (customerId: string, from: string, to: string, session?: Session): Promise<DayRecord[]> =>
      days.find({ customerId, day: { $gte: from, $lte: to } } as Filter<DayRecord>, { session }),
    /** The same of several customers. */
    listDaysOf: (customerIds: readonly string[], from: string, to: string, session?: Session): Promise<DayRecord[]> =>
      days.find({ customerId: { $in: [...customerIds] }, day: { $gte: from, $lte: to } } as Filter<DayRecord>, {
        session,
      }),
    /** These days of several customers, as far as they are kept. */
    listDaysOn: (customerIds: readonly string[], on: readonly string[], session: Session): Promise<DayRecord[]> =>
      days.find({ customerId: { $in: [...customerIds] }, day: { $in: [...on] } } as Filter<DayRecord>, {
        session,
      }),
    async putDays(records: readonly DayRecord[], session: Session): Promise<void> {
      const puts = records.map(({ customerId, day, ...content }) => ({
        updateOne: { filter: { customerId, day }, update: { $set: content }, upsert: true },
      }));
      await days.bulkWrite(puts as BulkOperation<DayRecord>[], { session });
    },
    /**
     * Changes a day that is kept of each of several customers, in one statement. Throws where it is
     * not kept.
     */
    async changeDay(day: string, records: readonly DayRecord[], session: Session): Promise<void> {
      const values = new Map(
        records.map(({ customerId, cells, sizes, recipients: sentTo, cash = [], usage }) => [
          customerId,
          { cells, sizes, recipients: sentTo, cash, usage },
        ]),
      );
      const { matchedCount } = await days.updateEach({ day }, { by: "customerId", values }, {}, { session });
      if (matchedCount !== records.length) throw new Error(`${day} is kept of ${matchedCount} of ${records.length}`);
    },

    /** "customer recipient" of those pairs that have been sent to before, and perhaps of others. */
    async knownRecipients(
      requested: readonly { customerId: string; recipient: string }[],
      session?: Session,
    ): Promise<Set<string>> {
      const filter = {
        customerId: { $in: [...new Set(requested.map(({ customerId }) => customerId))] },
        recipient: { $in: [...new Set(requested.map(({ recipient }) => recipient))] },
      };
      const found = await recipients.find(filter, { session });
      return new Set(found.map(({ customerId, recipient }) => `${customerId} ${recipient}`));
    },
    insertRecipients: (used: readonly { customerId: string; recipient: string }[], session: Session) =>
      recipients.insertMany(
        used.map(({ customerId, recipient }) => ({ customerId, recipient })),
        { session },
      ),
  };
}
