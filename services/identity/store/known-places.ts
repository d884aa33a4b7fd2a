import type { ClientSession } from "mongoose";
import type { GuardedCollection } from "../../kernel/mongo/collection.js";
import { unlessThere } from "../../kernel/mongo/transaction.js";
import type { KnownPlaceRecord } from "../domain/known-places.js";

/** Places that users of one tenant have signed in from. */
export function knownPlacePart(places: GuardedCollection<KnownPlaceRecord>) {
  return {
    findKnownPlace: (id: string) => places.findOne({ _id: id }),
    /** Writes a place that is new, or ends before `stale`. */
    async putKnownPlace({ _id, userId }: Pick<KnownPlaceRecord, "_id" | "userId">, expiresAt: Date, stale: Date) {
      const older = { _id, expiresAt: { $lt: stale } };
      // It is there where it is fresh, or where another log-in wrote it at the same moment.
      await unlessThere(places.updateOne(older, { $set: { userId, expiresAt } }, { upsert: true }));
    },
    async eraseKnownPlaces(userId: string, session: ClientSession): Promise<void> {
      await places.deleteMany({ userId }, { session });
    },
  };
}
