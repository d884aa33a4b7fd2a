import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import type { CashIn } from "../domain/cash-in-approval.js";
import type { Session } from "./collections.js";

export function cashInStore(cashIns: RecordCollection<CashIn, "cashInId">) {
  return {
    insertCashIn: (cashIn: CashIn, session: Session): Promise<void> => cashIns.insertOne(cashIn, { session }),
    findCashIn: (cashInId: string, session?: Session): Promise<CashIn | undefined> =>
      cashIns.findOne({ _id: cashInId }, { session }),
    /** True when this call moved it on. */
    async moveCashIn(
      cashInId: string,
      from: CashIn["status"],
      change: Partial<CashIn>,
      session?: Session,
    ): Promise<boolean> {
      return (
        (await cashIns.updateOne({ _id: cashInId, status: from }, { $set: change }, { session })).matchedCount === 1
      );
    },
  };
}
