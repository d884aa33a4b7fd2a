import { randomUUID } from "node:crypto";
import type { SliceLease } from "../domain/accrual.js";
import type { InvestmentStore } from "../store/index.js";
import type { Accrual } from "./accrual.js";

const leaseMs = 30_000;
// While MongoDB writes a batch of one slice, this process counts one of another.
const slicesInParallel = 2;

export interface AccrualDayDeps {
  store: InvestmentStore;
  accrual: Pick<Accrual, "countBatch">;
  crashPoint: (name: string) => void;
  /** True once no further batch may begin. */
  isStopping: () => boolean;
}

/**
 * Accrues a tenant's day. Its holdings are 16 slices; replicas lease a slice, do its day, and take
 * the next one. Leases are by real time and only spare work; what counts once is decided per
 * holding.
 */
export function createAccrualDay({ store, accrual, crashPoint, isStopping }: AccrualDayDeps) {
  /** Does the day of every slice that nobody works on; gives how many holdings it moved on. */
  async function countDay(tenantId: string, today: Temporal.PlainDate): Promise<number> {
    const counts = await Promise.all(Array.from({ length: slicesInParallel }, () => countFreeSlices(tenantId, today)));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  async function countFreeSlices(tenantId: string, today: Temporal.PlainDate): Promise<number> {
    const tenant = store.forTenant(tenantId);
    let counted = 0;
    while (!isStopping()) {
      const lease = await tenant.leaseSlice(today.toString(), randomUUID(), new Date(), leaseMs);
      if (lease === undefined) break;
      counted += await countSlice(tenantId, lease, today);
    }
    return counted;
  }

  async function countSlice(tenantId: string, lease: SliceLease, today: Temporal.PlainDate): Promise<number> {
    const tenant = store.forTenant(tenantId);
    let counted = 0;
    let renewedAt = performance.now();
    try {
      for (;;) {
        const count = await accrual.countBatch(tenantId, { slice: lease.slice }, today);
        counted += count;
        if (count === 0) break;
        if (isStopping()) return counted;
        if (performance.now() - renewedAt < leaseMs / 3) continue;
        renewedAt = performance.now();
        if (!(await tenant.renewSlice(lease, new Date(Date.now() + leaseMs)))) return counted;
      }
      crashPoint("investment.accrual.slice");
      await tenant.leaveSlice(lease, today.toString());
    } catch (error) {
      await tenant.leaveSlice(lease).catch(() => undefined);
      throw error;
    }
    return counted;
  }

  return { countDay };
}
