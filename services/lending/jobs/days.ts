import type { BusinessClock } from "../../platform/preferences/business-clock.js";
import type { Logger } from "../../kernel/process/log.js";
import type { DayThread } from "./day-thread.js";
import type { LendingStore } from "../store/index.js";

export interface DaysDeps {
  store: Pick<LendingStore, "listTenants">;
  businessClock: BusinessClock;
  log: Logger;
  /** Called when a day is to be worked on. */
  start(): DayThread;
}

/**
 * Which tenants' days are to be worked on. The thread that does it is there for as long as there
 * are any.
 */
export function createDays({ store, businessClock, log, start }: DaysDeps) {
  let thread: DayThread | undefined;
  let isOver = false;

  async function runTenant(tenantId: string, accruedThrough: string): Promise<void> {
    const today = (await businessClock.forTenant(tenantId)).today().toString();
    if (accruedThrough >= today || isOver) return;
    const started = performance.now();
    thread ??= start();
    if (!(await thread.runDay(tenantId, today))) return;
    log.info({ tenantId, date: today, tookMs: Math.round(performance.now() - started) }, "the day's accrual is done");
  }

  return {
    /** Every tenant whose day has changed. */
    async runAll(): Promise<void> {
      try {
        for (const { tenantId, accruedThrough = "" } of await store.listTenants()) {
          if (isOver) return;
          await runTenant(tenantId, accruedThrough).catch((error: unknown) =>
            log.warn({ err: error, tenantId }, "accrual goes on later"),
          );
        }
      } finally {
        await thread?.stop();
        thread = undefined;
      }
    },
    /**
     * For good: a day under way is left after the batch that is being booked, for whoever comes
     * next.
     */
    async stop(): Promise<void> {
      isOver = true;
      await thread?.stop();
    },
  };
}
