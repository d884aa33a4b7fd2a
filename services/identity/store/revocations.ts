import type { ClientSession } from "mongoose";
import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import type { RevocationRecord } from "../domain/sessions.js";

/** Revocations of one tenant. */
export function revocationPart(revocations: RecordCollection<RevocationRecord, "revocationId">) {
  return {
    /**
     * Notes revocations that Redis has yet to be told of. Of one user the latest time counts, of
     * one session the earliest: it may be to come.
     */
    async putRevocations(
      wanted: readonly Omit<RevocationRecord, "mirrored">[],
      session?: ClientSession,
    ): Promise<void> {
      const operations = wanted.map(({ revocationId, issuedBefore, expiresAt, kind, subjectId }) => ({
        updateOne: {
          filter: { _id: revocationId },
          update: {
            ...(kind === "user"
              ? { $max: { issuedBefore, expiresAt } }
              : { $min: { issuedBefore }, $max: { expiresAt } }),
            $set: { mirrored: false },
            $setOnInsert: { kind, subjectId },
          },
          upsert: true,
        },
      }));
      await revocations.bulkWrite(operations, session === undefined ? {} : { session });
    },
    findRevocation: (id: string) => revocations.findOne({ _id: id }),
  };
}
