import type { Connection } from "mongoose";
import type { DataKeys } from "../../kernel/keys/data-keys.js";
import { inTransaction, retryDuplicates } from "../../kernel/mongo/transaction.js";
import type { Session } from "./collections.js";
import { createDeliveryStore } from "./deliveries.js";
import { createEndpointStore } from "./endpoints.js";
import { createEventStore } from "./events.js";
import { createLaneStore } from "./lanes.js";
import { createScheduleStore } from "./schedules.js";
import { createTemplateStore } from "./templates.js";

export type { Session } from "./collections.js";
export type EventsStore = ReturnType<typeof createEventsStore>;

/** The only place, with the stores beside it, that knows how the database of events looks. */
export function createEventsStore(db: Connection, keys: DataKeys) {
  return {
    events: createEventStore(db, keys),
    endpoints: createEndpointStore(db, keys),
    lanes: createLaneStore(db),
    deliveries: createDeliveryStore(db, keys),
    schedules: createScheduleStore(db),
    templates: createTemplateStore(db),
    /**
     * Runs `work` in one transaction, again where somebody else inserted the same document first.
     */
    transaction: <T>(work: (session: Session) => Promise<T>, readBack: () => Promise<T | undefined>): Promise<T> =>
      retryDuplicates(() => inTransaction(db, work, { readBack })),
  };
}
