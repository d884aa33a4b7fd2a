import type { StoredCredit } from "../domain/credit.js";
import type { Collection, Session } from "./collections.js";

export type CreditRow = StoredCredit & { tenantId: string };

export function creditStore(credits: Collection<CreditRow>) {
  return {
    async insertCredit(credit: StoredCredit, session: Session): Promise<void> {
      await credits.insertOne(credit, { session });
    },
    async findCredit(creditId: string): Promise<StoredCredit | undefined> {
      return creditOf(await credits.findOne({ creditId }));
    },
    async findCredits(creditIds: readonly string[]): Promise<StoredCredit[]> {
      const rows = await credits.find({ creditId: { $in: [...creditIds] } });
      return rows.map((row) => creditOf(row) as StoredCredit);
    },
    async moveCredit(
      creditId: string,
      from: StoredCredit["status"],
      change: Partial<StoredCredit>,
      session?: Session,
    ): Promise<boolean> {
      const options = session === undefined ? {} : { session };
      return (await credits.updateOne({ creditId, status: from }, { $set: change }, options)).matchedCount === 1;
    },
    /** Sends a credit to suspense after all. */
    async setAside(creditId: string, aside: Pick<StoredCredit, "reason" | "isApart">): Promise<void> {
      const change = { $set: aside, $unset: { accountId: true, heldFor: true } } as never;
      await credits.updateOne({ creditId, status: "TAKEN" }, change);
    },
    /** Oldest first. */
    async unmatchedCredits(after: string, limit: number): Promise<StoredCredit[]> {
      const filter = { status: "UNMATCHED" as const, ...(after === "" ? {} : { creditId: { $gt: after } }) };
      const rows = await credits.find(filter, { sort: { creditId: 1 }, limit });
      return rows.map((row) => creditOf(row) as StoredCredit);
    },
  };
}

function creditOf(row: CreditRow | null): StoredCredit | undefined {
  if (row === null) return undefined;
  const { tenantId: _tenantId, ...rest } = row;
  return rest;
}
