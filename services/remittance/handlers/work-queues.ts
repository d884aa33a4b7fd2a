import type { Connection } from "mongoose";
import type { Outbox } from "../../kernel/outbox/index.js";
import { serveCloseBlockers } from "../../platform/closing/close-blockers.js";
import { serveOpenMoney } from "../../platform/erasure/open-money.js";
import { serveWorkQueues } from "../../platform/work-queues/work-queues.js";
import { countOpenTransactions } from "../store/open-money.js";
import { createWorkQueueStore } from "../store/work-queues.js";

/**
 * How many transactions and payouts wait for somebody, and what of it keeps books open, or a person
 * from being erased.
 */
export function serveRemittanceWork(db: Connection, outbox: Pick<Outbox, "countParked">) {
  const store = createWorkQueueStore(db);
  const work = serveWorkQueues("remittance", outbox, async ({ tenantId }) => store.forTenant(tenantId).countWork());
  return [work, serveCloseBlockers(outbox), serveOpenMoney(countOpenTransactions(db))];
}
