import type { BusinessClock } from "../../shared/clocks/business-clock.js";
import type { Clock } from "../../shared/clocks/clock.js";
import type { Outbox, RelayContext } from "../../shared/outbox/index.js";
import { drivePayout, payoutAggregate, rowOfEvent } from "./outbox-rows.js";
import { payoutOf, type Step } from "../domain/payout.js";
import type { RemittanceStore, Session } from "../store/index.js";
import { createTenantTime } from "../clients/tenant-time.js";
import type { Transaction } from "../domain/transaction.js";

/**
 * Who makes a step, and how the row that drives the transaction is closed where the step replaces
 * it.
 */
export interface By {
  /** A user's id, or a service's name. */
  actor: string;
  /** Of whoever asked; of the payment where nobody did. */
  interactionId?: string;
  /** Closes the driving row that runs; absent where another one takes its place from outside. */
  closeRow?: RelayContext["complete"];
}

export type PayoutSteps = ReturnType<typeof createPayoutSteps>;

/**
 * Writes steps of domain/: the change, its driving row and its events' rows in one commit. A
 * transaction that is under way has exactly one open driving row, or its batch has, so two drivers
 * cannot both go on.
 */
export function createPayoutSteps({
  store,
  outbox,
  ...clocks
}: {
  store: RemittanceStore;
  outbox: Outbox;
  clock: Clock;
  /** Business time, which timelines tell; `clock` where absent. */
  times?: BusinessClock;
}) {
  const tenantTime = createTenantTime(clocks);
  async function write(
    tenantId: string,
    before: Transaction,
    step: Step,
    by: By,
    session: Session,
  ): Promise<Transaction> {
    const { transactionId } = before;
    const stamp = { at: await tenantTime.nowOf(tenantId), actor: by.actor };
    const after = await store.forTenant(tenantId).change(before, step.change, stamp, session);
    if (after === undefined) throw new Error("a transaction changed inside this transaction's snapshot");
    const aggregate = payoutAggregate(transactionId);
    const seq = after.version;
    const interactionId = by.interactionId ?? (payoutOf(after).interactionId || after.interactionId);
    const row = { tenantId, seq, payload: { transactionId }, interactionId, actor: by.actor };
    if (by.closeRow !== undefined) await by.closeRow(session);
    else if (step.drive !== "KEEP") await outbox.cancel(tenantId, { aggregate, kind: drivePayout }, session);
    if (step.drive !== "NONE" && step.drive !== "KEEP") {
      // What the payout does is the payment's interaction, whoever hurried it on.
      const own = { ...row, interactionId: payoutOf(after).interactionId || interactionId };
      await outbox.add({ ...own, aggregate, kind: drivePayout, dueAt: step.drive.at }, session);
    }
    for (const event of step.events ?? []) {
      await outbox.add({ ...row, ...rowOfEvent(event, transactionId) }, session);
    }
    return after;
  }

  return {
    write,
    tenantTime,

    /**
     * Decides on the transaction as it is and writes the step in one commit; undefined where there
     * was none to make. Run again as a whole after a conflict.
     */
    async make(
      tenantId: string,
      transactionId: string,
      decide: (now: Transaction) => Step | undefined,
      by: By,
    ): Promise<Transaction | undefined> {
      const tenant = store.forTenant(tenantId);
      const result = await store.transaction<{ after: Transaction | undefined }>(
        async (session) => {
          const before = await tenant.findTransaction(transactionId, session);
          if (before === undefined) throw new Error(`transaction ${transactionId} is not there`);
          const step = decide(before);
          if (step === undefined) return { after: undefined };
          return { after: await write(tenantId, before, step, by, session) };
        },
        // A later version may be somebody else's step, and this one lost. Decided again, a step
        // that is in has nothing left to do, and at worst finds its row taken by the one that it
        // has put in its place.
        async () => undefined,
      );
      if (result.after !== undefined) outbox.wake();
      return result.after;
    },
  };
}
