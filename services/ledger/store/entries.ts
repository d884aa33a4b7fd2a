import type { ClientSession, Connection } from "mongoose";
import { tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import type { JournalRefusal, StoredDecision } from "../domain/journal.js";
import type { Transfer } from "../domain/model.js";
import { collections, type DecisionDocument } from "./collections.js";
import { assertPlace, decisionFromDocument, documentId, transferFromDocument } from "./mapping.js";
import { refusalFromDocument, refusalToDocument } from "./record-mapping.js";

/** A part of an account's statement: sequences above `after` and below `before`. */
export interface EntryRange {
  readonly after: bigint;
  readonly before?: bigint | undefined;
  readonly newestFirst?: boolean;
  readonly limit: number;
  readonly session?: ClientSession | undefined;
}

// Points looked at in one round trip of a search by time: five of them find one in a billion.
const searchPoints = 63n;

/** The transfers of one tenant, as they are read. */
export function createEntryStore(db: Connection, tenantId: string) {
  const transfers = tenantCollection<DecisionDocument>(db, collections.transfers).forTenant(tenantId);
  const idOf = (key: string) => documentId(tenantId, key);

  async function timesAt(seqs: readonly bigint[]): Promise<(readonly [seq: bigint, timeMs: number])[]> {
    const projection = { seq: 1, decidedAt: 1 };
    const found = await transfers.find({ seq: { $in: [...seqs] } }, { sort: { seq: 1 }, projection });
    return found.map(({ seq, decidedAt }) => [seq!, decidedAt.getTime()]);
  }

  return {
    async findDecision(key: string): Promise<StoredDecision | undefined> {
      const document = await transfers.findOne({ _id: idOf(key) });
      return document === null ? undefined : decisionFromDocument(document);
    },

    async findDecisions(keys: readonly string[]): Promise<StoredDecision[]> {
      return (await transfers.find({ _id: { $in: keys.map(idOf) } })).map(decisionFromDocument);
    },

    /** Transfers that moved money under an interaction id, oldest first, from one after `after`. */
    async findByInteraction(interactionId: string, limit: number, after = 0n): Promise<Transfer[]> {
      const filter = { interactionId, seq: { $gt: after }, entries: { $exists: true } };
      return (await transfers.find(filter, { sort: { seq: 1 }, limit })).map(transferFromDocument);
    },

    /** Transfers that moved money of an account, in their order or against it. */
    async findByAccount(accountId: string, range: EntryRange): Promise<Transfer[]> {
      const { after, before, newestFirst, limit, session } = range;
      const seq = { $gt: after, ...(before === undefined ? {} : { $lt: before }) };
      const sort = { seq: newestFirst === true ? -1 : 1 } as const;
      const found = await transfers.find({ "entries.account": accountId, seq }, { sort, limit, session });
      return found.map(transferFromDocument);
    },

    /**
     * The last sequence up to `last` that was inserted before a time (ms); 0 when none was.
     * Sequence and time grow together.
     */
    async sequenceBefore(timeMs: number, last: bigint): Promise<bigint> {
      let low = 0n;
      let high = last;
      while (low < high) {
        const step = (high - low) / (searchPoints + 1n) + 1n;
        const points: bigint[] = [];
        for (let point = low + step; point < high; point += step) points.push(point);
        points.push(high);
        const times = await timesAt(points);
        const later = times.find(([, time]) => time >= timeMs);
        const earlier = times.findLast(([, time]) => time < timeMs);
        if (earlier !== undefined) low = earlier[0];
        if (later === undefined) return low;
        high = later[0] - 1n;
      }
      return low;
    },

    /**
     * The journal by sequence, from one after `seq`; decisions with their fingerprints. Throws on
     * one that is found under another key than it says.
     */
    async journalAfter(seq: bigint, limit: number): Promise<StoredDecision[]> {
      const found = await transfers.find({ seq: { $gt: seq } }, { sort: { seq: 1 }, limit });
      for (const document of found) assertPlace(document, document.key);
      return found.map(decisionFromDocument);
    },

    /** Of the accounts that a code has, one a currency: what moved on them, as journalAfter. */
    async positionTransfersAfter(accountIds: readonly string[], seq: bigint, limit: number): Promise<Transfer[]> {
      const filter = { "entries.account": { $in: [...accountIds] }, seq: { $gt: seq } };
      return (await transfers.find(filter, { sort: { seq: 1 }, limit })).map(transferFromDocument);
    },

    /** As journalAfter, to its end. */
    async *transfersAfter(seq: bigint): AsyncIterable<Transfer> {
      const filter = { seq: { $gt: seq } };
      for await (const document of transfers.stream(filter, { sort: { seq: 1 }, batchSize: 1_000 })) {
        assertPlace(document, document.key);
        yield transferFromDocument(document);
      }
    },

    /** Keys that were decided against, by key. Throws on a misplaced one. */
    async refusalsAfter(key: string, limit: number): Promise<JournalRefusal[]> {
      const filter = { key: { $gt: key }, refusal: { $exists: true } };
      const found = await transfers.find(filter, { sort: { key: 1 }, limit, hint: "refusal" });
      for (const document of found) assertPlace(document, document.key);
      return found.map(refusalFromDocument);
    },

    /** Those of some keys that were decided against, in any order. */
    async refusalsOf(keys: readonly string[]): Promise<JournalRefusal[]> {
      const filter = { _id: { $in: keys.map(idOf) }, refusal: { $exists: true } };
      return (await transfers.find(filter)).map(refusalFromDocument);
    },

    /** Keeps imported refusals; those of keys that are there already are left alone. */
    async importRefusals(refusals: readonly JournalRefusal[]): Promise<void> {
      const upserts = refusals.map((refusal) => {
        const { _id, tenantId: _, ...document } = refusalToDocument(tenantId, refusal, "import");
        return { updateOne: { filter: { _id }, update: { $setOnInsert: document as never }, upsert: true } };
      });
      await transfers.bulkWrite(upserts, { ordered: false });
    },
  };
}
