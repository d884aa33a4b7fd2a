import type { Connection } from "mongoose";
import { tenantCollection, type Filter } from "../../../kernel/mongo/tenant-collection.js";
import type { DocumentRecord } from "../domain/document.js";
import { chunkBytes, createChunkStore } from "../../common/store/chunks.js";
import { collections, type Page, type Session } from "../../common/store/collections.js";
import { createUploadQuotas } from "../../common/store/upload-quotas.js";

/** A file as GridFS keeps it, with its tenant: GridFS's own driver knows no tenant. */
export interface FileRow {
  tenantId: string;
  _id: string;
  length: number;
  chunkSize: number;
  uploadDate: Date;
  filename: string;
  metadata: Omit<DocumentRecord, "documentId" | "sizeBytes" | "submittedAt" | "fileName">;
}

export type DocumentStore = ReturnType<typeof createDocumentStore>;

/**
 * Documents in the layout of GridFS. A chunk is written once; what is never handed in goes away by
 * itself.
 */
export function createDocumentStore(db: Connection) {
  const allFiles = tenantCollection<FileRow>(db, collections.documentFiles);
  const allChunks = createChunkStore(db, collections.documentChunks);
  const quotas = createUploadQuotas(db);
  return {
    forTenant(tenantId: string) {
      const files = allFiles.forTenant(tenantId);
      const chunks = allChunks.forTenant(tenantId);
      return {
        putChunk: chunks.putChunk,
        readChunks: chunks.readChunks,
        dropChunks: chunks.dropChunks,
        quotas: quotas.forTenant(tenantId),
        /** Makes the uploaded chunks a document; false where one has gone. */
        async insertDocument(document: DocumentRecord, session: Session): Promise<boolean> {
          const { documentId, sizeBytes, submittedAt, fileName, ...metadata } = document;
          if (!(await chunks.keepChunks(documentId, sizeBytes, session))) return false;
          const file = { length: sizeBytes, chunkSize: chunkBytes, uploadDate: submittedAt, filename: fileName };
          await files.insertOne({ _id: documentId, ...file, metadata }, { session });
          return true;
        },
        async findDocument(documentId: string, session?: Session): Promise<DocumentRecord | undefined> {
          const found = await files.findOne({ _id: documentId }, { session });
          return found === null ? undefined : documentFromFile(found);
        },
        /** Of a customer, or all that wait for a review; oldest first. */
        async listDocuments({ customerId, limit, after }: Page & { customerId?: string }): Promise<DocumentRecord[]> {
          const which: Record<string, unknown> =
            customerId === undefined ? { "metadata.state": "SUBMITTED" } : { "metadata.customerId": customerId };
          if (after !== undefined) which["_id"] = { $gt: after };
          return (await files.find(which as Filter<FileRow>, { sort: { _id: 1 }, limit })).map(documentFromFile);
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

function documentFromFile({ _id, length, uploadDate, filename, metadata }: FileRow): DocumentRecord {
  return { ...metadata, documentId: _id, sizeBytes: length, submittedAt: uploadDate, fileName: filename };
}
