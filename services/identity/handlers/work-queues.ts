import type { Connection } from "mongoose";
import { requireUser } from "../../shared/grpc/context.js";
import type { Outbox } from "../../shared/outbox/index.js";
import { serveWorkQueues } from "../../shared/work-queues.js";
import { createWorkQueueStore } from "../store/work-queues.js";

/** How many approvals wait for whoever asks. */
export function serveIdentityWork(db: Connection, outbox: Pick<Outbox, "countParked">) {
  const store = createWorkQueueStore(db);
  return serveWorkQueues("identity", outbox, async (call) =>
    store.forTenant(call.tenantId).countWork(requireUser(call)),
  );
}
