import { setTimeout as sleep } from "node:timers/promises";
import type { BusinessClock } from "../../platform/preferences/business-clock.js";
import type { Logger } from "../../kernel/process/log.js";
import { isSandbox } from "../../platform/sandbox/sandbox.js";
import type { InvestmentStore } from "../store/index.js";
import { createAccrualDay } from "./accrual-day.js";
import type { Accrual } from "./accrual.js";
import type { UnpaidHoldings } from "./unpaid.js";

const maxTenantsPerRun = 100;
// What an operator changes about a tenant's time zone is seen within this time.
const maxPauseMs = 3_600_000;

export interface DaysOptions {
  store: InvestmentStore;
  accrual: Pick<Accrual, "countBatch">;
  unpaid: Pick<UnpaidHoldings, "retry">;
  businessClock: BusinessClock;
  log: Logger;
  /** Between two runs. */
  everyMs: number;
  crashPoint: (name: string) => void;
}

export type Days = ReturnType<typeof startDays>;

/**
 * Does the work of each tenant's new day: interest is accrued, and what could not be paid is tried
 * again.
 */
export function startDays({ store, accrual, unpaid, businessClock, log, everyMs, crashPoint }: DaysOptions) {
  let isStopped = false;
  let running: Promise<void> | undefined;
  const accrualDay = createAccrualDay({ store, accrual, crashPoint, isStopping: () => isStopped });

  /** Whether every slice has done today, and how many holdings this call moved on. */
  async function workOn(tenantId: string): Promise<{ isDone: boolean; counted: number }> {
    const tenant = store.forTenant(tenantId);
    const today = (await businessClock.forTenant(tenantId)).today();
    await tenant.ensureSlices();
    const counted = await accrualDay.countDay(tenantId, today);
    await unpaid.retry(tenantId, today);
    return { isDone: await tenant.isDayDone(today.toString()), counted };
  }

  /** At the tenant's next midnight, and soon where its date can be moved or its day is not done. */
  async function nextRunOf(tenantId: string, isDone: boolean): Promise<Date> {
    const soon = new Date(Date.now() + everyMs);
    if (!isDone || isSandbox(tenantId)) return soon;
    const { timeZone, today } = await businessClock.forTenant(tenantId);
    const midnight = today().add({ days: 1 }).toZonedDateTime({ timeZone, plainTime: "00:00:00" });
    return new Date(Math.max(soon.getTime(), Math.min(midnight.epochMilliseconds, Date.now() + maxPauseMs)));
  }

  async function run(): Promise<void> {
    for (const tenantId of await store.tenantsDue(new Date(), maxTenantsPerRun)) {
      if (isStopped) return;
      const tenant = store.forTenant(tenantId);
      try {
        const { isDone, counted } = await workOn(tenantId);
        if (counted > 0) log.info({ tenantId, counted, isDone }, "interest was counted for a day");
        await tenant.scheduleNextRun(await nextRunOf(tenantId, isDone));
      } catch (error) {
        log.warn({ err: error, tenantId }, "a day's work could not be done, will be tried again");
        await tenant.scheduleNextRun(new Date(Date.now() + everyMs)).catch(() => undefined);
      }
    }
  }

  function runNow(): Promise<void> {
    running ??= run().finally(() => (running = undefined));
    return running;
  }

  const timer = setInterval(
    () => void runNow().catch((error: unknown) => log.warn({ err: error }, "cannot look for a day's work")),
    everyMs,
  );
  return {
    runNow,
    workOn,
    async stop(graceMs = 5_000): Promise<void> {
      isStopped = true;
      clearInterval(timer);
      await Promise.race([running?.catch(() => undefined), sleep(graceMs, undefined, { ref: false })]);
    },
  };
}
