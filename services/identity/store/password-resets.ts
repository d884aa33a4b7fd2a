import type { ClientSession } from "mongoose";
import type { GuardedCollection } from "../../kernel/mongo/collection.js";
import { retryDuplicates } from "../../kernel/mongo/transaction.js";
import type { PasswordResetRecord } from "../domain/password-resets.js";

/** Password resets of one tenant. */
export function passwordResetPart(resets: GuardedCollection<PasswordResetRecord>) {
  return {
    /** The same id again changes nothing. */
    async putPasswordReset(reset: Omit<PasswordResetRecord, "tenantId">): Promise<void> {
      const { _id, ...content } = reset;
      await retryDuplicates(() => resets.updateOne({ _id }, { $setOnInsert: content }, { upsert: true }));
    },
    findPasswordReset: (id: string) => resets.findOne({ _id: id }),
    /** Uses it up; null where it is unknown, used or past its time. */
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
