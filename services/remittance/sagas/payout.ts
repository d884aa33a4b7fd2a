import type { Clock } from "../../kernel/time/clock.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import type { OutboxRow, RelayContext, RowHandler } from "../../kernel/outbox/index.js";
import { Refusal } from "../../kernel/refusal.js";
import { PartiesUntold, type PayoutConnector } from "../clients/payout-connector.js";
import type { PayoutHolds } from "../clients/payout-holds.js";
import type { PayoutPartners } from "../clients/payout-partners.js";
import { createCarrierWait, type CarrierWaitDeps } from "./carrier-wait.js";
import { transactionOf } from "./outbox-rows.js";
import { queryPartner, type PartnerRun } from "./find-or-submit.js";
import type { OrderFreezing } from "./order-freezing.js";
import type { PayoutBatches } from "./payout-batches.js";
import type { PayoutOrders } from "./payout-orders.js";
import type { PayoutPosting } from "./payout-posting.js";
import type { PayoutSteps } from "./payout-steps.js";
import { timesAmended } from "../domain/amendment.js";
import { asBlocked, refundNotPosted } from "../domain/block.js";
import { hold, isRequestedBefore, isClearSince } from "../domain/hold.js";
import { nextAction, type Action } from "../domain/next-action.js";
import { refund } from "../domain/payout-refund.js";
import { applyReport } from "../domain/payout-report.js";
import * as payouts from "../domain/payout.js";
import type { RemittanceStore } from "../store/index.js";
import type { StatementReaders } from "../jobs/statement-readers.js";
import type { Transaction } from "../domain/transaction.js";
import type { WalletDelivery } from "./wallet-delivery.js";

export interface PayoutSagaDeps {
  store: RemittanceStore;
  steps: PayoutSteps;
  batches: Pick<PayoutBatches, "join">;
  connector: PayoutConnector;
  partners: Pick<PayoutPartners, "takerOf">;
  orders: PayoutOrders;
  freeze: OrderFreezing;
  posting: PayoutPosting;
  walletDelivery: WalletDelivery;
  holds: PayoutHolds;
  readers: Pick<StatementReaders, "ensure">;
  clock: Clock;
  /** Told of each payout that begins to wait for a person's word. */
  onUnclear?: (tenantId: string, transaction: Transaction) => void;
  onUncarried?: CarrierWaitDeps["onUncarried"];
}

/** One run of the driving row. */
interface Run extends PartnerRun {
  context: RelayContext;
  /** When compliance was asked that said last that no hit stands against it. */
  clearAt?: Date;
  /** How often it had been amended then: others may be paid by now. */
  clearOf?: number;
}

/** What a run goes on with: the transaction as it is then, or nothing more. */
type Next = "AGAIN" | "OVER";

const actor = "remittance";
const partner = "payout partner";
// Far more than any path through the states: a loop that does not end is a bug, and parks.
const maxSteps = 12;

/**
 * Drives a transaction that was paid for to its end, one action of domain/next-action.ts after the
 * other. Everything on the way may be repeated: the partner pays a reference once, a key of the
 * ledger decides once, and a step is one commit with the row that drives on from it.
 */
export function createPayoutSaga(deps: PayoutSagaDeps): { drive: RowHandler } {
  const { store, clock } = deps;

  async function driveOn(row: OutboxRow, context: RelayContext): Promise<void> {
    const { tenantId } = row;
    const transactionId = transactionOf(row);
    const run: Run = { tenantId, transactionId, context, signal: context.signal, isFresh: false };
    for (let step = 0; step < maxSteps; step += 1) {
      context.signal.throwIfAborted();
      const transaction = await store.forTenant(tenantId).findTransaction(transactionId);
      if (transaction === undefined) throw new Error(`transaction ${transactionId} is not there`);
      run.installationId = payouts.payoutOf(transaction).installationId;
      run.currency = transaction.price.receive.currency;
      const action = nextAction(transaction, clock.now());
      if ((await act(deps, run, transaction, action)) === "OVER") return;
    }
    throw new Refusal("STATE_CONFLICT", `the payout of ${transactionId} goes round in circles`);
  }

  return {
    drive: driveOn,
  };
}

async function act(deps: PayoutSagaDeps, run: Run, transaction: Transaction, action: Action): Promise<Next> {
  const { connector, partners, steps, batches, clock } = deps;
  const by = { actor, closeRow: run.context.complete };
  if (isRequestedBefore(action, transaction) && (await isHeld(deps, run, transaction))) return holdPayout(deps, run);
  switch (action.do) {
    case "NOTHING":
      return "OVER";
    case "WAIT":
      // Its row came before its time, as after an operator's retry.
      await steps.make(run.tenantId, run.transactionId, (now) => payouts.awaitWindow(now, action.until), by);
      return "OVER";
    case "FIND_WINDOW": {
      const taker = await partners.takerOf(run.tenantId, transaction);
      if (taker === undefined) return awaitCarrier(deps, run);
      const opensAt = await connector.nextWindow({ ...run, installationId: taker.installationId });
      await steps.make(run.tenantId, run.transactionId, (now) => payouts.awaitWindow(now, opensAt), by);
      crashPoint("remittance.payout.scheduled");
      return "OVER";
    }
    case "JOIN_BATCH":
      await batches.join(run.tenantId, transaction, by);
      crashPoint("remittance.payout.joined");
      return "OVER";
    case "HOLD_FOR_PICKUP":
      await steps.make(run.tenantId, run.transactionId, payouts.holdForPickup, by);
      crashPoint("remittance.pickup.held");
      return "OVER";
    case "START": {
      const taker = await partners.takerOf(run.tenantId, transaction);
      const to = taker && (await deps.freeze(run.tenantId, transaction, taker, run.signal));
      if (to === undefined) return awaitCarrier(deps, run);
      const change = payouts.start(transaction, clock.now(), to);
      if (change === undefined) return "AGAIN";
      const stamp = { at: await steps.tenantTime.nowOf(run.tenantId), actor };
      const started = await steps.change(run.tenantId, transaction, change, stamp);
      crashPoint("remittance.payout.started");
      run.isFresh = started !== undefined;
      return "AGAIN";
    }
    case "ASK": {
      const mayHandOver = async () => !(await isHeld(deps, run, transaction));
      const report = await queryPartner(deps, run, transaction, mayHandOver).catch((error: unknown) => {
        if (error instanceof PartiesUntold) return "UNTOLD" as const;
        throw error;
      });
      if (report === "UNTOLD") return awaitCarrier(deps, run);
      return report === undefined ? holdPayout(deps, run) : conclude(deps, run, transaction, report);
    }
    case "CONCLUDE":
      return conclude(deps, run, transaction, action.report, payouts.payoutOf(transaction).decided?.decidedBy);
    case "RECALL": {
      const report = await connector.recall(run.transactionId, run);
      crashPoint("remittance.cancel.recalled");
      return conclude(deps, run, transaction, report);
    }
    case "CREDIT_WALLET": {
      const report = await deps.walletDelivery.credit(transaction, run);
      crashPoint("remittance.delivery.credited");
      return conclude(deps, run, transaction, report);
    }
    case "RECALL_FROM_WALLET": {
      const report = await deps.walletDelivery.recall(transaction, run);
      crashPoint("remittance.delivery.recalled");
      return conclude(deps, run, transaction, report);
    }
    case "FIND_CREDIT": {
      const report = await deps.walletDelivery.find(transaction, run);
      crashPoint("remittance.block.looked");
      return conclude(deps, run, transaction, report);
    }
    case "FIND_REFUND":
      return findRefund(deps, run, transaction);
    case "REFUND":
      return refundPayout(deps, run, transaction);
  }
}

/** Asked right before money leaves our hands; what was said moments ago counts. */
async function isHeld({ holds, clock }: PayoutSagaDeps, run: Run, transaction: Transaction): Promise<boolean> {
  const { interactionId } = payouts.payoutOf(transaction);
  if (run.clearOf !== timesAmended(transaction)) delete run.clearAt;
  run.clearOf = timesAmended(transaction);
  while (!isClearSince(run.clearAt, clock.now())) {
    run.context.signal.throwIfAborted();
    const requestedAt = clock.now();
    if (await holds.isHeld(transaction, { tenantId: run.tenantId, interactionId, signal: run.context.signal })) {
      return true;
    }
    run.clearAt = requestedAt;
  }
  return false;
}

/** Waits in nobody's hands, and is counted where managers look. */
async function awaitCarrier(deps: PayoutSagaDeps, run: Run): Promise<Next> {
  const by = { actor, closeRow: run.context.complete };
  return (await createCarrierWait(deps)(run.tenantId, run.transactionId, by)) ? "OVER" : "AGAIN";
}

async function holdPayout({ steps, clock }: PayoutSagaDeps, run: Run): Promise<Next> {
  const by = { actor, closeRow: run.context.complete };
  const held = await steps.make(run.tenantId, run.transactionId, (now) => hold(now, clock.now()), by);
  return held === undefined ? "AGAIN" : "OVER";
}

/**
 * Applies the partner's report: writes the step that follows, or the settlement and then its step.
 */
async function conclude(
  deps: PayoutSagaDeps,
  run: Run,
  transaction: Transaction,
  report: payouts.PartnerPayout,
  decidedBy?: string,
): Promise<Next> {
  const { steps, posting, readers, clock } = deps;
  const { tenantId, transactionId } = run;
  const isToWallet = transaction.recipientWallet !== undefined;
  const by = { actor: decidedBy ?? (isToWallet ? actor : partner), closeRow: run.context.complete };
  const outcome = applyReport(transaction, report, clock.now());
  if (outcome.kind === "NOTHING") return "OVER";
  const before = payouts.payoutOf(transaction).unclear;
  if (outcome.kind === "SETTLE") {
    // What goes into a wallet is booked by the credit itself.
    if (!isToWallet) {
      await readers.ensure(tenantId, run.installationId);
      await posting.settle(transaction, run);
      crashPoint("remittance.settle.posted");
    }
    const settled = await steps.make(tenantId, transactionId, (now) => payouts.settle(now, report, clock.now()), by);
    crashPoint("remittance.settle.completed");
    return settled === undefined ? "AGAIN" : "OVER";
  }
  const made = await steps.make(
    tenantId,
    transactionId,
    (now) => {
      // Decided anew: somebody may have cancelled it while the partner was asked.
      const again = applyReport(now, report, clock.now());
      return again.kind === "STEP" ? again.step : undefined;
    },
    by,
  );
  if (made === undefined) return "AGAIN";
  const { unclear } = payouts.payoutOf(made);
  if (unclear !== undefined && unclear.said !== before?.said) deps.onUnclear?.(tenantId, made);
  if (payouts.payoutOf(made).outcome === undefined) crashPoint("remittance.payout.waiting");
  else crashPoint("remittance.refund.decided");
  return "OVER";
}

async function refundPayout(
  { steps, posting, clock }: PayoutSagaDeps,
  run: Run,
  transaction: Transaction,
): Promise<Next> {
  const refunded = await posting.refund(transaction, run);
  crashPoint("remittance.refund.posted");
  const by = { actor, closeRow: run.context.complete };
  await steps.make(run.tenantId, run.transactionId, (now) => refund(now, refunded, clock.now()), by);
  crashPoint("remittance.refund.refunded");
  return "OVER";
}

/** A block came while the refund was on its way: it is over where the ledger has it. */
async function findRefund(
  { steps, posting, clock }: PayoutSagaDeps,
  run: Run,
  transaction: Transaction,
): Promise<Next> {
  const refunded = await posting.postedRefund(asBlocked(transaction), run);
  crashPoint("remittance.block.refund-looked");
  const by = { actor, closeRow: run.context.complete };
  const decide = (now: Transaction) =>
    refunded === undefined ? refundNotPosted(now, clock.now()) : refund(now, refunded, clock.now());
  const made = await steps.make(run.tenantId, run.transactionId, decide, by);
  return made === undefined ? "AGAIN" : "OVER";
}
