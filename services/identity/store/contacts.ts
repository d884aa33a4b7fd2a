import type { ClientSession } from "mongoose";
import type { GuardedCollection } from "../../shared/mongo/collection.js";
import type { ContactType } from "../domain/contacts.js";
import type { FieldCipher } from "../credentials/sealing.js";
import type { ContactChange, ContactChangeDocument, RegistrationDetails, RegistrationDocument } from "./documents.js";
import { maxCodeTries } from "./factors.js";

/** Contacts and registrations whose code has not been entered. Personal data is sealed on its way in and opened on its way out. */
export function contactPart(
  changes: GuardedCollection<ContactChangeDocument>,
  registrations: GuardedCollection<RegistrationDocument>,
  cipher: FieldCipher,
  tenantId: string,
) {
  const contextOf = (id: string, field: string) => `${tenantId}/${id}/${field}`;

  function opened(found: ContactChangeDocument): ContactChange {
    const { value, previous, ...rest } = found;
    return {
      ...rest,
      value: cipher.open(value, contextOf(found._id, "contact")),
      previous: previous === undefined ? "" : cipher.open(previous, contextOf(found._id, "previous contact")),
    };
  }
  const one = (found: ContactChangeDocument | null) => (found === null ? null : opened(found));

  return {
    /** Takes the place of one of the same user and type that waited. */
    async putContactChange(change: Omit<ContactChange, "tenantId">, session: ClientSession): Promise<void> {
      const { _id, userId, type, value, previous, ...rest } = change;
      await changes.updateMany({ userId, type, state: "PENDING" }, { $set: { state: "REPLACED" } }, { session });
      await changes.insertOne(
        {
          _id,
          userId,
          type,
          ...rest,
          value: cipher.seal(value, contextOf(_id, "contact")),
          ...(previous === "" ? {} : { previous: cipher.seal(previous, contextOf(_id, "previous contact")) }),
        },
        { session },
      );
    },
    findContactChange: async (id: string): Promise<ContactChange | null> => one(await changes.findOne({ _id: id })),
    /** Those that wait for their code. */
    listPendingContacts: async (userId: string, now: Date): Promise<ContactChange[]> =>
      (await changes.find({ userId, state: "PENDING", expiresAt: { $gt: now } }, { sort: { type: 1 } })).map(opened),
    /** The newest of a type that waits, or was confirmed: whoever lost the answer asks again. */
    findNewestContact: async (userId: string, type: ContactType, now: Date): Promise<ContactChange | null> =>
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

    insertRegistration: (
      { details, ...rest }: Omit<RegistrationDocument, "tenantId" | "details"> & { details: RegistrationDetails },
      session: ClientSession,
    ) => {
      const sealed = cipher.seal(JSON.stringify(details), contextOf(rest._id, "registration"));
      return registrations.insertOne({ ...rest, details: sealed }, { session });
    },
    findRegistration: (id: string) => registrations.findOne({ _id: id }),
    openRegistration: ({
      _id,
      details,
    }: Pick<RegistrationDocument, "_id" | "details">): RegistrationDetails | undefined =>
      details && (JSON.parse(cipher.open(details, contextOf(_id, "registration"))) as RegistrationDetails),
    /** Counts a try before it is looked at: false where there were five. */
    async beginRegistrationTry(id: string): Promise<boolean> {
      const open = { _id: id, tries: { $lt: maxCodeTries } };
      return (await registrations.updateOne(open, { $inc: { tries: 1 } })).matchedCount === 1;
    },
    /** Notes whose account it became and forgets the rest; false where it has become one already. */
    async completeRegistration(id: string, userId: string, session: ClientSession): Promise<boolean> {
      const open = { _id: id, userId: { $exists: false } };
      const done = { $set: { userId }, $unset: { details: true as const, passwordHash: true as const } };
      return (await registrations.updateOne(open, done, { session })).matchedCount === 1;
    },
  };
}
