import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import type { OwnPartner } from "../../platform/banks/own-partner.js";
import type { CreditCursor, CreditReader } from "../domain/credit.js";

export function creditReaderStore(readers: RecordCollection<CreditReader>, cursors: RecordCollection<CreditCursor>) {
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
