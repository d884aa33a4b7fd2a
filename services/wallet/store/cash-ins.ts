import type { CashIn } from "../domain/cash-in-approval.js";
import type { Collection, Session } from "./collections.js";

export type CashInRow = Omit<CashIn, "cashInId"> & { _id: string; tenantId: string };

export function cashInStore(cashIns: Collection<CashInRow>) {
  return {
    async insertCashIn({ cashInId, ...rest }: CashIn, session: Session): Promise<void> {
      await cashIns.insertOne({ _id: cashInId, ...rest }, { session });
    },
    async findCashIn(cashInId: string, session?: Session): Promise<CashIn | undefined> {
      const row = await cashIns.findOne({ _id: cashInId }, session === undefined ? {} : { session });
      if (row === null) return undefined;
      const { _id, tenantId: _tenantId, ...rest } = row;
      return { cashInId: _id, ...rest };
    },
    /** True when this call moved it on. */
    async moveCashIn(
      cashInId: string,
      from: CashIn["status"],
      change: Partial<CashIn>,
      session?: Session,
    ): Promise<boolean> {
      const options = session === undefined ? {} : { session };
      return (await cashIns.updateOne({ _id: cashInId, status: from }, { $set: change }, options)).matchedCount === 1;
    },
  };
}
