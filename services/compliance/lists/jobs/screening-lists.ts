import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../../kernel/time/clock.js";
import type { Logger } from "../../../kernel/process/log.js";
import { keepPace } from "../../../kernel/polling/pace.js";
import type { WakeUps } from "../../../kernel/polling/wake-ups.js";
import { processMetrics } from "../../../kernel/telemetry/metrics.js";
import { digestOf, seeAgain } from "../loading/request-load.js";
import type { ListConnector, OfferedList } from "../loading/connector.js";
import { hasFailedLately, loadFetched } from "../loading/load-fetched.js";
import { connectorName, leaseMs, loadList, type LoadDeps } from "../loading/load-list.js";
import type { InflationLimits } from "../loading/ods-rows.js";
import type { ScreeningListStore } from "../store/screening-lists.js";

export interface ListJobDeps {
  store: ScreeningListStore;
  snapshots: { refresh(): Promise<void> };
  /** Who is asked for which owner's lists. */
  connectors: readonly { owner: string; connector: ListConnector }[];
  clock: Clock;
  log: Logger;
  limits?: InflationLimits | undefined;
  onSwap?: LoadDeps["onSwap"];
  /** How often the connector is asked, ms, give or take a tenth. */
  fetchEveryMs?: number | undefined;
  /**
   * How often it is looked for loads and for versions that came into use,
   * also while nothing happens, ms.
   */
  listPollMs?: number | undefined;
  /** Of the replicas, which look soon after one of them has loaded a list. */
  wakeUps?: WakeUps | undefined;
}

export type ListJobs = ReturnType<typeof startListJobs>;

const retryAfterFailureMs = 60_000;
const fastPollMs = 2_000;

/**
 * Fetches lists, loads what was asked for and looks for versions that came into use. Any number of
 * replicas may run and die at any line: content is known by its digest, a load by its lease.
 */
export function startListJobs(deps: ListJobDeps) {
  const { store, snapshots, connectors, clock, log, fetchEveryMs = 3_600_000, listPollMs, wakeUps } = deps;
  const ending = new AbortController();
  const pause = (ms: number) => sleep(ms, undefined, { signal: ending.signal }).catch(() => undefined);
  let working: Promise<void> | undefined;

  async function loadDue(): Promise<void> {
    while (!ending.signal.aborted) {
      const now = clock.now();
      const taken = await store.takeDue(now, new Date(now.getTime() + leaseMs));
      if (taken === undefined) return;
      pace.pollFast();
      const { limits, onSwap } = deps;
      await loadList(taken, { store, now: clock.now, limits, onSwap, signal: ending.signal }).catch((err: unknown) =>
        log.error({ err, list: taken.listId }, "a list could not be loaded; it is taken up again"),
      );
      wakeUps?.tell();
      await report(taken.tenantId, taken.listId);
    }
  }

  async function report(owner: string, listId: string): Promise<void> {
    const list = await store.forOwner(owner).find(listId);
    if (list === undefined) return;
    const { source, version, status, reason, line, entries } = list;
    if (status === "FAILED") processMetrics.screeningListFailed(source);
    const level = status === "FAILED" || status === "WAITING" ? "warn" : "info";
    log[level]({ owner, source, version, status, entries, ...(reason !== "" && { reason, line }) }, "a list was read");
  }

  async function poll(): Promise<void> {
    await loadDue();
    await snapshots.refresh();
  }

  /** At once, by whoever has asked for a load. Those who ask together share a look. */
  const wake = (): Promise<void> =>
    (working ??= poll().finally(() => {
      working = undefined;
    }));

  async function fetchOne(owner: string, connector: ListConnector, offered: OfferedList): Promise<void> {
    const { source, publishedAt } = offered;
    const ofOwner = store.forOwner(owner);
    const now = clock.now();
    const sha256 = digestOf(offered.files);
    const after = (await ofOwner.findNewest(source))?.version ?? 0;
    if ((await seeAgain(store, { owner, source, sha256, now })) !== undefined) return;
    if (await hasFailedLately(store, { owner, source, sha256, now })) return;
    const fetched = offered.files.map(({ part, sha256: stated }) => ({
      part,
      sha256: stated,
      stream: connector.file(source, part, ending.signal),
    }));
    const requested = { owner, source, fetched, loadedBy: connectorName, now, after, publishedAt: () => publishedAt };
    await loadFetched(store, requested);
  }

  /** Asks every connector once, and for each of its lists. True where all have answered. */
  async function fetchAll(): Promise<boolean> {
    let isWhole = true;
    const attempt = async <T>(work: () => Promise<T>, about: object): Promise<T | undefined> => {
      try {
        return await work();
      } catch (err) {
        if (ending.signal.aborted) return undefined;
        isWhole = false;
        log.warn({ err, ...about }, "screening lists could not be fetched");
        return undefined;
      }
    };
    for (const { owner, connector } of connectors) {
      const offered = (await attempt(() => connector.offered(ending.signal), { owner })) ?? [];
      for (const one of offered) await attempt(() => fetchOne(owner, connector, one), { owner, source: one.source });
    }
    return isWhole;
  }

  const survive = (work: () => Promise<unknown>) =>
    work().catch((err: unknown) => log.warn({ err }, "screening lists could not be looked at"));

  const pace = keepPace({
    poll: () => void survive(wake),
    quickMs: listPollMs ?? fastPollMs,
    // What a killed process has leased is taken again soon after.
    ...(listPollMs === undefined ? { quickForMs: leaseMs + 10_000 } : { slowMs: listPollMs }),
  });
  const unlisten = wakeUps?.listen(pace.pollFast);
  const fetched = Promise.withResolvers<void>();

  async function keepFetching(): Promise<void> {
    if (connectors.length === 0) return fetched.resolve();
    while (!ending.signal.aborted) {
      const isWhole = await fetchAll();
      await survive(wake);
      if (isWhole) fetched.resolve();
      const everyMs = isWhole ? fetchEveryMs : Math.min(retryAfterFailureMs, fetchEveryMs);
      await pause(everyMs * (0.9 + Math.random() / 5));
    }
  }

  const ended = keepFetching();
  void survive(wake);
  return {
    wake(): Promise<void> {
      pace.pollFast();
      wakeUps?.tell();
      return wake();
    },
    /**
     * Resolves once every connector has answered and what it offered was
     * read; at once without connectors.
     */
    fetched: fetched.promise,
    async stop(): Promise<void> {
      ending.abort();
      pace.stop();
      unlisten?.();
      await ended;
      await working?.catch(() => undefined);
    },
  };
}
