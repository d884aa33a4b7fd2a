import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import type { KindSum } from "../domain/branch-day.js";
import type { Till, TillClosing } from "../domain/till.js";
import type { TillCount } from "../domain/till-count.js";
import type { NewTillLine, TillLine } from "../domain/till-line.js";
import type { Session } from "./collections.js";
import { lineSumsSince } from "./line-sums.js";

/** `isOpen` while no other till of its cashier and currency may be. */
export type StoredTill = Till & { isOpen?: true };

interface TillRecords {
  tills: RecordCollection<StoredTill, "tillId">;
  lines: RecordCollection<TillLine>;
  counts: RecordCollection<TillCount, "countId">;
}

export function tillStore({ tills, lines, counts }: TillRecords) {
  /** Gives a line its place, and the till what its lines come to, with what else changes of it. */
  async function noteLine(tillId: string, line: NewTillLine, session: Session, also: object = {}): Promise<void> {
    const till = await tills.findOneAndUpdate(
      { _id: tillId },
      {
        $inc: { lines: 1, bookedMinor: line.amountMinor, ...also } as never,
        $min: { firstDay: line.day } as never,
        $max: { lastDay: line.day } as never,
      },
      { session, returnDocument: "after" },
    );
    if (till === undefined) throw new Error(`till ${tillId} is not there`);
    await lines.insertOne({ tillId, number: till.lines, ...line, balanceMinor: till.bookedMinor }, { session });
  }

  return {
    insertTill: (till: Till, session: Session): Promise<void> =>
      tills.insertOne({ ...till, isOpen: true }, { session }),
    findTill: (tillId: string, session?: Session): Promise<Till | undefined> =>
      tills.findOne({ _id: tillId }, { session }),
    /** The one that is not closed of this cashier in this currency. */
    findTillOf: (cashierId: string, currency: string): Promise<Till | undefined> =>
      tills.findOne({ cashierId, currency, isOpen: true }),
    /** Any that is not closed of this cashier. */
    findOpenTill: (cashierId: string, session: Session): Promise<Till | undefined> =>
      tills.findOne({ cashierId, isOpen: true }, { session }),
    listTills(fit: { cashierId?: string; openOnly: boolean }, before: string, limit: number): Promise<Till[]> {
      const filter = {
        ...(fit.cashierId === undefined ? {} : { cashierId: fit.cashierId }),
        ...(fit.openOnly ? { isOpen: true as const } : {}),
        ...(before === "" ? {} : { _id: { $lt: before } }),
      };
      return tills.find(filter as never, { sort: { _id: -1 }, limit });
    },
    /** Open ones of others than its holder, in a till's currency and at its branch, by id. */
    tillsBeside(
      { cashierId, currency, branch }: Pick<Till, "cashierId" | "currency" | "branch">,
      after: string,
      limit: number,
    ): Promise<Till[]> {
      const filter = {
        isOpen: true as const,
        status: "OPEN" as const,
        currency,
        branch,
        cashierId: { $ne: cashierId },
        ...(after !== "" && { _id: { $gt: after } }),
      };
      return tills.find(filter as never, { sort: { _id: 1 }, limit });
    },
    /** Of a branch, what was open on a business day, and perhaps others. */
    tillsOfBranch(branch: string, day: string): Promise<Till[]> {
      const wasOpen = [{ isOpen: true }, { lastDay: { $gte: day } }];
      return tills.find({ branch, firstDay: { $lte: day }, $or: wasOpen } as never, { sort: { _id: 1 } });
    },
    /** Of the lines that each had when it was read, by its id. */
    async tillSumsSince(of: readonly Till[], day: string): Promise<ReadonlyMap<string, readonly KindSum[]>> {
      if (of.length === 0) return new Map();
      const which = { $or: of.map(({ tillId, lines: last }) => ({ tillId, number: { $lte: last } })) };
      return lineSumsSince(lines, which, day, "tillId");
    },
    noteLine,
    /** Lines behind one, the oldest first. */
    tillLines: (tillId: string, after: number, limit: number): Promise<TillLine[]> =>
      lines.find({ tillId, number: { $gt: after } }, { sort: { number: 1 }, limit }),
    /** The newest first. */
    tillCounts: (tillId: string, limit: number): Promise<TillCount[]> =>
      counts.find({ tillId }, { sort: { _id: -1 }, limit }),
    insertTillCount: (count: TillCount, session: Session): Promise<void> => counts.insertOne(count, { session }),
    /**
     * Begins a cash movement; false unless the till is open, has what goes out and has room for
     * what comes in.
     */
    async beginCash(
      tillId: string,
      cashierId: string,
      minor: bigint,
      session: Session,
      maxMinor?: bigint,
    ): Promise<boolean> {
      const open = {
        _id: tillId,
        cashierId,
        status: "OPEN" as const,
        ...(minor < 0n ? { expectedMinor: { $gte: -minor } } : {}),
        ...(minor > 0n && maxMinor !== undefined ? { expectedMinor: { $lte: maxMinor - minor } } : {}),
      };
      const change = { $inc: { expectedMinor: minor, moving: 1 }, $unset: { isCounted: true } };
      return (await tills.updateOne(open, change as never, { session })).matchedCount === 1;
    },
    /** What has begun is booked, as its line says. */
    endCash: (tillId: string, line: NewTillLine, session: Session): Promise<void> =>
      noteLine(tillId, line, session, { moving: -1 }),
    /** What has begun was not booked: the till has what it had. */
    async takeBackCash(tillId: string, takenBackMinor: bigint, session: Session): Promise<void> {
      const change = { $inc: { expectedMinor: takenBackMinor, moving: -1 } as never };
      await tills.updateOne({ _id: tillId }, change, { session });
    },
    /**
     * True when this call moved it on: from the state, with nothing moving and so much expected.
     */
    async moveTill(
      tillId: string,
      from: Partial<Till>,
      change: Partial<Till>,
      session?: Session,
      isClosed = false,
    ): Promise<boolean> {
      const update = { $set: change, ...(isClosed ? { $unset: { isOpen: true } } : {}) };
      return (await tills.updateOne({ _id: tillId, ...from }, update as never, { session })).matchedCount === 1;
    },
    /** True while this closing waits: it is noted what came of its question, or of the decision. */
    async moveClosing(
      tillId: string,
      closing: TillClosing,
      change: Partial<Till>,
      session?: Session,
    ): Promise<boolean> {
      const waiting = { _id: tillId, status: "WAITING", "closing.closingId": closing.closingId };
      const update = { $set: { ...change, closing } };
      return (await tills.updateOne(waiting as never, update as never, { session })).matchedCount === 1;
    },
    /** Open again where a closing waits that nobody was asked about. */
    async forgetUnaskedClosing(tillId: string, closingId: string): Promise<void> {
      const unasked = {
        _id: tillId,
        status: "WAITING",
        "closing.closingId": closingId,
        "closing.approvalId": { $exists: false },
      };
      const closing: TillClosing = { closingId, status: "FAILED", failure: "NOT_ASKED" };
      await tills.updateOne(unasked as never, { $set: { status: "OPEN", closing } } as never);
    },
    /** As it is counted while it is open; undefined where it is not. */
    async countTill(
      tillId: string,
      cashierId: string,
      countedMinor: bigint,
      session: Session,
    ): Promise<Till | undefined> {
      const found = await tills.findOne({ _id: tillId, cashierId, status: "OPEN" }, { session });
      if (found === undefined) return undefined;
      const counted = { countedMinor, differenceMinor: countedMinor - found.expectedMinor, isCounted: true as const };
      await tills.updateOne({ _id: tillId }, { $set: counted }, { session });
      return { ...found, ...counted };
    },
  };
}
