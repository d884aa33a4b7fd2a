import { systemClock } from "../../kernel/time/clock.js";
import type { Opened } from "../../kernel/startup/start-service.js";
import { isDiskFull } from "../../kernel/mongo/disk-space.js";
import { daysBehind } from "../../kernel/telemetry/days-behind.js";
import { processMetrics } from "../../kernel/telemetry/metrics.js";
import { startReleases, type ReleasesOptions } from "../../platform/plugins/releases.js";
import type { LendingConfig } from "../config.js";
import { createAccruals, type AccrualDeps } from "./accrual.js";
import { createBankFeed, type BankFeedDeps } from "./bank-feed.js";
import { startDayThread } from "./day-thread.js";
import { createDays } from "./days.js";
import { createPacing } from "./pacing.js";
import { startLendingRelay, type LendingRelayDeps } from "./relay.js";
import { resuming, type ResumingDeps } from "./resuming.js";
import { createReviews, type ReviewDeps } from "./reviews.js";
import { repeat } from "./timers.js";

type Parts = Omit<AccrualDeps, "wake" | "pacing"> &
  BankFeedDeps &
  Omit<LendingRelayDeps, "resume"> &
  ResumingDeps &
  ReviewDeps &
  Pick<ReleasesOptions, "plugins">;

export interface JobTimes {
  pollMs?: number | undefined;
  /**
   * How often days and the bank are looked at, in ms, in place of the config's seconds; 0 means
   * never.
   */
  everyMs?: number;
  /**
   * How often it is looked which partners of tenants are to go, and
   * how long they are seen to be, ms.
   */
  releases?: { everyMs: number; afterMs: number };
}

/**
 * Starts what runs by itself: the relay, the daily accrual, the reader of the bank and the asking
 * of compliance.
 */
export function startJobs(
  { config, db, redis, log, started, onClose }: Opened<LendingConfig>,
  parts: Parts,
  { pollMs, releases, everyMs }: JobTimes,
) {
  const { outbox, store } = parts;
  const atOnce = config.ACCRUAL_AT_ONCE;
  const wake = () => outbox.wake();
  const feed = createBankFeed(parts);
  const reviews = createReviews(parts);
  const accruals = createAccruals({ ...parts, wake, pacing: createPacing({ redis, atOnce }) });
  const place = {
    mongoUri: config.MONGODB_URI,
    database: config.MONGODB_DATABASE,
    redisUrl: config.REDIS_URL,
    atOnce,
    logLevel: config.LOG_LEVEL,
  };
  const days = createDays({ ...parts, start: () => startDayThread(place, { log, onWork: wake }) });
  started(startLendingRelay({ ...parts, resume: resuming(parts), pollMs }));
  started(
    startReleases({
      plugins: parts.plugins,
      kinds: ["BANK", "CARD"],
      async isUnderWayAt(tenantId, installationId) {
        const tenant = store.forTenant(tenantId);
        if (await tenant.isPayingAt(installationId)) return true;
        return (await tenant.isRefundingAt(installationId)) || (await tenant.isChargingAt(installationId));
      },
      clock: systemClock,
      log,
      ...releases,
    }),
  );
  onClose(
    processMetrics.watchAccrual(async () => {
      const tenants = await store.listTenants();
      return daysBehind(
        tenants.map(({ accruedThrough = "" }) => accruedThrough),
        systemClock.now(),
      );
    }),
  );
  const every = (seconds: number, what: string, work: Parameters<typeof repeat>[3]): void => {
    const unlessFull: typeof work = async (isStopping) => (isDiskFull(db) ? undefined : work(isStopping));
    if (everyMs !== 0) started(repeat(everyMs ?? seconds * 1_000, log, what, unlessFull));
  };
  every(config.BANK_CREDITS_EVERY_S, "reading what arrived at the bank", () => feed.readAll());
  every(config.REVIEWS_EVERY_S, "asking compliance again", (isStopping) => reviews.runDue(isStopping));
  every(config.ACCRUAL_EVERY_S, "accrual", () => days.runAll());
  // Runs before the timers stop: each waits for its turn, and the
  // day's turn ends when it is told to.
  onClose(() => days.stop());
  return { feed, reviews, accruals };
}
