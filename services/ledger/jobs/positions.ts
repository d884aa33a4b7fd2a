import { randomUUID } from "node:crypto";
import type { Logger } from "../../kernel/process/log.js";
import { keepPace } from "../../kernel/polling/pace.js";
import { workOff } from "../../kernel/polling/work-off.js";
import { systemClock } from "../../kernel/time/clock.js";
import { Refusal } from "../../kernel/refusal.js";
import { dayText, startIn } from "../domain/days.js";
import { createPositions, type PositionDeps } from "../sagas/positions.js";
import { createRevaluations, dayOfDate } from "../sagas/revaluation.js";
import { createUnrevaluedDays } from "../store/unrevalued-days.js";
import type { PositionLook } from "../store/positions.js";

export interface PositionJobOptions extends PositionDeps {
  readonly log: Logger;
  /** How long what is posted gathers before it is counted, ms. */
  readonly gatherMs: number;
  /** How late is counted at most what a killed replica has left, and a day that ends, ms. */
  readonly lookMs: number;
}

export type PositionJob = ReturnType<typeof startPositions>;

// Longer than a look takes: nobody else is at it meanwhile.
const leaseMs = 60_000;
const tenantsAtOnce = 4;
const againMs = 10_000;
// Each costs a read of what moved since; older days are people's to revalue.
const daysAtOnce = 92;

/**
 * Counts positions behind the postings that move them, and revalues each day that is over, where
 * its rates are known. Any number of replicas may: of two that count the same, one begins anew.
 * Only tenants with accounts of positions are looked at.
 */
export function startPositions(options: PositionJobOptions) {
  const { positions, businessClock, clock, log, gatherMs, lookMs } = options;
  const counted = createPositions(options);
  const revaluations = createRevaluations(options);
  const unrevalued = createUnrevaluedDays(options.db);
  const stopping = new AbortController();
  const woken = new Set<string>();
  let running: Promise<void> | undefined;

  /** When the tenant's day is over, by real time, or sooner: a sandbox's clock may be moved. */
  async function look(tenantId: string): Promise<Date> {
    const call = { tenantId, interactionId: `positions:${randomUUID()}` };
    const books = await counted.all(call);
    const { timeZone, aheadMs, ...time } = await businessClock.forTenant(tenantId, call.interactionId);
    const today = dayOfDate(time.today());
    const missing = (await unrevalued(tenantId, today - 1, books)).slice(-daysAtOnce);
    const unpriced: string[] = [];
    for (const day of missing) {
      if (stopping.signal.aborted) break;
      await revaluations
        .revalueDay({ ...call, revaluedBy: "ledger", isAsked: false }, books, day)
        .catch((error: unknown) => {
          // It is done as soon as the rates are here, or by a person.
          if (!(error instanceof Refusal) || error.code !== "RATE_NOT_AVAILABLE") throw error;
          unpriced.push(dayText(day));
        });
    }
    if (unpriced.length > 0) {
      log.info({ tenantId, days: unpriced.length, first: unpriced[0] }, "positions wait for the rates of days");
    }
    const nowMs = clock.now().getTime();
    return new Date(Math.min(startIn(timeZone, today + 1) - aheadMs, nowMs + lookMs));
  }

  async function lookAfter(due: PositionLook): Promise<void> {
    const { tenantId } = due;
    const next = await look(tenantId).catch((err: unknown) => {
      log.warn({ err, tenantId }, "positions could not be counted, will be tried again");
      return new Date(Date.now() + Math.min(lookMs, againMs));
    });
    await positions.forTenant(tenantId).lookAgain(due, new Date(Math.max(next.getTime(), Date.now() + gatherMs)));
  }

  async function run(): Promise<void> {
    for (const tenantId of woken) {
      woken.delete(tenantId);
      await positions.forTenant(tenantId).watch();
    }
    const { takeLook: take } = positions;
    const { signal } = stopping;
    await workOff({ clock: systemClock, takenForMs: leaseMs, take, work: lookAfter, atOnce: tenantsAtOnce, signal });
  }

  const pace = keepPace({
    quickMs: gatherMs,
    poll() {
      running ??= run()
        .catch((err: unknown) => log.warn({ err }, "cannot look for positions that are to be counted"))
        .finally(() => (running = undefined));
    },
  });

  return {
    /** Something was posted that moves positions. */
    wake(tenantId: string): void {
      woken.add(tenantId);
      pace.pollFast();
    },
    /** Has a tenant's positions looked at soon, if it has any. */
    async hurry(tenantId: string): Promise<void> {
      await positions.forTenant(tenantId).hurry();
      pace.pollFast();
    },
    async stop(): Promise<void> {
      stopping.abort();
      pace.stop();
      await running;
    },
  };
}
