import type { Connection } from "mongoose";
import { acrossTenants } from "../../shared/mongo/tenant-collection.js";
import type { StoredCredit } from "../domain/credit.js";
import type { Collection, Session } from "./index.js";

export type CreditRow = StoredCredit & { tenantId: string };

/** How far a tenant's bank has been read. */
export interface CreditReader {
  tenantId: string;
  cursor: string;
  dueAt: Date;
}

export function creditStore(credits: Collection<CreditRow>, readers: Collection<CreditReader>) {
  return {
    /** The credit as it was first taken: what was decided then holds. */
    async takeCredit(credit: StoredCredit): Promise<StoredCredit> {
      const { creditId } = credit;
      const change = { $setOnInsert: credit as never };
      await credits.updateOne({ creditId }, change, { upsert: true });
      return creditOf(await credits.findOne({ creditId })) as StoredCredit;
    },
    async insertCredit(credit: StoredCredit, session: Session): Promise<void> {
      await credits.insertOne(credit, { session });
    },
    async findCredit(creditId: string): Promise<StoredCredit | undefined> {
      return creditOf(await credits.findOne({ creditId }));
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
    /** It goes to suspense after all. */
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

    /** From now on the tenant's bank is read. */
    async ensureReader(dueAt: Date): Promise<void> {
      await readers.updateOne({}, { $setOnInsert: { cursor: "", dueAt } as never }, { upsert: true });
    },
    async setCursor(cursor: string): Promise<void> {
      await readers.updateOne({}, { $set: { cursor } });
    },
  };
}

/** Readers of all tenants, by when they are due. */
export function dueReaderStore(db: Connection, name: string) {
  const due = acrossTenants<CreditReader>(db, name, "reading of what arrived at tenants' banks");
  return {
    /** Takes one that is due and puts its next reading off; undefined where none is, or somebody else took it just now. */
    async takeDueReader(now: Date, nextAt: Date): Promise<CreditReader | undefined> {
      const found = await due.findOne({ dueAt: { $lte: now } }, { sort: { dueAt: 1 } });
      if (found === null) return undefined;
      // By its tenant: on shards, a change of one document has to say where it is.
      const { tenantId, dueAt } = found;
      const { matchedCount } = await due.updateOne({ tenantId, dueAt }, { $set: { dueAt: nextAt } });
      return matchedCount === 1 ? found : undefined;
    },
  };
}

function creditOf(row: CreditRow | null): StoredCredit | undefined {
  if (row === null) return undefined;
  const { tenantId: _tenantId, ...rest } = row;
  return rest;
}
