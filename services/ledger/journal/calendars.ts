import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../../kernel/process/log.js";
import { warmUpTenantId } from "../../kernel/process/warm-up-tenant.js";
import type { BusinessClock } from "../../platform/preferences/business-clock.js";
import { preferenceCacheMs } from "../../platform/preferences/preferences.js";
import type { Calendar } from "../domain/days.js";

export interface CalendarsOptions {
  readonly businessClock: Pick<BusinessClock, "forTenant">;
  readonly log: Logger;
  /** How long an answer is used, ms, real time. */
  readonly keepForMs?: number | undefined;
}

export type Calendars = ReturnType<typeof createCalendars>;

const maxKnown = 10_000;
// Postings wait no longer than this for an identity that hangs.
const patienceMs = 250;

/** How tenants count days, as identity has it; while identity is away, as it was last known. */
export function createCalendars({ businessClock, log, keepForMs = preferenceCacheMs }: CalendarsOptions) {
  const known = new Map<string, { calendar: Calendar; untilMs: number }>();
  // Identity knows no such tenant.
  known.set(warmUpTenantId, { calendar: { timeZone: "UTC", aheadMs: 0 }, untilMs: Infinity });

  async function ask(tenantId: string): Promise<Calendar> {
    const { timeZone, aheadMs } = await businessClock.forTenant(tenantId);
    const calendar = { timeZone, aheadMs };
    if (known.size >= maxKnown && !known.has(tenantId)) known.clear();
    known.set(tenantId, { calendar, untilMs: performance.now() + keepForMs });
    return calendar;
  }

  return {
    /** Refuses what identity refuses, such as UNAVAILABLE, where nothing is known of the tenant. */
    async of(tenantId: string): Promise<Calendar> {
      const last = known.get(tenantId);
      if (last === undefined) return ask(tenantId);
      if (performance.now() < last.untilMs) return last.calendar;
      const asked = ask(tenantId).catch((error: unknown) => {
        log.warn({ err: error, tenantId }, "the tenant's days are counted as last known");
        return undefined;
      });
      const renewed = await Promise.race([asked, sleep(patienceMs, undefined, { ref: false })]);
      if (renewed === undefined) last.untilMs = performance.now() + keepForMs;
      return renewed ?? last.calendar;
    },
  };
}
