import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../shared/clocks/clock.js";
import type { Logger } from "../../shared/log.js";
import { processMetrics } from "../../shared/telemetry/metrics.js";
import { askForLoad, digestOf } from "../screening/lists/ask-for-load.js";
import type { ListConnector, OfferedList } from "../screening/lists/connector.js";
import { leaseMs, loadList } from "../screening/lists/load-list.js";
import type { InflationLimits } from "../screening/lists/ods-rows.js";
import { keepFile } from "../screening/lists/uploads.js";
import type { ScreeningListStore } from "../store/screening-lists.js";

export interface ListJobDeps {
  store: ScreeningListStore;
  snapshots: { refresh(): Promise<void> };
  /** Who is asked for which owner's lists. */
  connectors: readonly { owner: string; connector: ListConnector }[];
  clock: Clock;
  log: Logger;
  limits?: InflationLimits;
  /** How often the connector is asked, ms, give or take a tenth. */
  fetchEveryMs?: number;
  /** How often it is looked for loads and for versions that came into use, ms. */
  lookMs?: number;
}

export type ListJobs = ReturnType<typeof startListJobs>;

const retryAfterFailureMs = 60_000;
// A file that was found faulty is the same for every try; tomorrow it may be read by a newer version of us.
const retryFailedAfterMs = 24 * 3_600_000;

/**
 * Fetches lists, loads what was asked for and looks for versions that came into use. Any number of replicas may run and die at any
 * line: content is known by its digest, a load by its lease.
 */
export function startListJobs(deps: ListJobDeps) {
  const { store, snapshots, connectors, clock, log, fetchEveryMs = 3_600_000, lookMs = 2_000 } = deps;
  const ending = new AbortController();
  const pause = (ms: number) => sleep(ms, undefined, { signal: ending.signal }).catch(() => undefined);
  let working: Promise<void> | undefined;

  async function loadDue(): Promise<void> {
    while (!ending.signal.aborted) {
      const now = clock.now();
      const taken = await store.takeDue(now, new Date(now.getTime() + leaseMs));
      if (taken === undefined) return;
      await loadList(taken, { store, now: clock.now, limits: deps.limits }).catch((err: unknown) =>
        log.error({ err, list: taken.listId }, "a list could not be loaded; it is taken up again"),
      );
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

  async function look(): Promise<void> {
    await loadDue();
    await snapshots.refresh();
  }

  /** At once, by whoever has asked for a load. Those who ask together share a look. */
  const wake = (): Promise<void> =>
    (working ??= look().finally(() => {
      working = undefined;
    }));

  async function fetchOne(owner: string, connector: ListConnector, offered: OfferedList): Promise<void> {
    const { source, publishedAt } = offered;
    const ofOwner = store.forOwner(owner);
    const now = clock.now();
    const sha256 = digestOf(offered.files);
    const newest = await ofOwner.findNewest(source);
    const isFresh = now.getTime() - (newest?.loadedAt.getTime() ?? 0) < retryFailedAfterMs;
    if (newest?.sha256 === sha256 && newest.status === "FAILED" && isFresh) return;
    const asked = { owner, source, loadedBy: "connector", now, ...(publishedAt !== undefined && { publishedAt }) };
    const inUse = await ofOwner.findActive(source);
    const isKnown = [newest, inUse].some(
      (list) => list?.sha256 === sha256 && list.status !== "FAILED" && list.status !== "SUPERSEDED",
    );
    const files = [];
    for (const { part, sha256: said } of offered.files) {
      const uploadId = `connector-${randomUUID()}`;
      if (!isKnown) await keepFile(store, { owner, uploadId, now }, connector.file(source, part));
      files.push({ part, uploadId, sha256: said });
    }
    await askForLoad(store, { ...asked, files });
  }

  /** Asks every connector once. True where all have answered. */
  async function fetchAll(): Promise<boolean> {
    let isWhole = true;
    for (const { owner, connector } of connectors) {
      try {
        for (const offered of await connector.offered()) await fetchOne(owner, connector, offered);
      } catch (err) {
        isWhole = false;
        log.warn({ err, owner }, "screening lists could not be fetched");
      }
    }
    return isWhole;
  }

  const survive = (work: () => Promise<unknown>) =>
    work().catch((err: unknown) => log.warn({ err }, "screening lists could not be looked at"));

  async function keepLooking(): Promise<void> {
    while (!ending.signal.aborted) {
      await survive(wake);
      await pause(lookMs);
    }
  }

  async function keepFetching(): Promise<void> {
    while (connectors.length > 0 && !ending.signal.aborted) {
      const isWhole = await fetchAll().catch(() => false);
      await survive(wake);
      const everyMs = isWhole ? fetchEveryMs : Math.min(retryAfterFailureMs, fetchEveryMs);
      await pause(everyMs * (0.9 + Math.random() / 5));
    }
  }

  const ended = Promise.all([keepLooking(), keepFetching()]);
  return {
    wake,
    async stop(): Promise<void> {
      ending.abort();
      await ended;
    },
  };
}
