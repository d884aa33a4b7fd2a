import type { ClientSession } from "mongoose";
import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import type { ContactType, ContactChange } from "../domain/contacts.js";
import type { FieldCipher } from "../credentials/sealing.js";
import { maxCodeTries } from "../domain/factors.js";
import type { StoredContactChange } from "./collections.js";

/**
 * Contacts whose code has not been entered, of one tenant. Personal data is sealed on its way in
 * and opened on its way out.
 */
export function contactPart(
  changes: RecordCollection<StoredContactChange, "changeId">,
  cipher: FieldCipher,
  tenantId: string,
) {
  const contextOf = (id: string, field: string) => `${tenantId}/${id}/${field}`;

  function opened(found: StoredContactChange): ContactChange {
    const { value, previous, ...rest } = found;
    return {
      ...rest,
      value: cipher.open(value, contextOf(found.changeId, "contact")),
      previous: previous === undefined ? "" : cipher.open(previous, contextOf(found.changeId, "previous contact")),
    };
  }
  const one = (found: StoredContactChange | undefined) => (found === undefined ? undefined : opened(found));

  return {
    /** Takes the place of one of the same user and type that waited. */
    async putContactChange(change: ContactChange, session: ClientSession): Promise<void> {
      const { changeId, userId, type, value, previous, ...rest } = change;
      await changes.updateMany({ userId, type, state: "PENDING" }, { $set: { state: "REPLACED" } }, { session });
      await changes.insertOne(
        {
          changeId,
          userId,
          type,
          ...rest,
          value: cipher.seal(value, contextOf(changeId, "contact")),
          ...(previous === "" ? {} : { previous: cipher.seal(previous, contextOf(changeId, "previous contact")) }),
        },
        { session },
      );
    },
    findContactChange: async (id: string): Promise<ContactChange | undefined> =>
      one(await changes.findOne({ _id: id })),
    /** Those that wait for their code. */
    listPendingContacts: async (userId: string, now: Date): Promise<ContactChange[]> =>
      (await changes.find({ userId, state: "PENDING", expiresAt: { $gt: now } }, { sort: { type: 1 } })).map(opened),
    /** The newest of a type that waits, or was confirmed: whoever lost the answer asks again. */
    findNewestContact: async (userId: string, type: ContactType, now: Date): Promise<ContactChange | undefined> =>
      one(
        await changes.findOne(
          { userId, type, state: { $ne: "REPLACED" }, expiresAt: { $gt: now } },
          { sort: { createdAt: -1 } },
        ),
      ),
    /** Counts a try before it is looked at: false where there were five, or it waits no more. */
    async beginContactTry(id: string): Promise<boolean> {
      const open = { _id: id, state: "PENDING" as const, tries: { $lt: maxCodeTries } };
      return (await changes.updateOne(open, { $inc: { tries: 1 } })).matchedCount === 1;
    },
    async confirmContact(id: string, session: ClientSession): Promise<boolean> {
      const open = { _id: id, state: "PENDING" as const };
      return (await changes.updateOne(open, { $set: { state: "CONFIRMED" } }, { session })).matchedCount === 1;
    },
    replacePendingContacts: (userId: string, type: ContactType, session: ClientSession) =>
      changes.updateMany({ userId, type, state: "PENDING" }, { $set: { state: "REPLACED" } }, { session }),
    deleteContactChanges: (userId: string, session: ClientSession) => changes.deleteMany({ userId }, { session }),
  };
}
