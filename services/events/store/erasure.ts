import type { Connection } from "mongoose";
import { storedResponses, type PersonalRecords } from "../../platform/erasure/erasure.js";
import type { Idempotency } from "../../kernel/idempotency/index.js";
import { tenantCollection, type Filter } from "../../kernel/mongo/tenant-collection.js";
import { collections, type Owned } from "./collections.js";
import type { EventStore } from "./events.js";

/**
 * What events say of people, and what receivers answered: neither has to be kept. The numbers stay,
 * so that nobody finds a gap. What other services tell of them later is kept without its body.
 */
export function personalRecords(db: Connection, idempotency: Idempotency, events: EventStore) {
  return {
    atOnce: [toldLater(events), withoutBodies(db), withoutAnswers(db), storedResponses(idempotency)],
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

function withoutBodies(db: Connection): PersonalRecords {
  const left = { content: { $exists: true } };
  return changed(db, "events", collections.events, left, { $unset: { content: true } });
}

/**
 * All of their deliveries, answered or not: an answer that is under way must not be kept when it
 * comes.
 */
function withoutAnswers(db: Connection): PersonalRecords {
  const change = { $set: { isErased: true }, $unset: { "attempts.$[].answer": true } };
  return changed(db, "webhook-answers", collections.deliveries, { isErased: { $ne: true } }, change);
}

function changed(db: Connection, kind: string, name: string, left: object, change: object): PersonalRecords {
  const all = tenantCollection<Owned<{ customerId: string }>>(db, name);
  return {
    kind,
    async erase({ tenantId, customerId }, limit, session) {
      const own = all.forTenant(tenantId);
      const filter = { customerId, ...left } as Filter<Owned<{ customerId: string }>>;
      const found = await own.find(filter, { limit, session, projection: { _id: 1 } });
      if (found.length === 0) return 0;
      const some = { _id: { $in: found.map((one) => (one as unknown as { _id: unknown })._id) } };
      await own.updateMany(some as never, change, { session });
      return found.length;
    },
  };
}
