import type { ClientSession, Connection } from "mongoose";
import { tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import type { Day } from "../domain/days.js";
import { emptyHead } from "../domain/journal.js";
import type { Head } from "../domain/model.js";
import { nextRecord, type JournalRecord, type RecordItem } from "../domain/records.js";
import { collections, type HeadDocument, type RecordDocument } from "./collections.js";
import { assertPlace, headFromDocument } from "./mapping.js";
import { recordFromDocument, recordToDocument } from "./record-mapping.js";

// What one answer of an audit can carry.
const maxItemsPerPage = 5_000;

export type RecordStore = ReturnType<typeof createRecordStore>;

/** The chain of records of one tenant, and the head that says where it ends. */
export function createRecordStore(db: Connection, tenantId: string) {
  const records = tenantCollection<RecordDocument>(db, collections.records).forTenant(tenantId);
  const heads = tenantCollection<HeadDocument>(db, collections.heads).forTenant(tenantId);

  async function headIn(session: ClientSession): Promise<Head> {
    const document = await heads.findOne({ _id: tenantId }, { session });
    return document === null ? emptyHead(tenantId) : headFromDocument(document);
  }

  /** Writes a record that follows a head, and moves the head: its owner loads what holds then. */
  async function follow(
    record: JournalRecord,
    closedThrough: Day | undefined,
    session: ClientSession,
  ): Promise<JournalRecord> {
    const { epoch, seq, timeMs, hash } = emptyHead(tenantId);
    const set = {
      records: record.number,
      recordsHash: record.hash,
      ...(closedThrough === undefined ? {} : { closedThrough }),
    };
    const start = { epoch, groupId: "", seq, time: new Date(timeMs), hash };
    const update = { $inc: { group: 1n }, $set: set, $setOnInsert: start };
    await heads.updateOne({ _id: tenantId }, update as never, { upsert: true, session });
    await records.insertOne(recordToDocument(tenantId, record), { session });
    return record;
  }

  return {
    headIn,
    follow,

    /**
     * Holds the journal for a transaction of which it is the first statement: what is read in it is
     * as the journal ends here, and whoever posts meanwhile waits. Read first, a busy journal would
     * be another one by the time that it is written to.
     */
    async hold(session: ClientSession): Promise<void> {
      await heads.updateOne({ _id: tenantId }, { $inc: { group: 1n } } as never, { session });
    },

    /**
     * Records what somebody does beside postings; `closedThrough` where days were closed or opened.
     */
    async add(
      itemsOf: (head: Head) => readonly RecordItem[],
      { at, closedThrough }: { readonly at: Date; readonly closedThrough?: Day },
      session: ClientSession,
    ): Promise<JournalRecord> {
      const head = await headIn(session);
      const record = nextRecord(head, itemsOf(head), Math.max(at.getTime(), head.timeMs));
      return follow(record, closedThrough, session);
    },

    /**
     * By number, from one after `number`; none when there are no more. Throws on a misplaced one.
     */
    async recordsAfter(number: bigint): Promise<JournalRecord[]> {
      const page: JournalRecord[] = [];
      let items = 0;
      for await (const document of records.stream({ number: { $gt: number } }, { sort: { number: 1 } })) {
        assertPlace(document, String(document.number));
        page.push(recordFromDocument(document));
        items += document.items.length;
        if (items >= maxItemsPerPage) break;
      }
      return page;
    },
  };
}
