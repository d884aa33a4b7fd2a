import type { Connection } from "mongoose";
import { Refusal } from "../../../kernel/refusal.js";
import { recordCollection } from "../../../kernel/mongo/record-collection.js";
import { collections, type Session } from "./collections.js";

/** What an owner may have uploaded that nobody has handed in, attached or loaded. */
export interface UploadLimits {
  uploads: number;
  bytes: number;
}

interface OpenUpload {
  uploadId: string;
  bytes: number;
  expiresAt: Date;
}

interface QuotaRow {
  /** `customer:c1`, `case-files` or `lists`. */
  owner: string;
  uploads: OpenUpload[];
  expiresAt: Date;
}

export interface TakenPart {
  uploadId: string;
  bytes: number;
  /** Of the part: until then it counts. */
  expiresAt: Date;
  now: Date;
}

// A row costs more than its bytes: parts of a byte each would be rows without end.
const leastBytes = 4_096;

export type UploadQuotas = ReturnType<typeof createUploadQuotas>;

/**
 * Open uploads of each owner, in one document that parts which come at once take their turns at.
 */
export function createUploadQuotas(db: Connection) {
  const all = recordCollection<QuotaRow>(db, collections.uploadQuotas);
  return {
    forTenant(tenantId: string) {
      const rows = all.forTenant(tenantId);
      return {
        /**
         * Counts a part that is new, in the transaction that keeps it.
         * Refuses UPLOAD_LIMIT_REACHED.
         */
        async take(owner: string, part: TakenPart, limits: UploadLimits, session: Session): Promise<void> {
          const { uploadId, now, expiresAt } = part;
          const row = await rows.findOneAndUpdate(
            { owner },
            { $set: { expiresAt }, $setOnInsert: { uploads: [] } },
            { upsert: true, returnDocument: "after", session },
          );
          const open = row!.uploads.filter((one) => one.expiresAt > now);
          const before = open.find((one) => one.uploadId === uploadId);
          const bytes = Number(before?.bytes ?? 0) + Math.max(part.bytes, leastBytes);
          const uploads = [...open.filter((one) => one !== before), { uploadId, bytes, expiresAt }];
          const sum = uploads.reduce((some, one) => some + Number(one.bytes), 0);
          if (uploads.length > limits.uploads || sum > limits.bytes) {
            throw new Refusal(
              "UPLOAD_LIMIT_REACHED",
              `at most ${limits.uploads} uploads of ${limits.bytes / 1024 ** 2} MB together are kept before they are handed in; each goes after a day`,
            );
          }
          await rows.updateOne({ owner }, { $set: { uploads } }, { session });
        },
        /** What was handed in does not count any more. */
        async release(owner: string, uploadId: string, session?: Session): Promise<void> {
          await rows.updateOne({ owner }, { $pull: { uploads: { uploadId } } } as object, session && { session });
        },
      };
    },
  };
}
