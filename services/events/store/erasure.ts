import type { Connection } from "mongoose";
import { keptAnswers, type PersonalRecords } from "../../shared/erasure/erasure.js";
import type { Idempotency } from "../../shared/idempotency/index.js";
import { tenantCollection, type Filter } from "../../shared/mongo/tenant-collection.js";
import { collections, type Owned } from "./collections.js";
import type { EventStore } from "./events.js";

/**
 * What events say of people, and what receivers answered: neither has to be kept. The numbers stay,
 * so that nobody finds a gap. What other services tell of them later is kept without its body.
 */
export function personalRecords(db: Connection, idempotency: Idempotency, events: EventStore) {
  return {
    atOnce: [
      toldLater(events),
      stripped(db, "events", collections.events, "content", "content"),
      stripped(db, "webhook-answers", collections.deliveries, "attempts.answer", "attempts.$[].answer"),
      keptAnswers(idempotency),
    ],
    afterRetention: [],
  };
}

/** Counts as no record: it makes sure that there will be none. */
function toldLater(events: EventStore): PersonalRecords {
  return {
    kind: "events-told-later",
    async erase({ tenantId, customerId }, _limit, session) {
      const own = events.forTenant(tenantId);
      // Whoever keeps events meanwhile has done so before, and they are found below, or sees this.
      await own.takePlaces(1, session);
      await own.noteErased(customerId, new Date(), session);
      return 0;
    },
  };
}

function stripped(db: Connection, kind: string, name: string, held: string, path: string): PersonalRecords {
  const all = tenantCollection<Owned<{ customerId: string }>>(db, name);
  return {
    kind,
    async erase({ tenantId, customerId }, limit, session) {
      const own = all.forTenant(tenantId);
      const filter = { customerId, [held]: { $exists: true } } as Filter<Owned<{ customerId: string }>>;
      const found = await own.find(filter, { limit, session, projection: { _id: 1 } });
      if (found.length === 0) return 0;
      const some = { _id: { $in: found.map((one) => (one as unknown as { _id: unknown })._id) } };
      await own.updateMany(some as never, { $unset: { [path]: true } } as object, { session });
      return found.length;
    },
  };
}
