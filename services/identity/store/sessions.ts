import type { ClientSession } from "mongoose";
import type { GuardedCollection } from "../../shared/mongo/collection.js";
import type { RevocationDocument, SessionDocument } from "./documents.js";

/** One link of a family's chain, as the compare-and-set writes it. */
export interface RotatedLink {
  rotatedAt: Date;
  idleUntil: Date;
  accessKeyId: string;
}

/** Sessions and revocations of one tenant. */
export function sessionPart(
  sessions: GuardedCollection<SessionDocument>,
  revocations: GuardedCollection<RevocationDocument>,
) {
  return {
    insertSession: (session: Omit<SessionDocument, "tenantId">) => sessions.insertOne(session),
    findSession: (sessionId: string) => sessions.findOne({ _id: sessionId }),

    /** Sessions of a user that have not ended at the time, the newest first. */
    listOpenSessions: (userId: string, now: Date, session?: ClientSession) =>
      sessions.find(
        { userId, revokedAt: { $exists: false }, idleUntil: { $gt: now } },
        { session, sort: { createdAt: -1 } },
      ),

    /** The compare-and-set of a refresh: true for the one who moved the family on from this counter. */
    async advanceSession(sessionId: string, from: number, link: RotatedLink): Promise<boolean> {
      const { modifiedCount } = await sessions.updateOne(
        { _id: sessionId, counter: from, revokedAt: { $exists: false } },
        { $set: { ...link, counter: from + 1 } },
      );
      return modifiedCount === 1;
    },

    /** Ends the families; the first reason stays. */
    async endSessions(sessionIds: readonly string[], at: Date, because: string, session: ClientSession): Promise<void> {
      await sessions.updateMany(
        { _id: { $in: [...sessionIds] }, revokedAt: { $exists: false } },
        { $set: { revokedAt: at, revokedBecause: because } },
        { session },
      );
    },

    /** Forgets from where a user came. */
    async eraseSessions(userId: string, session: ClientSession): Promise<void> {
      await sessions.updateMany({ userId }, { $set: { ipAddress: "" } }, { session });
    },

    /**
     * Notes revocations that Redis has yet to be told of. Of one user the latest time counts, of one session the earliest: it may be to
     * come.
     */
    async putRevocations(
      wanted: readonly Omit<RevocationDocument, "tenantId" | "mirrored">[],
      session?: ClientSession,
    ): Promise<void> {
      const operations = wanted.map(({ _id, issuedBefore, expiresAt, kind, subjectId }) => ({
        updateOne: {
          filter: { _id },
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
