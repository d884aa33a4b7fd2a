import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { BusinessClock } from "../../platform/preferences/business-clock.js";
import type { Clock } from "../../kernel/time/clock.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import type { Logger } from "../../kernel/process/log.js";
import { isHeld } from "../../kernel/mongo/held-tenants.js";
import type { NewRow, Outbox } from "../../kernel/outbox/index.js";
import { isAwayOrLate } from "../../kernel/refusal.js";
import { mapInTurns } from "../../kernel/time/turns.js";
import { isOverdue, notPaidInTime } from "../domain/payment-window.js";
import type { Transaction } from "../domain/transaction.js";
import { releaseTogether } from "../sagas/outbox-rows.js";
import type { RemittanceStore } from "../store/index.js";
import { transactionEventRow } from "../wire/event-rows.js";

/** How many expire in one commit. */
export const groupSize = 50;

// Requests get their turn after so many rows that are made.
const rowsATurn = 10;
// Nobody works for six times as long as the group took: whoever creates or pays gets through
// meanwhile (docs/benchmarks/README.md).
const restFactor = 6;
const maxRestMs = 3_000;
// A sweep that leaves so many behind looks at nothing else: the next one begins anew.
const maxLeft = 3_000;

export interface ExpiryOptions {
  store: RemittanceStore;
  outbox: Outbox;
  clock: Clock;
  /** Business time; a sandbox's may be ahead. `clock` for all where absent. */
  times?: BusinessClock;
  log: Logger;
  everyMs?: number | undefined;
}

interface Overdue {
  tenantId: string;
  transactionId: string;
}

/**
 * Lets transactions expire that nobody paid in time, a tenant's in groups. Any number of replicas
 * may sweep; each transaction expires once.
 */
export function startExpiry({ store, outbox, clock, times, log, everyMs = 5_000 }: ExpiryOptions) {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;

  /** One commit: those of them that are still unpaid, their events, and one row for compliance. */
  async function expireGroup(tenantId: string, ids: readonly string[]): Promise<number> {
    const tenant = store.forTenant(tenantId);
    const time = times === undefined ? clock : await times.forTenant(tenantId);
    const groupId = randomUUID();
    const cause = { tenantId, interactionId: `expiry:${groupId}`, actor: "remittance" };
    const count = await store.transaction(
      async (session) => {
        const at = time.now();
        const due = (await tenant.listTransactions({ ids }, session)).filter((one) => isOverdue(one, at));
        if (due.length === 0) return 0;
        const expired = await tenant.changeAll(due, notPaidInTime, { at, actor: cause.actor }, session);
        const release = releaseTogether(cause, groupId, expired.map(placeOf));
        await outbox.addAll([release, ...(await eventRows(cause, expired, at))], session);
        return due.length;
      },
      // What was committed after all is not overdue any more when it is looked at again.
      async () => undefined,
    );
    crashPoint("remittance.expired.marked");
    outbox.wake();
    return count;
  }

  /** As one group, or in halves down to the one that cannot expire. Those that are left behind. */
  async function expireOrLeave(tenantId: string, ids: readonly string[]): Promise<readonly string[]> {
    if (stopping.signal.aborted) return ids;
    try {
      const count = await rested(() => expireGroup(tenantId, ids));
      return count === ids.length ? [] : ids;
    } catch (error) {
      const isAboutAll = isAwayOrLate(error) || isHeld(error);
      if (ids.length === 1 || isAboutAll) {
        const which = ids.length === 1 ? { transactionId: ids[0] } : { transactions: ids.length };
        log.warn({ err: error, tenantId, ...which }, "a transaction could not expire, will be tried again");
        return ids;
      }
      log.warn({ err: error, tenantId, transactions: ids.length }, "a group could not expire, goes on in halves");
      const middle = Math.ceil(ids.length / 2);
      return [
        ...(await expireOrLeave(tenantId, ids.slice(0, middle))),
        ...(await expireOrLeave(tenantId, ids.slice(middle))),
      ];
    }
  }

  async function rested<T>(work: () => Promise<T>): Promise<T> {
    const began = performance.now();
    try {
      return await work();
    } finally {
      const restMs = Math.min(maxRestMs, (performance.now() - began) * restFactor);
      await sleep(restMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  async function expireAll(overdue: readonly Overdue[]): Promise<string[]> {
    const left: string[] = [];
    for (const [tenantId, of] of Map.groupBy(overdue, (one) => one.tenantId)) {
      left.push(
        ...(await expireOrLeave(
          tenantId,
          of.map(({ transactionId }) => transactionId),
        )),
      );
    }
    return left;
  }

  /**
   * Sandboxes that were moved on are ahead of our clock: those of them that wait longest are looked
   * at by their own.
   */
  async function sweepSandboxes(timesOf: BusinessClock): Promise<void> {
    const due: Overdue[] = [];
    const unpaid = await store.findUnpaidInSandboxes(groupSize);
    for (const [tenantId, of] of Map.groupBy(unpaid, (one) => one.tenantId)) {
      const now = (await timesOf.forTenant(tenantId)).now();
      due.push(...of.filter(({ expiresAt }) => expiresAt !== undefined && expiresAt <= now));
    }
    await expireAll(due);
  }

  async function sweep(): Promise<void> {
    if (times !== undefined) {
      await sweepSandboxes(times).catch((error: unknown) => log.warn({ err: error }, "cannot look into sandboxes"));
    }
    const left: string[] = [];
    while (!stopping.signal.aborted && left.length < maxLeft) {
      const overdue = await store.findOverdue(clock.now(), groupSize, left);
      left.push(...(await expireAll(overdue)));
      if (overdue.length < groupSize) return;
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
      stopping.abort();
      clearInterval(timer);
      await running?.catch(() => undefined);
    },
  };
}

const placeOf = ({ transactionId, version }: Transaction) => ({ transactionId, version });

/** What is told of them, made some at a time: printing hundreds takes as long as some requests. */
async function eventRows(
  cause: Pick<NewRow, "tenantId" | "interactionId" | "actor">,
  expired: readonly Transaction[],
  at: Date,
): Promise<NewRow[]> {
  const eventRowOf = (one: Transaction) => transactionEventRow(cause, "transaction.expired", one, at);
  return mapInTurns(expired, eventRowOf, { work: "expiry", perTurn: rowsATurn });
}
