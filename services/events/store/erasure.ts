import type { Connection } from "mongoose";
import { erasedDocuments, storedResponses, type PersonalRecords } from "../../platform/erasure/erasure.js";
import type { Idempotency } from "../../kernel/idempotency/index.js";
import { collections } from "./collections.js";
import type { EventStore } from "./events.js";

/**
 * What events say of people, and what receivers answered: neither has to be kept. The numbers stay,
 * so that nobody finds a gap. What other services tell of them later is kept without its body.
 */
export function personalRecords(db: Connection, idempotency: Idempotency, events: EventStore) {
  return {
    atOnce: [publishedLater(events), withoutBodies(db), withoutAnswers(db), storedResponses(idempotency)],
    afterRetention: [],
  };
}

/** Counts as no record: it makes sure that there will be none. */
function publishedLater(events: EventStore): PersonalRecords {
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
  return erasedDocuments(db, {
    kind: "events",
    collection: collections.events,
    settled: { content: { $exists: true } },
    change: { $unset: { content: true } },
  });
}

/**
 * All of their deliveries, answered or not: an answer that is under way must not be kept when it
 * comes.
 */
function withoutAnswers(db: Connection): PersonalRecords {
  return erasedDocuments(db, {
    kind: "webhook-answers",
    collection: collections.deliveries,
    settled: { isErased: { $ne: true } },
    change: { $set: { isErased: true }, $unset: { "attempts.$[].answer": true } },
  });
}
