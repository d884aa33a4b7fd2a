import type { WalletLimit } from "../domain/limits.js";
import type { Collection, Session } from "./index.js";

export type LimitRow = WalletLimit & { tenantId: string };
export interface SpendingRow {
  tenantId: string;
  accountId: string;
  /** The tenant's business day, "2026-11-21". */
  day: string;
  spentMinor: bigint;
}

export function limitStore(limits: Collection<LimitRow>, spending: Collection<SpendingRow>) {
  return {
    /** The account's own and the tenant's. */
    limitsFor: (accountId: string, currency: string): Promise<WalletLimit[]> =>
      limits.find({ currency, accountId: { $in: ["", accountId] } }),
    /** So many of a currency at most. */
    limitsIn: (currency: string, most: number): Promise<WalletLimit[]> => limits.find({ currency }, { limit: most }),
    listLimits: (): Promise<WalletLimit[]> => limits.find({}, { sort: { currency: 1, accountId: 1 } }),
    async setLimit({ accountId, currency, ...most }: WalletLimit, session: Session): Promise<void> {
      const parts = ["perPaymentMinor", "perDayMinor", "perCashInMinor", "cashInPerDayMinor"] as const;
      const unset = Object.fromEntries(parts.filter((part) => most[part] === undefined).map((part) => [part, true]));
      const change = {
        ...(Object.keys(most).length > 0 ? { $set: most } : {}),
        ...(Object.keys(unset).length > 0 ? { $unset: unset } : {}),
      };
      await limits.updateOne({ accountId, currency }, change as never, { upsert: true, session });
    },

    /** Before the transaction that takes from it: a document made inside could be made twice. */
    async openDay(accountId: string, day: string): Promise<void> {
      await spending.updateOne({ accountId, day }, { $setOnInsert: { spentMinor: 0n } as never }, { upsert: true });
    },
    async spentOn(accountId: string, day: string, session: Session): Promise<bigint> {
      return (await spending.findOne({ accountId, day }, { session }))?.spentMinor ?? 0n;
    },
    async spend(accountId: string, day: string, minor: bigint, session: Session): Promise<void> {
      await spending.updateOne({ accountId, day }, { $inc: { spentMinor: minor } as never }, { session });
    },
  };
}
