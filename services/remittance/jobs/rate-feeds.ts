import { randomUUID } from "node:crypto";
import type { BusinessClock } from "../../platform/preferences/business-clock.js";
import type { Clock } from "../../kernel/time/clock.js";
import type { Logger } from "../../kernel/process/log.js";
import { workOff, type Due } from "../../kernel/polling/work-off.js";
import type { Outbox } from "../../kernel/outbox/index.js";
import type { Installation } from "../../platform/plugins/installations.js";
import type { RateSources } from "../clients/rate-sources.js";
import { nextReadingOf, type RateFeed } from "../domain/rate-feed.js";
import { rateSourceSettings, sourceOfPlugin } from "../domain/rate-source.js";
import type { RemittanceStore } from "../store/index.js";
import { RateDocumentFault } from "../wire/rate-documents.js";
import { closeHeld, placeRates } from "./rate-placing.js";

export interface RateFeedOptions {
  store: RemittanceStore;
  outbox: Outbox;
  sources: Pick<RateSources, "installations" | "read">;
  /** Business time, which rates hold by. */
  times: BusinessClock;
  /** When a source is asked. */
  clock: Clock;
  log: Logger;
  /** How often it is looked which are due, ms. */
  pollMs?: number | undefined;
}

// Longer than a reading takes: nobody else is at it meanwhile.
const leaseMs = 60_000;
// How soon it is seen that one was enabled, changed or paused.
const restMs = 30_000;
// One that hangs must not keep the others' from being read.
const readAtOnce = 4;
const maxShownFaults = 5;

/**
 * Reads rates from tenants' sources, as often as each is set up to. Any number of replicas may
 * look; one of them reads a source at a time.
 */
export function startRateFeeds(options: RateFeedOptions) {
  const { store, clock, log, pollMs = 10_000 } = options;
  const stopping = new AbortController();
  const poll = feedReading(options, stopping.signal);
  let running: Promise<unknown> | undefined;

  const due: Due<RateFeed> = {
    clock,
    takenForMs: leaseMs,
    take: store.takeRateFeed,
    work: (feed) =>
      poll(feed).catch((error: unknown) => {
        const { tenantId, installationId } = feed;
        log.warn({ err: error, tenantId, installationId }, "a source of rates could not be looked after");
      }),
    atOnce: readAtOnce,
    signal: stopping.signal,
  };

  const timer = setInterval(() => {
    running ??= workOff(due)
      .catch((error: unknown) => log.warn({ err: error }, "cannot look for sources of rates"))
      .finally(() => (running = undefined));
  }, pollMs);

  return {
    async stop(): Promise<void> {
      stopping.abort();
      clearInterval(timer);
      await running;
    },
  };
}

/** Looks after one source: reads it where that is due, and lets it rest where it is not ENABLED. */
function feedReading(options: RateFeedOptions, signal: AbortSignal): (feed: RateFeed) => Promise<void> {
  const { store, outbox, sources, clock, log } = options;

  async function rest(feed: RateFeed, interactionId: string): Promise<void> {
    const { tenantId, installationId } = feed;
    const tenant = store.forTenant(tenantId);
    for (const held of await tenant.listWaitingRates(installationId)) {
      await store.transaction(
        async (session) => {
          await outbox.addAll(await closeHeld(tenant, { tenantId, interactionId }, held, session), session);
          return true;
        },
        async () => undefined,
      );
      outbox.wake();
    }
    await tenant.restRateFeed(feed);
    const found = await sources.installations.find(installationId, { tenantId, interactionId });
    if (found === undefined) return tenant.unwatchRateFeed(installationId);
    return tenant.noteRateFeed(feed, { dueAt: new Date(clock.now().getTime() + restMs) });
  }

  /** What failed is told to the log; once, and louder, when it is stale. */
  async function fail(feed: RateFeed, staleAt: Date, error: Error): Promise<void> {
    const { tenantId, installationId } = feed;
    const now = clock.now();
    const isStale = staleAt <= now;
    const about = { tenantId, installationId, reason: error.message, failures: feed.failures + 1 };
    if (isStale && feed.isStale !== true)
      log.error(about, "a source of rates is stale: its rates end unless it answers");
    else log.warn(about, "rates could not be read, will be tried again");
    const part = {
      triedAt: now,
      staleAt,
      isStale,
      failures: feed.failures + 1,
      dueAt: new Date(now.getTime() + restMs),
    };
    await store.forTenant(tenantId).noteRateFeed(feed, part);
  }

  async function read(
    feed: RateFeed,
    installation: Installation,
    older: readonly Installation[],
    interactionId: string,
  ) {
    const settings = rateSourceSettings(installation.configuration);
    const tenant = store.forTenant(feed.tenantId);
    const staleAt = feed.staleAt ?? new Date(clock.now().getTime() + settings.staleAfterMs);
    if (nextReadingOf(feed, settings) > clock.now()) {
      return tenant.noteRateFeed(feed, { staleAt, dueAt: new Date(clock.now().getTime() + restMs) });
    }
    try {
      await readAndPlace(options, { feed, installation, older, interactionId }, signal);
    } catch (error) {
      // Somebody else reads it when the lease is over.
      if (signal.aborted) return;
      return fail(feed, staleAt, error as Error);
    }
    const now = clock.now();
    await tenant.noteRateFeed(feed, {
      triedAt: now,
      readAt: now,
      readRevision: installation.revision,
      staleAt: new Date(now.getTime() + settings.staleAfterMs),
      isStale: false,
      failures: 0,
      dueAt: new Date(now.getTime() + restMs),
    });
  }

  return async (feed) => {
    const interactionId = `rates:${randomUUID()}`;
    const all = await sources.installations.of({ tenantId: feed.tenantId, interactionId });
    const enabled = all.filter(({ status }) => status === "ENABLED");
    const at = enabled.findIndex(({ installationId }) => installationId === feed.installationId);
    if (at < 0) return rest(feed, interactionId);
    return read(feed, enabled[at]!, enabled.slice(0, at), interactionId);
  };
}

interface Requested {
  feed: RateFeed;
  installation: Installation;
  /** ENABLED ones that were installed before it. */
  older: readonly Installation[];
  interactionId: string;
}

/** Throws where nothing of what the source says can be used. */
async function readAndPlace(
  { store, outbox, sources, times, clock, log }: RateFeedOptions,
  { feed, installation, older, interactionId }: Requested,
  signal: AbortSignal,
): Promise<void> {
  const { tenantId, installationId, readRevision } = feed;
  const now = (await times.forTenant(tenantId, interactionId)).now();
  const aheadMs = now.getTime() - clock.now().getTime();
  const { rates, faults } = await sources.read({ tenantId, installation, now, aheadMs }, signal);
  if (faults.length > 0) {
    const about = { tenantId, installationId, count: faults.length, faults: faults.slice(0, maxShownFaults) };
    log.warn(about, "rates of a source are not used");
  }
  if (rates.length === 0) throw new RateDocumentFault("has no rate that can be used");
  const placed = await placeRates(
    { store, outbox },
    {
      tenantId,
      installationId,
      interactionId,
      rates,
      now,
      guardPercent: rateSourceSettings(installation.configuration).guardPercent,
      isFirstReading: readRevision !== installation.revision,
      olderSources: new Set(older.map(sourceOfPlugin)),
    },
  );
  if (placed.put + placed.held > 0) log.info({ tenantId, installationId, ...placed }, "rates were read");
}
