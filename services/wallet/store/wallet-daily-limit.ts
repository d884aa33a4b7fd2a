import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import type { Session } from "./collections.js";

/** What was spent of a day, of a wallet or of a cashier. */
export interface SpendingRow {
  accountId: string;
  /** The tenant's business day, "2026-11-21". */
  day: string;
  spentMinor: bigint;
}

/** The counter of each day's limit. */
export function dayLimitStore(spending: RecordCollection<SpendingRow>) {
  return {
    /** Before the transaction that takes from it: a document made inside could be made twice. */
    async openDay(accountId: string, day: string): Promise<void> {
      await spending.updateOne({ accountId, day }, { $setOnInsert: { spentMinor: 0n } as never }, { upsert: true });
    },
    async spentOn(accountId: string, day: string, session?: Session): Promise<bigint> {
      return (await spending.findOne({ accountId, day }, { session }))?.spentMinor ?? 0n;
    },
    async spend(accountId: string, day: string, minor: bigint, session: Session): Promise<void> {
      await spending.updateOne({ accountId, day }, { $inc: { spentMinor: minor } as never }, { session });
    },
  };
}
