import type { Connection } from "mongoose";
import { createHeldTenants } from "../../kernel/mongo/held-tenants.js";
import { acrossTenants } from "../../kernel/mongo/tenant-collection.js";
import type { OwnPartner } from "../../platform/banks/own-partner.js";
import type { CreditCursor, CreditReader } from "../domain/credit.js";
import type { Collection } from "./collections.js";

export function creditReaderStore(readers: Collection<CreditReader>, cursors: Collection<CreditCursor>) {
  return {
    /** From now on the tenant's bank is read. */
    async ensureReader(dueAt: Date): Promise<void> {
      await readers.updateOne({}, { $setOnInsert: { cursor: "", dueAt } as never }, { upsert: true });
    },
    /** How far the list of one of the tenant's own banks was read. */
    async cursorOf({ installationId }: OwnPartner): Promise<string> {
      return (await cursors.findOne({ installationId }))?.cursor ?? "";
    },
    async setCursor(at: OwnPartner | undefined, cursor: string): Promise<void> {
      const change = { $set: { cursor } };
      if (at === undefined) await readers.updateOne({}, change);
      else await cursors.updateOne({ ...at }, change, { upsert: true });
    },
  };
}

/** Readers of all tenants, by when they are due. */
export function dueReaderStore(db: Connection, name: string) {
  const due = acrossTenants<CreditReader>(db, name, "reading of what arrived at tenants' banks");
  const held = createHeldTenants(db, name);
  return {
    /**
     * Takes a due reader and sets when it is due next; undefined where none is due, or another
     * process was faster.
     */
    takeDueReader: (now: Date, nextAt: Date): Promise<CreditReader | undefined> =>
      held.past(async () => {
        const found = await due.findOne({ ...held.others(), dueAt: { $lte: now } }, { sort: { dueAt: 1 } });
        if (found === null) return undefined;
        // By its tenant: on shards, a change of one document has to say where it is.
        const { tenantId, dueAt } = found;
        const { matchedCount } = await due.updateOne({ tenantId, dueAt }, { $set: { dueAt: nextAt } });
        return matchedCount === 1 ? found : undefined;
      }),
  };
}
