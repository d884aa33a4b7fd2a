import { v7 as uuidv7 } from "uuid";
import type { ClientSession } from "mongoose";
import type { GuardedCollection } from "../../shared/mongo/collection.js";
import type { Scope } from "../../shared/idempotency/index.js";
import type { AuditDocument, PasswordResetDocument, PersonalAnswerDocument } from "./documents.js";

/** What is kept about what was done: password resets, who did what and why, and where answers hold personal data. */
export function recordPart(
  resets: GuardedCollection<PasswordResetDocument>,
  audit: GuardedCollection<AuditDocument>,
  answers: GuardedCollection<PersonalAnswerDocument>,
) {
  return {
    /** The same id again changes nothing. */
    async putPasswordReset(reset: Omit<PasswordResetDocument, "tenantId">): Promise<void> {
      const { _id, ...content } = reset;
      await resets.updateOne({ _id }, { $setOnInsert: content }, { upsert: true });
    },
    findPasswordReset: (id: string) => resets.findOne({ _id: id }),
    /** Uses it up; null where it is unknown, used or past its time. */
    usePasswordReset: (id: string, now: Date, session: ClientSession) =>
      resets.findOneAndUpdate(
        { _id: id, usedAt: { $exists: false }, expiresAt: { $gt: now } },
        { $set: { usedAt: now } },
        { session },
      ),

    /** Those of a user that are open are worth nothing any more. */
    endPasswordResets: (userId: string, now: Date, session: ClientSession) =>
      resets.updateMany({ userId, usedAt: { $exists: false } }, { $set: { usedAt: now } }, { session }),

    noteAudit: (entry: Omit<AuditDocument, "_id" | "tenantId">, session: ClientSession) =>
      audit.insertOne({ _id: uuidv7(), ...entry }, { session }),
    listAudit: (subject: string) => audit.find({ subject }, { sort: { _id: 1 }, limit: 1_000 }),

    /** Notes that the stored answer of this request holds the person's data. */
    notePersonalAnswer: (userId: string, { caller, operation, key }: Scope, session: ClientSession) =>
      answers.insertOne({ _id: uuidv7(), userId, caller, operation, key }, { session }),
    listPersonalAnswers: (userId: string, session?: ClientSession) => answers.find({ userId }, { session }),
    deletePersonalAnswers: (userId: string, session: ClientSession) => answers.deleteMany({ userId }, { session }),
  };
}
