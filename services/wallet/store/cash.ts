import type { CashIn, CashLimit } from "../domain/cash.js";
import type { Collection, Session } from "./index.js";

export type CashLimitRow = CashLimit & { tenantId: string };
export type CashInRow = Omit<CashIn, "cashInId"> & { _id: string; tenantId: string };

export function cashStore(limits: Collection<CashLimitRow>, cashIns: Collection<CashInRow>) {
  return {
    /** Of all cashiers and of this one. */
    cashLimitsFor: (cashierId: string, currency: string): Promise<CashLimit[]> =>
      limits.find({ currency, cashierId: { $in: ["", cashierId] } }),
    listCashLimits: (): Promise<CashLimit[]> => limits.find({}, { sort: { currency: 1, cashierId: 1 } }),
    /** In place of what was there. */
    async setCashLimit({ cashierId, currency, ...parts }: CashLimit, session: Session): Promise<void> {
      await limits.deleteMany({ cashierId, currency }, { session });
      await limits.insertOne({ cashierId, currency, ...parts }, { session });
    },

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
