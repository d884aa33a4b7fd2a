import type { CashLimit } from "../domain/cash-limit.js";
import type { Collection, Session } from "./collections.js";

export type CashLimitRow = CashLimit & { tenantId: string };

export function cashLimitStore(limits: Collection<CashLimitRow>) {
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
  };
}
