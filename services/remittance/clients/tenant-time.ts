import type { BusinessClock } from "../../platform/preferences/business-clock.js";
import type { Clock } from "../../kernel/time/clock.js";
import { isSandbox } from "../../platform/sandbox/sandbox.js";

export type TenantTime = ReturnType<typeof createTenantTime>;

/**
 * When something happens by a tenant's own time. Only a sandbox's can be ahead of real time, so
 * nobody is asked about others.
 */
export function createTenantTime({ clock, times }: { clock: Clock; times?: BusinessClock | undefined }) {
  async function aheadMsOf(tenantId: string): Promise<number> {
    if (times === undefined || !isSandbox(tenantId)) return 0;
    const time = await times.forTenant(tenantId);
    return time.now().getTime() - clock.now().getTime();
  }
  return {
    async nowOf(tenantId: string): Promise<Date> {
      return new Date(clock.now().getTime() + (await aheadMsOf(tenantId)));
    },
    /** A moment of real time as the tenant's time had it. */
    async ofReal(tenantId: string, at: Date): Promise<Date> {
      return new Date(at.getTime() + (await aheadMsOf(tenantId)));
    },
  };
}
