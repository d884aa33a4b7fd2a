import type { TenantCollection } from "../../kernel/mongo/tenant-collection.js";
import { unlessThere } from "../../kernel/mongo/transaction.js";
import type { Loan } from "../domain/loan.js";
import type { Entities, Session } from "./rows.js";

/** A share of one day's accrual, worked on by whoever holds its lease. */
export interface AccrualRangeRow {
  _id: string;
  tenantId: string;
  date: string;
  slot: number;
  /** The last loan that is done. */
  cursor: string;
  loans: number;
  isDone: boolean;
  leaseToken: string;
  /** Real time. */
  leasedUntil: Date;
  startedAt: Date;
  finishedAt?: Date;
}

/** What accrual needs of a loan on a day that changes nothing but interest. */
export type PlainLoan = Pick<Loan, "accountId" | "currency" | "accrual"> & { wakeOn?: string };

const accruing = (slot: number, after: string) => {
  return { status: "ACTIVE" as const, slot, _id: { $gt: after }, setAside: { $exists: false } };
};

export function createAccrualStore(tenantId: string, ranges: TenantCollection<AccrualRangeRow>, loans: Entities<Loan>) {
  const rangeId = (date: string, slot: number): string => `${tenantId}/${date}:${String(slot).padStart(2, "0")}`;
  return {
    /** Makes a day's shares; safe to run beside itself. */
    async openRanges(date: string, slots: number, now: Date): Promise<void> {
      const writes = ranges.bulkWrite(
        Array.from({ length: slots }, (_each, slot) => ({
          updateOne: {
            filter: { _id: rangeId(date, slot) },
            update: {
              $setOnInsert: {
                date,
                slot,
                cursor: "",
                loans: 0,
                isDone: false,
                leaseToken: "",
                leasedUntil: new Date(0),
                startedAt: now,
              },
            },
            upsert: true,
          },
        })),
        { ordered: false },
      );
      // Where two open a day at once, one of them finds a share there already.
      await unlessThere(writes);
    },
    /** A share that is not done and nobody works on; undefined when there is none. */
    async takeRange(date: string, token: string, now: Date, until: Date): Promise<AccrualRangeRow | undefined> {
      const free = { date, isDone: false, leasedUntil: { $lte: now } };
      const lease = { $set: { leaseToken: token, leasedUntil: until } };
      return (await ranges.findOneAndUpdate(free, lease, { sort: { slot: 1 }, returnDocument: "after" })) ?? undefined;
    },
    /** Moves a share on inside its batch's transaction; false when the lease is another's. */
    async moveRange(
      range: Pick<AccrualRangeRow, "_id" | "leaseToken" | "cursor">,
      to: { cursor: string; done: number; until: Date; finishedAt?: Date },
      session: Session,
    ): Promise<boolean> {
      const { _id, leaseToken, cursor } = range;
      const { finishedAt } = to;
      const change = {
        $set: {
          cursor: to.cursor,
          leasedUntil: to.until,
          ...(finishedAt === undefined ? {} : { isDone: true, finishedAt }),
        },
        $inc: { loans: to.done },
      };
      const moved = await ranges.updateOne({ _id, leaseToken, cursor, isDone: false }, change, { session });
      return moved.matchedCount === 1;
    },
    listRanges: (date: string): Promise<AccrualRangeRow[]> => ranges.find({ date }, { sort: { slot: 1 } }),
    async latestRanges(): Promise<AccrualRangeRow[]> {
      const newest = await ranges.findOne({}, { sort: { date: -1 } });
      return newest === null ? [] : ranges.find({ date: newest.date }, { sort: { slot: 1 } });
    },

    /** The next active loans of a share, with no more of each than a plain day needs. */
    async plainLoans(slot: number, after: string, limit: number, session: Session): Promise<PlainLoan[]> {
      const projection = { accountId: 1, currency: 1, accrual: 1, wakeOn: 1 };
      const filter = accruing(slot, after);
      // In parts that are read in a millisecond.
      return loans.find(filter, { projection, sort: { _id: 1 }, limit, batchSize: 60, session });
    },
    /**
     * Sets the next loan of a share aside, since it cannot be worked; undefined where none is left.
     */
    async setNextAside(slot: number, after: string, session: Session): Promise<string | undefined> {
      const change = { $set: { setAside: true as const } };
      const options = { sort: { _id: 1 as const }, projection: { _id: 0, accountId: 1 }, session };
      return (await loans.findOneAndUpdate(accruing(slot, after), change, options))?.accountId;
    },
    loansOf: (accountIds: readonly string[], session: Session): Promise<Loan[]> =>
      loans.find({ _id: { $in: accountIds } }, { session }),
    /**
     * Books a day's interest alone, by loan what has accrued since the period began; gives how many
     * loans were behind that day. They were read in this session's snapshot: one that has changed
     * since makes the transaction run again.
     */
    async bookInterest(date: string, accruedMinor: ReadonlyMap<string, bigint>, session: Session): Promise<number> {
      const behind = { status: "ACTIVE" as const, "accrual.through": { $lt: date } };
      const values = new Map(Array.from(accruedMinor, ([id, minor]) => [id, { "accrual.accruedMinor": minor }]));
      const written = await loans.updateEach(behind, { values }, { "accrual.through": date }, { session });
      return written.matchedCount;
    },
    /** Writes what a day made of whole loans; gives how many were as they had been read. */
    async bookSettled(settled: readonly Loan[], session: Session): Promise<number> {
      const written = await loans.bulkWrite(
        settled.map(({ accountId, version, booked, bookedAccruedMinor, accrual, wakeOn }) => ({
          updateOne: {
            filter: { _id: accountId, version: version - 1 },
            update: {
              $set: { version, booked, bookedAccruedMinor, accrual, ...(wakeOn === undefined ? {} : { wakeOn }) },
              ...(wakeOn === undefined ? { $unset: { wakeOn: true } } : {}),
            },
          },
        })) as never,
        { session, ordered: false },
      );
      return written.matchedCount;
    },
  };
}
