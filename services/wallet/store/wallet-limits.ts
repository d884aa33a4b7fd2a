import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import type { WalletLimit } from "../domain/wallet-limit.js";
import type { Session } from "./collections.js";

export function walletLimitStore(limits: RecordCollection<WalletLimit>) {
  return {
    /** The account's own and the tenant's. */
    limitsFor: (accountId: string, currency: string): Promise<WalletLimit[]> =>
      limits.find({ currency, accountId: { $in: ["", accountId] } }),
    /** Those of a currency, `maxCount` of them. */
    limitsIn: (currency: string, maxCount: number): Promise<WalletLimit[]> =>
      limits.find({ currency }, { limit: maxCount }),
    listLimits: (): Promise<WalletLimit[]> => limits.find({}, { sort: { currency: 1, accountId: 1 } }),
    async setLimit({ accountId, currency, ...parts }: WalletLimit, session: Session): Promise<void> {
      const names = ["perPaymentMinor", "perDayMinor", "perCashInMinor", "cashInPerDayMinor"] as const;
      const unset = Object.fromEntries(names.filter((name) => parts[name] === undefined).map((name) => [name, true]));
      const change = {
        ...(Object.keys(parts).length > 0 ? { $set: parts } : {}),
        ...(Object.keys(unset).length > 0 ? { $unset: unset } : {}),
      };
      await limits.updateOne({ accountId, currency }, change as never, { upsert: true, session });
    },
  };
}
