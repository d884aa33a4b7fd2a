import type { ClientSession } from "mongoose";
import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import { unlessThere } from "../../kernel/mongo/transaction.js";
import type { KnownPlaceRecord } from "../domain/known-places.js";

/** Places that users of one tenant have signed in from. */
export function knownPlacePart(places: RecordCollection<KnownPlaceRecord, "placeId">) {
  return {
    findKnownPlace: (id: string) => places.findOne({ _id: id }),
    /** Writes a place that is new, or ends before `stale`. */
    async putKnownPlace(
      { placeId, userId }: Pick<KnownPlaceRecord, "placeId" | "userId">,
      expiresAt: Date,
      stale: Date,
    ) {
      const older = { _id: placeId, expiresAt: { $lt: stale } };
      // It is there where it is fresh, or where another log-in wrote it at the same moment.
      await unlessThere(places.updateOne(older, { $set: { userId, expiresAt } }, { upsert: true }));
    },
    async eraseKnownPlaces(userId: string, session: ClientSession): Promise<void> {
      await places.deleteMany({ userId }, { session });
    },
  };
}
