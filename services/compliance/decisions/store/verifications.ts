import type { Filter, TenantCollection } from "../../../kernel/mongo/tenant-collection.js";
import type { Verification } from "../domain/verification.js";
import type { Owned, Session } from "../../common/store/collections.js";

const projection = { _id: 0, tenantId: 0 };

/** Links and codes that were sent. */
export function verificationStore(verifications: TenantCollection<Owned<Verification>>) {
  return {
    /** The latest of them. */
    async findVerification(by: Partial<Verification>, session?: Session): Promise<Verification | undefined> {
      const options = { projection, session, sort: { verificationId: -1 } } as const;
      return (await verifications.findOne(by as Filter<Owned<Verification>>, options)) ?? undefined;
    },
    insertVerification: (one: Verification, session: Session) => verifications.insertOne(one, { session }),
    async endVerification(verificationId: string, state: Verification["state"], session: Session): Promise<void> {
      await verifications.updateOne({ verificationId }, { $set: { state } }, { session });
    },
    /**
     * Counts a try before it is looked at; undefined where none is left or it is no longer open.
     */
    async countTry(verificationId: string, maxTries: number): Promise<Verification | undefined> {
      const open = { verificationId, state: "OPEN" as const, tries: { $lt: maxTries } };
      const options = { returnDocument: "after", projection } as const;
      return (await verifications.findOneAndUpdate(open, { $inc: { tries: 1 } }, options)) ?? undefined;
    },
  };
}
