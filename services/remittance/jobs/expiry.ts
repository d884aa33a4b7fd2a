import { randomUUID } from "node:crypto";
import type { BusinessClock } from "../../shared/clocks/business-clock.js";
import type { Clock } from "../../shared/clocks/clock.js";
import { crashPoint } from "../../shared/crash-point.js";
import type { Logger } from "../../shared/log.js";
import type { Outbox } from "../../shared/outbox/index.js";
import { releaseReservation, transactionAggregate } from "../sagas/outbox-rows.js";
import type { RemittanceStore } from "../store/index.js";
import { expire } from "../domain/payment-window.js";
import { toldRow } from "../wire/told.js";

const batch = 100;

export interface ExpiryOptions {
  store: RemittanceStore;
  outbox: Outbox;
  clock: Clock;
  /** Business time; a sandbox's may be ahead. `clock` for all where absent. */
  times?: BusinessClock;
  log: Logger;
  everyMs?: number;
}

/**
 * Lets transactions expire that nobody paid in time. Any number of replicas may sweep; each
 * transaction expires once.
 */
export function startExpiry({ store, outbox, clock, times, log, everyMs = 5_000 }: ExpiryOptions) {
  let stopped = false;
  let running: Promise<void> | undefined;

  async function expireOne(tenantId: string, transactionId: string): Promise<void> {
    const tenant = store.forTenant(tenantId);
    const time = times === undefined ? clock : await times.forTenant(tenantId);
    await store.transaction(
      async (session) => {
        const before = await tenant.findTransaction(transactionId, session);
        const step = before && expire(before, time.now());
        if (before === undefined || step === undefined) return true;
        const at = time.now();
        const after = await tenant.change(before, step, { at, actor: "remittance" }, session);
        if (after === undefined) throw new Error("a transaction changed inside this transaction's snapshot");
        const row = {
          tenantId,
          aggregate: transactionAggregate(transactionId),
          seq: after.version,
          kind: releaseReservation,
          payload: { transactionId },
          interactionId: `expiry:${randomUUID()}`,
          actor: "remittance",
        };
        await outbox.addAll([row, toldRow(row, "transaction.expired", after, at)], session);
        return true;
      },
      async () => ((await tenant.findTransaction(transactionId))?.status === "EXPIRED" ? true : undefined),
    );
    crashPoint("remittance.expired.marked");
    outbox.wake();
  }

  /**
   * Sandboxes that were moved on are ahead of our clock: those of them that wait longest are looked
   * at by their own.
   */
  async function sweepSandboxes(): Promise<void> {
    for (const { tenantId, transactionId, expiresAt } of await store.findUnpaidInSandboxes(batch)) {
      if (stopped) return;
      try {
        const time = await times!.forTenant(tenantId);
        if (expiresAt !== undefined && expiresAt <= time.now()) await expireOne(tenantId, transactionId);
      } catch (error) {
        noteFailure(error, tenantId, transactionId);
      }
    }
  }

  function noteFailure(error: unknown, tenantId: string, transactionId: string): void {
    log.warn({ err: error, tenantId, transactionId }, "a transaction could not expire, will be tried again");
  }

  async function sweep(): Promise<void> {
    if (times !== undefined) await sweepSandboxes();
    for (;;) {
      const overdue = await store.findOverdue(clock.now(), batch);
      let failed = 0;
      for (const { tenantId, transactionId } of overdue) {
        if (stopped) return;
        await expireOne(tenantId, transactionId).catch((error: unknown) => {
          failed += 1;
          noteFailure(error, tenantId, transactionId);
        });
      }
      if (overdue.length < batch || failed > 0) return;
    }
  }

  /** One sweep; joins the one that runs already. */
  function sweepNow(): Promise<void> {
    running ??= sweep().finally(() => (running = undefined));
    return running;
  }

  const timer = setInterval(
    () => void sweepNow().catch((error: unknown) => log.warn({ err: error }, "cannot look for overdue transactions")),
    everyMs,
  );
  return {
    sweepNow,
    async stop(): Promise<void> {
      stopped = true;
      clearInterval(timer);
      await running?.catch(() => undefined);
    },
  };
}
