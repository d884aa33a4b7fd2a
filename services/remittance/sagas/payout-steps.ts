import type { BusinessClock } from "../../platform/preferences/business-clock.js";
import type { Clock } from "../../kernel/time/clock.js";
import type { NewRow, Outbox, RelayContext } from "../../kernel/outbox/index.js";
import { completionAggregate, payoutAggregate, rowOfEvent } from "./outbox-rows.js";
import { payoutOf, type Step } from "../domain/payout.js";
import type { RemittanceStore, Session } from "../store/index.js";
import { createTenantTime } from "../clients/tenant-time.js";
import { eventOfChange } from "../domain/transaction-events.js";
import type { Change, StatusChange, Transaction } from "../domain/transaction.js";
import { transactionEventRow } from "../wire/event-rows.js";
import { rowKinds } from "../row-kinds.js";

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
  onCompleted = () => undefined,
  ...clocks
}: {
  store: RemittanceStore;
  outbox: Outbox;
  /** Told once a payout's completion is committed. */
  onCompleted?: ((tenantId: string, transaction: Transaction) => void) | undefined;
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
    const type = eventOfChange(before, step.change);
    const stamp = { at: await tenantTime.nowOf(tenantId), actor: by.actor };
    const after = await store.forTenant(tenantId).change(before, step.change, stamp, session);
    if (after === undefined) throw new Error("a transaction changed inside this transaction's snapshot");
    const aggregate = payoutAggregate(transactionId);
    const seq = after.version;
    const interactionId = by.interactionId ?? (payoutOf(after).interactionId || after.interactionId);
    const row = { tenantId, seq, payload: { transactionId }, interactionId, actor: by.actor };
    if (by.closeRow !== undefined) await by.closeRow(session);
    else if (step.drive !== "KEEP") await outbox.cancel(tenantId, { aggregate, kind: rowKinds.drivePayout }, session);
    const rows: NewRow[] = [];
    if (step.drive !== "NONE" && step.drive !== "KEEP") {
      // What the payout does is the payment's interaction, whoever hurried it on.
      const own = { ...row, interactionId: payoutOf(after).interactionId || interactionId };
      rows.push({ ...own, aggregate, kind: rowKinds.drivePayout, dueAt: step.drive.at });
    }
    for (const event of step.events ?? []) rows.push({ ...row, ...rowOfEvent(event, transactionId) });
    if (isSaleCompleted(before, after)) {
      rows.push({ ...row, aggregate: completionAggregate(transactionId), kind: rowKinds.notifyCompleted });
    }
    if (type !== undefined) rows.push(transactionEventRow(causeOf(row, step.change, after), type, after, stamp.at));
    await outbox.addAll(rows, session);
    return after;
  }

  /**
   * A change that nothing else follows from, in one commit with what it tells; undefined where
   * somebody else was first. One that tells nothing is a single update.
   */
  async function change(
    tenantId: string,
    before: Transaction,
    step: Change,
    stamp: Pick<StatusChange, "at" | "actor">,
    interactionId = payoutOf(before).interactionId || before.interactionId,
  ): Promise<Transaction | undefined> {
    const tenant = store.forTenant(tenantId);
    const type = eventOfChange(before, step);
    if (type === undefined) return tenant.change(before, step, stamp);
    const { after } = await store.transaction<{ after: Transaction | undefined }>(
      async (session) => {
        const written = await tenant.change(before, step, stamp, session);
        if (written === undefined) return { after: undefined };
        const cause = causeOf({ tenantId, interactionId, actor: stamp.actor }, step, written);
        await outbox.add(transactionEventRow(cause, type, written, stamp.at), session);
        return { after: written };
      },
      // Written again it meets the next version: as if somebody else had been first.
      async () => undefined,
      `${tenantId} told change`,
    );
    if (after !== undefined) outbox.wakeSoon();
    return after;
  }

  return {
    write,
    change,
    tenantTime,

    /**
     * Decides on the transaction as it is and writes the step in one commit; undefined where there
     * was none to make. Run again as a whole after a conflict, with what `decide` wrote itself.
     */
    async make(
      tenantId: string,
      transactionId: string,
      decide: (now: Transaction, session: Session) => Step | undefined | Promise<Step | undefined>,
      by: By,
    ): Promise<Transaction | undefined> {
      const tenant = store.forTenant(tenantId);
      const result = await store.transaction<{ after: Transaction | undefined; isCompleted?: boolean }>(
        async (session) => {
          const before = await tenant.findTransaction(transactionId, session);
          if (before === undefined) throw new Error(`transaction ${transactionId} is not there`);
          const step = await decide(before, session);
          if (step === undefined) return { after: undefined };
          const after = await write(tenantId, before, step, by, session);
          return { after, isCompleted: step.change.status === "COMPLETED" && after.status === "COMPLETED" };
        },
        // A later version may be somebody else's step, and this one lost. Decided again, a step
        // that is in has nothing left to do, and at worst finds its row taken by the one that it
        // has put in its place.
        async () => undefined,
      );
      if (result.after === undefined) return undefined;
      if (result.isCompleted === true) onCompleted(tenantId, result.after);
      outbox.wake();
      return result.after;
    },
  };
}

/** Whoever has sold it for cash may earn by it. */
function isSaleCompleted(before: Transaction, { status, payer }: Transaction): boolean {
  return status === "COMPLETED" && before.status !== status && payer?.accountNumber === "";
}

type Cause = Pick<NewRow, "tenantId" | "interactionId" | "actor">;

/** What ends a block is compliance's affair: it is told as the transaction's own doing. */
function causeOf({ tenantId, interactionId, actor }: Cause, { isSecret }: Change, after: Transaction): Cause {
  if (isSecret !== true) return { tenantId, interactionId, actor };
  return { tenantId, interactionId: after.interactionId, actor: "remittance" };
}
