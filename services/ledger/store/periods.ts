import type { ClientSession, Connection } from "mongoose";
import { bytesOf } from "../../kernel/mongo/bytes.js";
import { tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import { genesisHash } from "../domain/canonical.js";
import type { Closing, PackageFile } from "../domain/closing.js";
import type { Day } from "../domain/days.js";
import { assertClosable, type ClosedSoFar, type Period } from "../domain/periods.js";
import { periodMoved } from "../domain/records.js";
import { collections, type ClosingDocument, type HeadDocument } from "./collections.js";
import { documentId } from "./mapping.js";
import { createRecordStore, type RecordStore } from "./records.js";

export type PeriodStore = ReturnType<typeof createPeriodStore>;

const stands = { supersededAt: { $exists: false } } as const;

/** Closings of periods. Closing and re-opening move the head, as closing an account does. */
export function createPeriodStore(db: Connection) {
  const closings = tenantCollection<ClosingDocument>(db, collections.closings);
  const heads = tenantCollection<HeadDocument>(db, collections.heads);
  return {
    forTenant: (tenantId: string) =>
      tenantPeriods(tenantId, {
        closings: closings.forTenant(tenantId),
        heads: heads.forTenant(tenantId),
        records: createRecordStore(db, tenantId),
      }),
  };
}

type Documents<T extends { tenantId: string }> = ReturnType<ReturnType<typeof tenantCollection<T>>["forTenant"]>;

interface TenantCollections {
  readonly closings: Documents<ClosingDocument>;
  readonly heads: Documents<HeadDocument>;
  readonly records: RecordStore;
}

function tenantPeriods(tenantId: string, { closings, heads, records }: TenantCollections) {
  async function find(number: number, session?: ClientSession): Promise<Closing | undefined> {
    const document = await closings.findOne({ _id: documentId(tenantId, String(number)) }, { session });
    return document === null ? undefined : closingFromDocument(document);
  }

  /** How far the books are closed, and which of some periods stand. */
  async function closedSoFar(names: readonly string[], session?: ClientSession): Promise<ClosedSoFar> {
    const head = await heads.findOne({ _id: tenantId }, { session });
    const filter = { period: { $in: [...names] }, ...stands };
    const found = await closings.find(filter, { projection: { period: 1 }, session });
    return { closedThrough: head?.closedThrough, standing: new Set(found.map(({ period }) => period)) };
  }

  return {
    find,
    closedSoFar,

    holdJournal: records.hold,

    /**
     * Closes a period in a transaction that the caller commits, and that holds the journal. Gives
     * through when the books were closed before, too. Refuses STATE_CONFLICT.
     */
    async close(period: Period, by: Pick<Closing, "closedBy" | "closedAt" | "mappingVersion">, session: ClientSession) {
      const head = await records.headIn(session);
      const { standing } = await closedSoFar([period.name], session);
      assertClosable(period, { closedThrough: head.closedThrough, standing });
      const closedThrough = Math.max(head.closedThrough ?? period.last, period.last);
      const moved = { at: by.closedAt, closedThrough };
      await records.add((now) => [periodMoved(closedThrough, now)], moved, session);
      const [newest] = await closings.find({}, { sort: { number: -1 }, limit: 1, session });
      const earlier = { last: { $lt: period.first }, ...stands };
      const [previous] = await closings.find(earlier, { sort: { last: -1, number: -1 }, limit: 1, session });
      const closing: Closing = {
        number: (newest?.number ?? 0) + 1,
        period: period.name,
        first: period.first,
        last: period.last,
        ...(previous !== undefined && { previous: previous.number, openedAfter: previous.last }),
        afterSeq: previous?.throughSeq ?? 0n,
        previousHash: previous === undefined ? genesisHash(tenantId) : bytesOf(previous.headHash),
        throughSeq: head.seq,
        headHash: head.hash,
        ...by,
        package: { status: "QUEUED", transfers: 0, files: [] },
      };
      await closings.insertOne({ _id: documentId(tenantId, String(closing.number)), ...closing }, { session });
      return { closing, before: head.closedThrough };
    },

    /** Opens days from one on again, in a transaction that the caller commits. */
    async reopen(from: Day, by: { supersededBy: string; supersededAt: Date }, session: ClientSession): Promise<void> {
      const { closedThrough } = await records.headIn(session);
      if (closedThrough === undefined || closedThrough < from) return;
      const moved = { at: by.supersededAt, closedThrough: from - 1 };
      await records.add((head) => [periodMoved(from - 1, head)], moved, session);
      await closings.updateMany({ last: { $gte: from }, ...stands }, { $set: by }, { session });
    },

    /** The newest first, from below a number. */
    async list(below: number | undefined, limit: number): Promise<Closing[]> {
      const filter = below === undefined ? {} : { number: { $lt: below } };
      return (await closings.find(filter, { sort: { number: -1 }, limit })).map(closingFromDocument);
    },

    async noteProgress(number: number, transfers: number): Promise<void> {
      const set = { "package.status": "RUNNING", "package.transfers": transfers };
      const open = { _id: documentId(tenantId, String(number)), "package.status": { $ne: "DONE" } };
      await closings.updateOne(open as never, { $set: set } as never);
    },

    async finish(number: number, transfers: number, files: readonly PackageFile[], session: ClientSession) {
      const set = { package: { status: "DONE" as const, transfers, files } };
      await closings.updateOne({ _id: documentId(tenantId, String(number)) }, { $set: set }, { session });
    },
  };
}

function closingFromDocument({ _id, tenantId: _tenantId, ...document }: ClosingDocument): Closing {
  return { ...document, previousHash: bytesOf(document.previousHash), headHash: bytesOf(document.headHash) };
}
