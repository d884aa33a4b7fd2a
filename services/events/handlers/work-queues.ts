import type { Connection } from "mongoose";
import type { Outbox } from "../../kernel/outbox/index.js";
import { serveWorkQueues } from "../../platform/work-queues/work-queues.js";
import { createWorkQueueStore } from "../store/work-queues.js";

/** How many webhook endpoints wait for somebody. */
export function serveEventsWork(db: Connection, outbox: Pick<Outbox, "countParked">) {
  const store = createWorkQueueStore(db);
  return serveWorkQueues("events", outbox, async ({ tenantId }) => store.forTenant(tenantId).countWork());
}
