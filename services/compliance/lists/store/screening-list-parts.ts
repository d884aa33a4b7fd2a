import type { Connection } from "mongoose";
import { bytesOf, type StoredBytes } from "../../../kernel/mongo/bytes.js";
import { inTransaction } from "../../../kernel/mongo/transaction.js";
import { tenantCollection } from "../../../kernel/mongo/tenant-collection.js";
import { collections, type Session } from "../../common/store/collections.js";
import { createUploadQuotas, type UploadLimits } from "../../common/store/upload-quotas.js";

interface PartRow {
  tenantId: string;
  _id: string;
  uploadId: string;
  offset: number;
  data: StoredBytes;
  expiresAt: Date;
}

/** Parts of files until a list is read from them; what nobody loads goes away by itself. */
export function listPartStore(db: Connection) {
  const all = tenantCollection<PartRow>(db, collections.screeningListParts);
  const quotas = createUploadQuotas(db);
  return {
    forOwner(owner: string) {
      const parts = all.forTenant(owner);
      return {
        /** Keeps a part unless there is one at its place; the bytes that are there then. */
        async put(
          uploadId: string,
          offset: number,
          data: Uint8Array,
          expiresAt: Date,
          session?: Session,
        ): Promise<Buffer> {
          const filter = { _id: `${owner}:${uploadId}:${offset}` };
          const options = { upsert: true, returnDocument: "after", ...(session && { session }) } as const;
          const row = { uploadId, offset, data, expiresAt };
          const stored = await parts.findOneAndUpdate(filter, { $setOnInsert: row }, options);
          return Buffer.from(bytesOf(stored!.data));
        },

        /**
         * As `put`, of what a person uploads: one that is new counts. Refuses UPLOAD_LIMIT_REACHED.
         */
        async putWithin(
          limits: UploadLimits,
          part: { uploadId: string; offset: number; data: Uint8Array; expiresAt: Date; now: Date },
        ): Promise<Buffer> {
          const { uploadId, offset, data, expiresAt, now } = part;
          const keep = async (session: Session) => {
            const isThere = (await parts.findOne({ _id: `${owner}:${uploadId}:${offset}` }, { session })) !== null;
            const taken = { uploadId, bytes: data.length, expiresAt, now };
            if (!isThere) await quotas.forTenant(owner).take("lists", taken, limits, session);
            return this.put(uploadId, offset, data, expiresAt, session);
          };
          // What a lost answer leaves open is settled by the part's repetition.
          return inTransaction(db, keep, { readBack: async () => undefined });
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

        async remove(uploadId: string): Promise<void> {
          await parts.deleteMany({ uploadId });
          await quotas.forTenant(owner).release("lists", uploadId);
        },
      };
    },
  };
}
