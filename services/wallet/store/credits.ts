import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import type { StoredCredit } from "../domain/credit.js";
import type { Session } from "./collections.js";

export function creditStore(credits: RecordCollection<StoredCredit>) {
  return {
    insertCredit: (credit: StoredCredit, session: Session): Promise<void> => credits.insertOne(credit, { session }),
    findCredit: (creditId: string): Promise<StoredCredit | undefined> => credits.findOne({ creditId }),
    findCredits: (creditIds: readonly string[]): Promise<StoredCredit[]> =>
      credits.find({ creditId: { $in: [...creditIds] } }),
    async moveCredit(
      creditId: string,
      from: StoredCredit["status"],
      change: Partial<StoredCredit>,
      session?: Session,
    ): Promise<boolean> {
      return (await credits.updateOne({ creditId, status: from }, { $set: change }, { session })).matchedCount === 1;
    },
    /** Sends a credit to suspense after all. */
    async setAside(creditId: string, aside: Pick<StoredCredit, "reason" | "isApart">): Promise<void> {
      const change = { $set: aside, $unset: { accountId: true, heldFor: true } } as never;
      await credits.updateOne({ creditId, status: "TAKEN" }, change);
    },
    /** Oldest first. */
    unmatchedCredits(after: string, limit: number): Promise<StoredCredit[]> {
      const filter = { status: "UNMATCHED" as const, ...(after === "" ? {} : { creditId: { $gt: after } }) };
      return credits.find(filter, { sort: { creditId: 1 }, limit });
    },
  };
}
