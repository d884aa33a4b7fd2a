import type { ClientSession } from "mongoose";
import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import { maxCodeTries, type SentCodeRecord } from "../domain/factors.js";

/** Codes that were sent for a payment or a change, of one tenant. */
export function sentCodePart(codes: RecordCollection<SentCodeRecord, "codeId">) {
  return {
    insertSentCode: (code: SentCodeRecord, session: ClientSession) => codes.insertOne(code, { session }),
    /** The newest code for exactly this that is open. */
    findSentCode: (userId: string, binding: string, now: Date) =>
      codes.findOne(
        { userId, binding, usedAt: { $exists: false }, expiresAt: { $gt: now } },
        { sort: { createdAt: -1 } },
      ),
    findSentCodeById: (id: string) => codes.findOne({ _id: id }),
    async beginCodeTry(id: string): Promise<boolean> {
      const open = { _id: id, tries: { $lt: maxCodeTries }, usedAt: { $exists: false } };
      return (await codes.updateOne(open, { $inc: { tries: 1 } })).matchedCount === 1;
    },
    async useSentCode(id: string, now: Date): Promise<boolean> {
      const { matchedCount } = await codes.updateOne(
        { _id: id, usedAt: { $exists: false } },
        { $set: { usedAt: now } },
      );
      return matchedCount === 1;
    },
  };
}
