import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { BusinessClock } from "../../shared/clocks/business-clock.js";
import type { Logger } from "../../shared/log.js";
import type { Accrual } from "./accrual.js";
import { isSandbox } from "../../shared/sandbox.js";
import type { SliceLease } from "../store/accrual.js";
import type { InvestmentStore } from "../store/index.js";
import type { UnpaidHoldings } from "./unpaid.js";

const leaseMs = 30_000;
const tenantsAtOnce = 100;
// While MongoDB writes a batch of one slice, this process counts one of another.
const lanes = 2;

export interface DaysOptions {
  store: InvestmentStore;
  accrual: Pick<Accrual, "countBatch">;
  unpaid: Pick<UnpaidHoldings, "retry">;
  businessClock: BusinessClock;
  log: Logger;
  everyMs: number;
  crashPoint: (name: string) => void;
}

export type Days = ReturnType<typeof startDays>;

/**
 * The work of each tenant's new day. A tenant's holdings are 16 slices; replicas lease a slice, do its day, and take the next one. Leases
 * are by real time and only spare work; what counts once is decided per holding.
 */
export function startDays({ store, accrual, unpaid, businessClock, log, everyMs, crashPoint }: DaysOptions) {
  let stopped = false;
  let running: Promise<void> | undefined;

  /** Whether every slice has done today, and how many holdings this call moved on. */
  async function workOn(tenantId: string): Promise<{ isDone: boolean; counted: number }> {
    const tenant = store.forTenant(tenantId);
    const today = (await businessClock.forTenant(tenantId)).today();
    await tenant.ensureSlices();
    const counted = await Promise.all(Array.from({ length: lanes }, () => workOnSlices(tenantId, today)));
    await unpaid.retry(tenantId, today);
    return {
      isDone: await tenant.isDayDone(today.toString()),
      counted: counted.reduce((sum, lane) => sum + lane, 0),
    };
  }

  async function workOnSlices(tenantId: string, today: Temporal.PlainDate): Promise<number> {
    const tenant = store.forTenant(tenantId);
    let counted = 0;
    while (!stopped) {
      const lease = await tenant.leaseSlice(today.toString(), randomUUID(), new Date(), leaseMs);
      if (lease === undefined) break;
      counted += await workOnSlice(tenantId, lease, today);
    }
    return counted;
  }

  async function workOnSlice(tenantId: string, lease: SliceLease, today: Temporal.PlainDate): Promise<number> {
    const tenant = store.forTenant(tenantId);
    let total = 0;
    let renewedAt = performance.now();
    try {
      for (;;) {
        const count = await accrual.countBatch(tenantId, { slice: lease.slice }, today);
        total += count;
        if (count === 0) break;
        if (stopped) return total;
        if (performance.now() - renewedAt < leaseMs / 3) continue;
        renewedAt = performance.now();
        if (!(await tenant.renewSlice(lease, new Date(Date.now() + leaseMs)))) return total;
      }
      crashPoint("investment.accrual.slice");
      await tenant.leaveSlice(lease, today.toString());
    } catch (error) {
      await tenant.leaveSlice(lease).catch(() => undefined);
      throw error;
    }
    return total;
  }

  /** When a tenant is looked at next: at its next midnight, and soon where its date can be moved or its day is not done. */
  async function nextLook(tenantId: string, isDone: boolean): Promise<Date> {
    const soon = new Date(Date.now() + everyMs);
    if (!isDone || isSandbox(tenantId)) return soon;
    const { timeZone, today } = await businessClock.forTenant(tenantId);
    const midnight = today().add({ days: 1 }).toZonedDateTime({ timeZone, plainTime: "00:00:00" });
    // An hour at most: what an operator changes about a tenant's time zone is then seen.
    const latest = Date.now() + 3_600_000;
    return new Date(Math.max(soon.getTime(), Math.min(midnight.epochMilliseconds, latest)));
  }

  async function look(): Promise<void> {
    for (const tenantId of await store.tenantsToLookAt(new Date(), tenantsAtOnce)) {
      if (stopped) return;
      try {
        const { isDone, counted } = await workOn(tenantId);
        if (counted > 0) log.info({ tenantId, counted, isDone }, "interest was counted for a day");
        await store.forTenant(tenantId).lookAgainAt(await nextLook(tenantId, isDone));
      } catch (error) {
        log.warn({ err: error, tenantId }, "a day's work could not be done, will be tried again");
        await store
          .forTenant(tenantId)
          .lookAgainAt(new Date(Date.now() + everyMs))
          .catch(() => undefined);
      }
    }
  }

  function lookNow(): Promise<void> {
    running ??= look().finally(() => (running = undefined));
    return running;
  }

  const timer = setInterval(
    () => void lookNow().catch((error: unknown) => log.warn({ err: error }, "cannot look for a day's work")),
    everyMs,
  );
  return {
    lookNow,
    workOn,
    async stop(graceMs = 5_000): Promise<void> {
      stopped = true;
      clearInterval(timer);
      await Promise.race([running?.catch(() => undefined), sleep(graceMs, undefined, { ref: false })]);
    },
  };
}
