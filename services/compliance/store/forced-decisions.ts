import type { TenantCollection } from "../../shared/mongo/tenant-collection.js";
import type { KeptForced } from "../domain/forced-decision.js";
import type { TransactionFacts } from "../domain/transaction.js";
import type { Owned, Session } from "./collections.js";

const projection = { _id: 0, tenantId: 0 } as const;

/** Forced decisions of a tenant. */
export function forcedDecisionStore(forced: TenantCollection<Owned<KeptForced>>) {
  const standing = { left: { $ne: 0 } };
  return {
    insertForced: (kept: KeptForced, session: Session) => forced.insertOne(kept, { session }),
    findForced: (outcomeId: string, session?: Session) => forced.findOne({ outcomeId }, { projection, session }),
    listForced: () => forced.find(standing, { projection, sort: { createdAt: 1 }, limit: 1_000 }),
    hasForced: async () => (await forced.findOne(standing, { projection })) !== null,
    /**
     * What is forced for a transaction: by its id or its customer's before what is for anybody's,
     * the latest of them. Counts it down.
     */
    async takeForced({ transactionId, customerId }: TransactionFacts, session: Session) {
      const filter = { ...standing, subject: { $in: [transactionId, customerId, ""] } };
      const found = await forced.find(filter, { projection, session, sort: { createdAt: -1 } });
      const taken = found.find(({ subject }) => subject !== "") ?? found[0];
      if (taken === undefined) return undefined;
      if (taken.left > 0) await forced.updateOne({ outcomeId: taken.outcomeId }, { $inc: { left: -1 } }, { session });
      return taken.decision;
    },
    async endForced(outcomeId: string | undefined): Promise<number> {
      const which = { ...standing, ...(outcomeId !== undefined && { outcomeId }) };
      return (await forced.updateMany(which, { $set: { left: 0 } })).modifiedCount;
    },
  };
}
