import type { Connection } from "mongoose";
import { requireUser } from "../../kernel/grpc/context.js";
import type { Outbox } from "../../kernel/outbox/index.js";
import { serveWorkQueues } from "../../platform/work-queues/work-queues.js";
import { createWorkQueueStore } from "../store/work-queues.js";

/** How many approvals wait for whoever asks. */
export function serveIdentityWork(db: Connection, outbox: Pick<Outbox, "countParked">) {
  const store = createWorkQueueStore(db);
  return serveWorkQueues("identity", outbox, async (call) =>
    store.forTenant(call.tenantId).countWork(requireUser(call)),
  );
}
