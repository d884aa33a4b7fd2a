import type { Connection, mongo } from "mongoose";
import { tenantCollection, type Filter } from "../../shared/mongo/tenant-collection.js";
import type { DocumentRecord } from "../domain/document.js";
import { collections, type Page, type Session } from "./collections.js";

/** A file as GridFS keeps it, with its tenant: GridFS's own driver knows no tenant. */
interface FileRow {
  tenantId: string;
  _id: string;
  length: number;
  chunkSize: number;
  uploadDate: Date;
  filename: string;
  metadata: Omit<DocumentRecord, "documentId" | "sizeBytes" | "submittedAt" | "fileName">;
}

interface ChunkRow {
  tenantId: string;
  _id: string;
  files_id: string;
  n: number;
  data: Uint8Array | mongo.Binary;
  /** Until it belongs to a document; then absent. */
  expiresAt?: Date;
}

/** So that a chunk in base64 fits into a body of the edge. */
export const chunkBytes = 128 * 1024;

export type DocumentStore = ReturnType<typeof createDocumentStore>;

/**
 * Documents in the layout of GridFS. A chunk is written once; what is never handed in goes away by
 * itself.
 */
export function createDocumentStore(db: Connection) {
  const allFiles = tenantCollection<FileRow>(db, collections.documentFiles);
  const allChunks = tenantCollection<ChunkRow>(db, collections.documentChunks);
  return {
    forTenant(tenantId: string) {
      const files = allFiles.forTenant(tenantId);
      const chunks = allChunks.forTenant(tenantId);
      return {
        /** Keeps a chunk unless there is one at its place; the bytes that are there then. */
        async putChunk(documentId: string, n: number, data: Uint8Array, expiresAt: Date): Promise<Buffer> {
          const _id = `${tenantId}:${documentId}:${n}`;
          const row = { files_id: documentId, n, data, expiresAt };
          const options = { upsert: true, returnDocument: "after" } as const;
          const kept = await chunks.findOneAndUpdate({ _id }, { $setOnInsert: row }, options);
          return bytesOf(kept!.data);
        },
        /** So many chunks from one on, in order. */
        async readChunks(documentId: string, from: number, count: number): Promise<Buffer[]> {
          const filter = { files_id: documentId, n: { $gte: from, $lt: from + count } };
          const rows = await chunks.find(filter, { sort: { n: 1 } });
          return rows.every((row, index) => Number(row.n) === from + index) ? rows.map((row) => bytesOf(row.data)) : [];
        },
        /** Makes the uploaded chunks a document; false where one has gone. */
        async insertDocument(document: DocumentRecord, session: Session): Promise<boolean> {
          const { documentId, sizeBytes, submittedAt, fileName, ...metadata } = document;
          const kept = await chunks.updateMany({ files_id: documentId }, { $unset: { expiresAt: true } }, { session });
          if (kept.matchedCount !== Math.ceil(sizeBytes / chunkBytes)) return false;
          const file = { length: sizeBytes, chunkSize: chunkBytes, uploadDate: submittedAt, filename: fileName };
          await files.insertOne({ _id: documentId, ...file, metadata }, { session });
          return true;
        },
        async findDocument(documentId: string, session?: Session): Promise<DocumentRecord | undefined> {
          const found = await files.findOne({ _id: documentId }, { session });
          return found === null ? undefined : recordOf(found);
        },
        /** Of a customer, or all that wait for a review; oldest first. */
        async listDocuments({ customerId, limit, after }: Page & { customerId?: string }): Promise<DocumentRecord[]> {
          const which: Record<string, unknown> =
            customerId === undefined ? { "metadata.state": "SUBMITTED" } : { "metadata.customerId": customerId };
          if (after !== undefined) which["_id"] = { $gt: after };
          return (await files.find(which as Filter<FileRow>, { sort: { _id: 1 }, limit })).map(recordOf);
        },
        async reviewDocument(
          documentId: string,
          review: Required<Pick<DocumentRecord, "state" | "reviewedAt" | "reviewedBy" | "reason">>,
          session: Session,
        ): Promise<void> {
          const { state, reviewedAt, reviewedBy, reason } = review;
          const change = {
            "metadata.state": state,
            "metadata.reviewedAt": reviewedAt,
            "metadata.reviewedBy": reviewedBy,
            "metadata.reason": reason,
          };
          await files.updateOne({ _id: documentId }, { $set: change as never }, { session });
        },
      };
    },
  };
}

function recordOf({ _id, length, uploadDate, filename, metadata }: FileRow): DocumentRecord {
  return { ...metadata, documentId: _id, sizeBytes: length, submittedAt: uploadDate, fileName: filename };
}

function bytesOf(data: ChunkRow["data"]): Buffer {
  return data instanceof Uint8Array ? Buffer.from(data) : Buffer.from(data.buffer.subarray(0, data.position));
}
