import type { Connection } from "mongoose";
import { systemClock } from "../../../kernel/time/clock.js";
import type { Logger } from "../../../kernel/process/log.js";
import type { WakeUps } from "../../../kernel/polling/wake-ups.js";
import { processMetrics, type ListAge } from "../../../kernel/telemetry/metrics.js";
import type { WarmUp } from "../../../kernel/startup/warm-up.js";
import { rescreenRow } from "../../common/store/outbox-rows.js";
import type { Outbox } from "../../../kernel/outbox/index.js";
import type { Endpoints } from "../../common/clients/partner-http.js";
import { isOperators, operatorsLists, operatorsSandboxLists } from "../domain/list-owner.js";
import { startListJobs } from "../jobs/screening-lists.js";
import { createScreeningListStore } from "../store/screening-lists.js";
import { buildListIndex } from "./build-index.js";
import { createListConnector } from "./connector.js";
import type { LoadDeps } from "./load-list.js";
import { createListSnapshots } from "./snapshots.js";

export interface OpenLists {
  db: Connection;
  log: Logger;
  /** Who keeps the published lists for live tenants, and for sandboxes. */
  endpoints: Endpoints;
  fetchEveryMs?: number | undefined;
  listPollMs?: number | undefined;
  wakeUps?: WakeUps | undefined;
  /** Who is compared with what is new in a list; nobody where it is absent. */
  outbox?: Pick<Outbox, "add"> | undefined;
}

export type ScreeningLists = Awaited<ReturnType<typeof openScreeningLists>>;

/**
 * The lists in use in memory, and the work that keeps them so. Resolves once every version that is
 * in use now can be searched: a process that serves before would review whom it need not. `stop`
 * ends the work; a load is given back.
 */
export async function openScreeningLists({ db, log, endpoints, fetchEveryMs, listPollMs, wakeUps, outbox }: OpenLists) {
  const store = createScreeningListStore(db);
  const snapshots = createListSnapshots({
    store,
    buildIndex: buildListIndex,
    onFault: ({ source, version }, err) => log.error({ err, source, version }, "a list cannot be put to use here"),
  });
  await snapshots.refresh();
  const { live, sandbox } = endpoints;
  const connectors = [
    ...(live ? [{ owner: operatorsLists, connector: createListConnector(live, "screening-lists") }] : []),
    ...(sandbox
      ? [{ owner: operatorsSandboxLists, connector: createListConnector(sandbox, "screening-lists--sandbox") }]
      : []),
  ];
  /** In the transaction that puts a version to use. */
  const onSwap: LoadDeps["onSwap"] = async ({ tenantId, source, version }, session) => {
    const origin = { tenantId, interactionId: `list-${source}-${version}`, actor: "compliance" };
    await outbox?.add(rescreenRow(origin, `list:${source}`, version), session);
  };
  // Leases and ages are of real time, not of business time.
  const clock = systemClock;
  const jobs = startListJobs({ store, snapshots, connectors, clock, log, fetchEveryMs, listPollMs, wakeUps, onSwap });
  const unwatch = processMetrics.watchScreeningLists(() => agesOf(snapshots.all(), clock.now()));
  const warmUp: WarmUp = { name: "screening lists", run: () => jobs.fetched };
  return {
    store,
    snapshots,
    wake: jobs.wake,
    onSwap,
    /** The first fetch: a new system has lists before it says that it is ready. */
    warmUp,
    async stop(): Promise<void> {
      unwatch();
      await jobs.stop();
    },
  };
}

type InMemory = ReturnType<ReturnType<typeof createListSnapshots>["all"]>[number];

/** Of the operator's lists: a tenant's own are looked after by the tenant. */
function agesOf(lists: readonly InMemory[], now: Date): ListAge[] {
  return lists
    .filter(({ owner }) => isOperators(owner))
    .map(({ owner, source, lastSeenAt }) => ({
      source,
      tenants: owner === operatorsSandboxLists ? "sandbox" : "live",
      ageS: Math.max(0, (now.getTime() - lastSeenAt.getTime()) / 1_000),
    }));
}
