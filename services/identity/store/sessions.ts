import type { ClientSession } from "mongoose";
import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import type { RotatedLink } from "../domain/refresh-tokens.js";
import type { SessionRecord } from "../domain/sessions.js";

/** Sessions of one tenant. */
export function sessionPart(sessions: RecordCollection<SessionRecord, "sessionId">) {
  return {
    insertSession: (session: SessionRecord) => sessions.insertOne(session),
    findSession: (sessionId: string) => sessions.findOne({ _id: sessionId }),

    /** Sessions of a user that have not ended at the time, the newest first. */
    listOpenSessions: (userId: string, now: Date, session?: ClientSession) =>
      sessions.find(
        { userId, revokedAt: { $exists: false }, idleUntil: { $gt: now } },
        { session, sort: { createdAt: -1 } },
      ),

    /**
     * The compare-and-set of a refresh: true for the one who moved the family on from this counter.
     */
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
  };
}
