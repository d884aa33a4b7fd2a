import type { ClientSession } from "mongoose";
import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import { retryDuplicates } from "../../kernel/mongo/transaction.js";
import type { PasswordResetRecord } from "../domain/password-resets.js";

/** Password resets of one tenant. */
export function passwordResetPart(resets: RecordCollection<PasswordResetRecord, "resetId">) {
  return {
    /** The same id again changes nothing. */
    async putPasswordReset(reset: PasswordResetRecord): Promise<void> {
      const { resetId, ...content } = reset;
      await retryDuplicates(() => resets.updateOne({ _id: resetId }, { $setOnInsert: content }, { upsert: true }));
    },
    findPasswordReset: (id: string) => resets.findOne({ _id: id }),
    /** Uses it up; undefined where it is unknown, used or past its time. */
    usePasswordReset: (id: string, now: Date, session: ClientSession) =>
      resets.findOneAndUpdate(
        { _id: id, usedAt: { $exists: false }, expiresAt: { $gt: now } },
        { $set: { usedAt: now } },
        { session },
      ),
    /** Uses up those of a user that are open, so that none of them sets a password any more. */
    endPasswordResets: (userId: string, now: Date, session: ClientSession) =>
      resets.updateMany({ userId, usedAt: { $exists: false } }, { $set: { usedAt: now } }, { session }),
  };
}
