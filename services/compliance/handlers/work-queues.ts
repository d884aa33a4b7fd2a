import type { Connection } from "mongoose";
import type { BusinessClock } from "../../platform/preferences/business-clock.js";
import { requireUser } from "../../kernel/grpc/context.js";
import type { Outbox } from "../../kernel/outbox/index.js";
import { serveWorkQueues } from "../../platform/work-queues/work-queues.js";
import { createWorkQueueStore } from "../store/work-queues.js";

/** How much waits for officers; cases are overdue by the tenant's time. */
export function serveComplianceWork({
  db,
  outbox,
  times,
}: {
  db: Connection;
  outbox: Pick<Outbox, "countParked">;
  times: BusinessClock;
}) {
  const store = createWorkQueueStore(db);
  return serveWorkQueues("compliance", outbox, async (call) => {
    const time = await times.forTenant(call.tenantId, call.interactionId);
    const { userId } = requireUser(call);
    return store.forTenant(call.tenantId).countWork({ userId, now: time.now() });
  });
}
