import type { Connection } from "mongoose";
import { bytesOf, type StoredBytes } from "../../../kernel/mongo/bytes.js";
import { tenantCollection } from "../../../kernel/mongo/tenant-collection.js";
import type { Session } from "./collections.js";

interface ChunkRow {
  tenantId: string;
  _id: string;
  files_id: string;
  n: number;
  data: StoredBytes;
  /** Until it belongs to a file that is kept; then absent. */
  expiresAt?: Date;
}

/** So that a chunk in base64 fits into a body of the edge. */
export const chunkBytes = 128 * 1024;

export type ChunkStore = ReturnType<ReturnType<typeof createChunkStore>["forTenant"]>;

/**
 * Bytes of files, in chunks that are written once. What nobody keeps goes away by itself.
 */
export function createChunkStore(db: Connection, collection: string) {
  const allChunks = tenantCollection<ChunkRow>(db, collection);
  return {
    forTenant(tenantId: string) {
      const chunks = allChunks.forTenant(tenantId);
      return {
        /** Keeps a chunk unless there is one at its place; what was there before. */
        async putChunk(
          fileId: string,
          n: number,
          data: Uint8Array,
          { expiresAt, session }: { expiresAt: Date; session: Session },
        ): Promise<Buffer | undefined> {
          const _id = `${tenantId}:${fileId}:${n}`;
          const row = { files_id: fileId, n, data, expiresAt };
          const options = { upsert: true, returnDocument: "before", session } as const;
          const before = await chunks.findOneAndUpdate({ _id }, { $setOnInsert: row }, options);
          return before === null ? undefined : Buffer.from(bytesOf(before.data));
        },
        /** So many chunks from one on, in order; none where one is missing. */
        async readChunks(fileId: string, from: number, count: number): Promise<Buffer[]> {
          const filter = { files_id: fileId, n: { $gte: from, $lt: from + count } };
          const rows = await chunks.find(filter, { sort: { n: 1 } });
          return rows.every((row, index) => Number(row.n) === from + index)
            ? rows.map((row) => Buffer.from(bytesOf(row.data)))
            : [];
        },
        /** Keeps a file's chunks for good; false where one has gone. */
        async keepChunks(fileId: string, sizeBytes: number, session: Session): Promise<boolean> {
          const retained = await chunks.updateMany({ files_id: fileId }, { $unset: { expiresAt: true } }, { session });
          return retained.matchedCount === Math.ceil(sizeBytes / chunkBytes);
        },
        /** Deletes what was uploaded of a file and nobody has kept. */
        async dropChunks(fileId: string, session: Session): Promise<void> {
          await chunks.deleteMany({ files_id: fileId, expiresAt: { $exists: true } }, { session });
        },
      };
    },
  };
}
