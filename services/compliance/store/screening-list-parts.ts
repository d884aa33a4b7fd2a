import type { Connection, mongo } from "mongoose";
import { tenantCollection } from "../../shared/mongo/tenant-collection.js";
import { collections } from "./collections.js";

interface PartRow {
  tenantId: string;
  _id: string;
  uploadId: string;
  offset: number;
  data: Uint8Array | mongo.Binary;
  expiresAt: Date;
}

/** Parts of files until a list is read from them; what nobody loads goes away by itself. */
export function listPartStore(db: Connection) {
  const all = tenantCollection<PartRow>(db, collections.screeningListParts);
  return {
    forOwner(owner: string) {
      const parts = all.forTenant(owner);
      return {
        /** Keeps a part unless there is one at its place; the bytes that are there then. */
        async put(uploadId: string, offset: number, data: Uint8Array, expiresAt: Date): Promise<Buffer> {
          const filter = { _id: `${owner}:${uploadId}:${offset}` };
          const options = { upsert: true, returnDocument: "after" } as const;
          const row = { uploadId, offset, data, expiresAt };
          const kept = await parts.findOneAndUpdate(filter, { $setOnInsert: row }, options);
          return bytesOf(kept!.data);
        },

        /** The bytes in order, up to the first gap. */
        async *stream(uploadId: string): AsyncGenerator<Uint8Array> {
          let next = 0;
          for await (const { offset, data } of parts.stream({ uploadId }, { sort: { offset: 1 }, batchSize: 8 })) {
            if (Number(offset) !== next) return;
            const bytes = bytesOf(data);
            next += bytes.length;
            yield bytes;
          }
        },

        /** Where the last part ends; 0 where there is none. */
        async end(uploadId: string): Promise<number> {
          const [last] = await parts.find({ uploadId }, { sort: { offset: -1 }, limit: 1 });
          return last === undefined ? 0 : Number(last.offset) + bytesOf(last.data).length;
        },

        remove: (uploadId: string) => parts.deleteMany({ uploadId }),
      };
    },
  };
}

function bytesOf(data: PartRow["data"]): Buffer {
  return data instanceof Uint8Array ? Buffer.from(data) : Buffer.from(data.buffer.subarray(0, data.position));
}
