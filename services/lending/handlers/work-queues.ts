import type { Connection } from "mongoose";
import type { Outbox } from "../../kernel/outbox/index.js";
import { serveWorkQueues } from "../../platform/work-queues/work-queues.js";
import { createWorkQueueStore } from "../store/work-queues.js";

/** How many repayments, applications and credits wait for somebody. */
export function serveLendingWork(db: Connection, outbox: Pick<Outbox, "countParked">) {
  const store = createWorkQueueStore(db);
  return serveWorkQueues("lending", outbox, async ({ tenantId }) => store.forTenant(tenantId).countWork());
}
