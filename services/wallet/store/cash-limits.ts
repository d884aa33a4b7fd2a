import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import type { CashLimit } from "../domain/cash-limit.js";
import type { Session } from "./collections.js";

export function cashLimitStore(limits: RecordCollection<CashLimit>) {
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
