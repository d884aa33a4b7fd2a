import type { ClientSession, Connection } from "mongoose";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import type { RecipientLook } from "../domain/recipient-look.js";
import { collections } from "./collections.js";

/** Who looked at whose recipients at a desk. */
export function createRecipientLookStore(db: Connection) {
  const looks = recordCollection<RecipientLook, "lookId">(db, collections.recipientLooks, "lookId");
  return {
    forTenant(tenantId: string) {
      const own = looks.forTenant(tenantId);
      return {
        noteRecipientLook: (look: RecipientLook, session?: ClientSession): Promise<void> =>
          own.insertOne(look, { session }),
        /** The newest first. */
        listRecipientLooks: (customerId: string, before: string, limit: number): Promise<RecipientLook[]> =>
          own.find({ customerId, ...(before !== "" && { _id: { $lt: before } }) } as never, {
            sort: { _id: -1 },
            limit,
          }),
      };
    },
  };
}
