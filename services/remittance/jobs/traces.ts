import {
  laterWhileBusy,
  type Outbox,
  type OutboxRow,
  type RelayContext,
  type RowHandler,
} from "../../kernel/outbox/index.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import { passesByItself } from "../../kernel/outbox/patience.js";
import { Refusal } from "../../kernel/refusal.js";
import type { Clock } from "../../kernel/time/clock.js";
import type { PayoutConnector } from "../clients/payout-connector.js";
import type { PayoutHolds } from "../clients/payout-holds.js";
import { payoutOf } from "../domain/payout.js";
import {
  amendmentOfTrace,
  approvedTrace,
  endTrace,
  isUnconfirmed,
  nextTraceAt,
  noteTraceScreened,
  refuseTrace,
  sendTrace,
  type Trace,
} from "../domain/trace.js";
import type { Transaction } from "../domain/transaction.js";
import { createAmendmentScreening } from "../sagas/amendment-screening.js";
import { transactionOf } from "../sagas/outbox-rows.js";
import type { PayoutSteps } from "../sagas/payout-steps.js";
import type { RemittanceStore } from "../store/index.js";
import { rowKinds } from "../row-kinds.js";

type Deps = {
  store: RemittanceStore;
  steps: PayoutSteps;
  outbox: Outbox;
  clock: Clock;
  holds: PayoutHolds;
  connector: PayoutConnector;
} & Parameters<typeof createAmendmentScreening>[0];

type Decide = Parameters<PayoutSteps["make"]>[2];

/**
 * Asks a partner to put names right that a second person has approved: lists first, and while a hit
 * stands nobody. What the partner has accepted is asked again by its id until it says what came of
 * it.
 */
export function approvedTraces(deps: Deps): Record<string, RowHandler> {
  const { store, steps, outbox, clock, holds, connector } = deps;
  const screening = createAmendmentScreening(deps);

  /** The transaction once the partner may be asked; undefined where it may not be, or not yet. */
  async function cleared(row: OutboxRow, transaction: Transaction, trace: Trace, work: Work) {
    const { tenantId, interactionId } = row;
    const call = { tenantId, interactionId, signal: work.signal };
    if (trace.screenedAt === undefined) {
      await screening.screen(transaction, trace.after, call);
      await work.make((now) => noteTraceScreened(now, trace.traceId, clock.now()));
      crashPoint("remittance.trace.screened");
    }
    if (await holds.isHeld(transaction, call)) {
      await lookAgain(row, trace, work);
      return undefined;
    }
    const sent = await work.make((now) => sendTrace(now, trace.traceId, clock.now()));
    crashPoint("remittance.trace.sent");
    return sent;
  }

  async function ask(row: OutboxRow, transaction: Transaction, trace: Trace, work: Work): Promise<void> {
    const { traceId } = trace;
    const { transactionId } = transaction;
    const call = { tenantId: row.tenantId, installationId: payoutOf(transaction).installationId, signal: work.signal };
    const answer = await connector.amend(transactionId, amendmentOfTrace(transaction, trace), call);
    crashPoint("remittance.trace.answered");
    if (answer === undefined) {
      if (isUnconfirmed(transaction)) throw new Refusal("UNAVAILABLE", "the partner does not have the payout yet");
      await work.make((now) => refuseTrace(now, traceId, "TRANSACTION_NOT_FOUND", clock.now()));
      return;
    }
    const { status, reason } = answer;
    if (status === "ACCEPTED") return lookAgain(row, trace, work);
    await work.make((now) => endTrace(now, traceId, { status, reason }, clock.now()));
  }

  /** Another row takes the place of this one, in one commit. */
  async function lookAgain({ id: _id, ...row }: OutboxRow, trace: Trace, { complete }: Work): Promise<void> {
    const dueAt = nextTraceAt(trace, clock.now());
    await store.transaction(
      async (session) => {
        await complete(session);
        await outbox.add({ ...row, seq: row.seq + 1, dueAt }, session);
      },
      async () => undefined,
    );
  }

  return laterWhileBusy({
    async [rowKinds.sendTrace](row, { signal, complete }) {
      const { tenantId, interactionId, payload } = row;
      const transactionId = transactionOf(row);
      const traceId = String(payload["traceId"]);
      const transaction = await store.forTenant(tenantId).findTransaction(transactionId);
      const trace = transaction && approvedTrace(transaction, traceId);
      if (transaction === undefined || trace === undefined) return;
      const by = { actor: trace.approvedBy ?? "remittance", interactionId };
      const work: Work = {
        signal,
        complete,
        make: (decide) => steps.make(tenantId, transactionId, decide, by),
      };
      try {
        const ready = trace.status === "SENT" ? transaction : await cleared(row, transaction, trace, work);
        const sent = ready && approvedTrace(ready, traceId);
        if (ready !== undefined && sent?.status === "SENT") await ask(row, ready, sent, work);
      } catch (error) {
        if (!(error instanceof Refusal) || passesByItself(error)) throw error;
        await work.make((now) => refuseTrace(now, traceId, error.code, clock.now()));
      }
    },
  });
}

interface Work extends Pick<RelayContext, "signal" | "complete"> {
  make: (decide: Decide) => Promise<Transaction | undefined>;
}
