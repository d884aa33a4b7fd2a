import type { ClientSession } from "mongoose";
import type { GuardedCollection } from "../../kernel/mongo/collection.js";
import { isDuplicateKey } from "../../kernel/mongo/transaction.js";
import type { KnownPlaceRecord } from "../domain/known-places.js";

/** Places that users of one tenant have signed in from. */
export function knownPlacePart(places: GuardedCollection<KnownPlaceRecord>) {
  return {
    findKnownPlace: (id: string) => places.findOne({ _id: id }),
    /** Writes a place that is new, or ends before `stale`. */
    async putKnownPlace({ _id, userId }: Pick<KnownPlaceRecord, "_id" | "userId">, expiresAt: Date, stale: Date) {
      try {
        const older = { _id, expiresAt: { $lt: stale } };
        await places.updateOne(older, { $set: { userId, expiresAt } }, { upsert: true });
      } catch (error) {
        // A duplicate key means that the place is fresh or that another log-in wrote it at the same
        // moment.
        if (!isDuplicateKey(error)) throw error;
      }
    },
    async eraseKnownPlaces(userId: string, session: ClientSession): Promise<void> {
      await places.deleteMany({ userId }, { session });
    },
  };
}
