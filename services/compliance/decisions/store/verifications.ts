import type { RecordCollection } from "../../../kernel/mongo/record-collection.js";
import type { Filter } from "../../../kernel/mongo/tenant-collection.js";
import type { Verification } from "../domain/verification.js";
import type { Session } from "../../common/store/collections.js";

/** Links and codes that were sent. */
export function verificationStore(verifications: RecordCollection<Verification>) {
  return {
    /** The latest of them. */
    findVerification: (by: Partial<Verification>, session?: Session): Promise<Verification | undefined> =>
      verifications.findOne(by as Filter<Verification>, { session, sort: { verificationId: -1 } }),
    insertVerification: (one: Verification, session: Session) => verifications.insertOne(one, { session }),
    async endVerification(verificationId: string, state: Verification["state"], session: Session): Promise<void> {
      await verifications.updateOne({ verificationId }, { $set: { state } }, { session });
    },
    /**
     * Counts a try before it is looked at; undefined where none is left or it is no longer open.
     */
    countTry(verificationId: string, maxTries: number): Promise<Verification | undefined> {
      const open = { verificationId, state: "OPEN" as const, tries: { $lt: maxTries } };
      return verifications.findOneAndUpdate(open, { $inc: { tries: 1 } }, { returnDocument: "after" });
    },
  };
}
