import type { ClientSession } from "mongoose";
import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import type { FieldCipher } from "../credentials/sealing.js";
import { maxCodeTries } from "../domain/factors.js";
import type { RegistrationDetails, RegistrationRecord } from "../domain/registration.js";

/**
 * Registrations whose code has not been entered, of one tenant. Personal data is sealed on its way
 * in and opened on its way out.
 */
export function registrationPart(
  registrations: RecordCollection<RegistrationRecord, "registrationId">,
  cipher: FieldCipher,
  tenantId: string,
) {
  const contextOf = (id: string) => `${tenantId}/${id}/registration`;

  return {
    insertRegistration: (
      { details, ...rest }: Omit<RegistrationRecord, "details"> & { details: RegistrationDetails },
      session: ClientSession,
    ) => {
      const sealed = cipher.seal(JSON.stringify(details), contextOf(rest.registrationId));
      return registrations.insertOne({ ...rest, details: sealed }, { session });
    },
    findRegistration: (id: string, session?: ClientSession) => registrations.findOne({ _id: id }, { session }),
    openRegistration: ({
      registrationId,
      details,
    }: Pick<RegistrationRecord, "registrationId" | "details">): RegistrationDetails | undefined =>
      details && (JSON.parse(cipher.open(details, contextOf(registrationId))) as RegistrationDetails),
    /** Counts a try before it is looked at: false where there were five. */
    async beginRegistrationTry(id: string): Promise<boolean> {
      const open = { _id: id, tries: { $lt: maxCodeTries } };
      return (await registrations.updateOne(open, { $inc: { tries: 1 } })).matchedCount === 1;
    },
    /**
     * Notes whose account it became and forgets the rest; false where it has become one already.
     */
    async completeRegistration(id: string, userId: string, session: ClientSession): Promise<boolean> {
      const open = { _id: id, userId: { $exists: false } };
      const done = { $set: { userId }, $unset: { details: true as const, passwordHash: true as const } };
      return (await registrations.updateOne(open, done, { session })).matchedCount === 1;
    },
  };
}
