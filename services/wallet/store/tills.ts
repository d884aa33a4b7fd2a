import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import type { Till } from "../domain/till.js";
import type { Session } from "./collections.js";

/** `isOpen` while no other till of its cashier and currency may be. */
export type StoredTill = Till & { isOpen?: true };

export function tillStore(tills: RecordCollection<StoredTill, "tillId">) {
  return {
    insertTill: (till: Till, session: Session): Promise<void> =>
      tills.insertOne({ ...till, isOpen: true }, { session }),
    findTill: (tillId: string, session?: Session): Promise<Till | undefined> =>
      tills.findOne({ _id: tillId }, { session }),
    /** The one that is not closed of this cashier in this currency. */
    findTillOf: (cashierId: string, currency: string): Promise<Till | undefined> =>
      tills.findOne({ cashierId, currency, isOpen: true }),
    listTills(fit: { cashierId?: string; openOnly: boolean }, before: string, limit: number): Promise<Till[]> {
      const filter = {
        ...(fit.cashierId === undefined ? {} : { cashierId: fit.cashierId }),
        ...(fit.openOnly ? { isOpen: true as const } : {}),
        ...(before === "" ? {} : { _id: { $lt: before } }),
      };
      return tills.find(filter as never, { sort: { _id: -1 }, limit });
    },
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
      const change = { $inc: { expectedMinor: minor, moving: 1 } as never };
      return (await tills.updateOne(open, change, { session })).matchedCount === 1;
    },
    /** What has begun is booked, or was not: then the till has what it had. */
    async endCash(tillId: string, takenBackMinor: bigint, session: Session): Promise<void> {
      await tills.updateOne(
        { _id: tillId },
        { $inc: { expectedMinor: takenBackMinor, moving: -1 } as never },
        { session },
      );
    },
    /**
     * True when this call moved it on: from the state, with nothing moving and so much expected.
     */
    async moveTill(
      tillId: string,
      from: Partial<Till>,
      change: Partial<Till>,
      session: Session,
      isClosed = false,
    ): Promise<boolean> {
      const update = { $set: change, ...(isClosed ? { $unset: { isOpen: true } } : {}) };
      return (await tills.updateOne({ _id: tillId, ...from }, update as never, { session })).matchedCount === 1;
    },
    async countTill(
      tillId: string,
      cashierId: string,
      countedMinor: bigint,
      session: Session,
    ): Promise<Till | undefined> {
      const found = await tills.findOne({ _id: tillId, cashierId, status: "OPEN" }, { session });
      if (found === undefined) return undefined;
      const differenceMinor = countedMinor - found.expectedMinor;
      await tills.updateOne({ _id: tillId }, { $set: { countedMinor, differenceMinor } }, { session });
      return { ...found, countedMinor, differenceMinor };
    },
  };
}
