import { v7 as uuidv7 } from "uuid";
import type { Clock } from "../../kernel/time/clock.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import type { Outbox, OutboxRow, RelayContext, RowHandler } from "../../kernel/outbox/index.js";
import type { PayoutConnector } from "../clients/payout-connector.js";
import type { PayoutHolds } from "../clients/payout-holds.js";
import type { PayoutPartners } from "../clients/payout-partners.js";
import { createCarrierWait, type CarrierWaitDeps } from "./carrier-wait.js";
import { batchAggregate } from "./outbox-rows.js";
import type { OrderFreezing } from "./order-freezing.js";
import type { PayoutOrders } from "./payout-orders.js";
import type { By, PayoutSteps } from "./payout-steps.js";
import { nextPollAt } from "../domain/accepted-payout-polling.js";
import { hold, isClearSince } from "../domain/hold.js";
import { changeBatch, joinBatch, leaveBatch, payoutOf, start } from "../domain/payout.js";
import type { PayoutBatch } from "../domain/payout-batch.js";
import type { RemittanceStore, Session } from "../store/index.js";
import type { Transaction } from "../domain/transaction.js";
import { rowKinds } from "../row-kinds.js";

export interface PayoutBatchDeps {
  store: RemittanceStore;
  outbox: Outbox;
  steps: PayoutSteps;
  connector: PayoutConnector;
  partners: Pick<PayoutPartners, "takerOf" | "stillTakes" | "takerAt">;
  orders: PayoutOrders;
  freeze: OrderFreezing;
  holds: PayoutHolds;
  clock: Clock;
  /** A batch goes out this long after its first payout joined, ms. */
  closeAfterMs?: number;
  /** And at the latest when it has so many. */
  maxCount?: number;
  onUncarried?: CarrierWaitDeps["onUncarried"];
}

export type PayoutBatches = ReturnType<typeof createPayoutBatches>;

type Destination = Pick<PayoutBatch, "currency" | "installationId">;

const actor = "remittance";

/**
 * Payouts in AGGREGATION mode: gathered per tenant, currency and partner, handed in with one call.
 */
export function createPayoutBatches(deps: PayoutBatchDeps) {
  const { store, outbox, steps, partners, clock, closeAfterMs = 60_000, maxCount = 200 } = deps;
  const awaitCarrier = createCarrierWait(deps);

  /**
   * Counts one more into the open batch, which closes when it is full; begins one where there is
   * none.
   */
  async function enter(tenantId: string, to: Destination, session: Session): Promise<string> {
    const tenant = store.forTenant(tenantId);
    const now = clock.now();
    const row = (batchId: string, seq: number, dueAt: Date) =>
      outbox.add(
        {
          tenantId,
          aggregate: batchAggregate(batchId),
          seq,
          kind: rowKinds.sendBatch,
          payload: { batchId },
          interactionId: `batch:${batchId}`,
          actor,
          dueAt,
        },
        session,
      );
    const open = await tenant.findOpenBatch(to, session);
    const count = open && (await tenant.countIn(open.batchId, session));
    if (open === undefined || count === undefined) {
      const batchId = uuidv7();
      const closesAt = new Date(now.getTime() + closeAfterMs);
      await tenant.insertBatch({ batchId, ...to, state: "OPEN", count: 1, closesAt, createdAt: now }, session);
      await row(batchId, 1, closesAt);
      return batchId;
    }
    if (count >= maxCount) {
      await tenant.setBatchState(open.batchId, "OPEN", "CLOSED", session);
      await outbox.cancel(tenantId, { aggregate: batchAggregate(open.batchId), kind: rowKinds.sendBatch }, session);
      await row(open.batchId, 2, now);
    }
    return open.batchId;
  }

  /** The transaction joins a batch, unless it was cancelled meanwhile. */
  async function join(tenantId: string, transaction: Transaction, by: By): Promise<void> {
    const { transactionId } = transaction;
    const tenant = store.forTenant(tenantId);
    const taker = await partners.takerOf(tenantId, transaction);
    if (taker === undefined) {
      await awaitCarrier(tenantId, transactionId, by);
      return;
    }
    const { installationId } = taker;
    const { currency } = transaction.price.receive;
    const to = { currency, ...(installationId !== undefined && { installationId }) };
    await store.transaction(
      async (session) => {
        const before = await tenant.findTransaction(transactionId, session);
        const probe = before && joinBatch(before, "");
        if (before === undefined || probe === undefined) return true;
        const batchId = await enter(tenantId, to, session);
        const step = joinBatch(before, batchId);
        if (step !== undefined) await steps.write(tenantId, before, step, by, session);
        return true;
      },
      async () => ((await tenant.findTransaction(transactionId))?.payout?.batchId === undefined ? undefined : true),
    );
    outbox.wake();
  }

  return { join, send: sender(deps) };
}

/** Sends a batch. Every step may be repeated: the partner pays a reference once. */
function sender(deps: PayoutBatchDeps): RowHandler {
  const { store, steps, connector, partners, orders, freeze, holds, clock } = deps;
  const awaitCarrier = createCarrierWait(deps);
  const isToSend = ({ status, payout }: Transaction) =>
    status === "PAID" || (status === "PROCESSING" && payout?.acceptedAt === undefined);

  /**
   * With one question about all of them; those against whom a hit stands
   * leave the batch. Gives the others.
   */
  async function holdBack(tenantId: string, members: readonly Transaction[], signal: AbortSignal) {
    const verdicts = await Promise.all(
      members.map(async (one) => {
        const { interactionId } = payoutOf(one);
        return isToSend(one) && (await holds.isHeld(one, { tenantId, interactionId, signal }));
      }),
    );
    for (const [index, { transactionId }] of members.entries()) {
      if (verdicts[index] !== true) continue;
      await steps.make(tenantId, transactionId, (now) => hold(now, clock.now()), { actor });
    }
    return members.filter((_one, index) => verdicts[index] !== true);
  }

  /**
   * Those that its partner takes no more leave the batch, unless they have
   * been started. Gives the others.
   */
  async function partWith(tenantId: string, { batchId, installationId }: PayoutBatch, members: readonly Transaction[]) {
    const staying: Transaction[] = [];
    for (const member of members) {
      const isStarted = member.status !== "PAID";
      if (isStarted || (await partners.stillTakes(tenantId, installationId, member))) staying.push(member);
      else {
        const leave = (now: Transaction) => changeBatch(now, batchId, clock.now());
        await steps.make(tenantId, member.transactionId, leave, { actor });
      }
    }
    return staying;
  }

  /**
   * Starts those that are not yet; one that would not say what the policy asks leaves the batch.
   * Together they share reads and commits.
   */
  async function startAll(
    tenantId: string,
    { installationId }: PayoutBatch,
    joined: readonly Transaction[],
    signal: AbortSignal,
  ): Promise<void> {
    const at = await steps.tenantTime.nowOf(tenantId);
    const taker = await partners.takerAt(tenantId, installationId);
    await Promise.all(
      joined.map(async (transaction) => {
        if (transaction.status !== "PAID") return;
        const to = await freeze(tenantId, transaction, taker, signal);
        const { transactionId } = transaction;
        if (to === undefined) {
          await awaitCarrier(tenantId, transactionId, { actor });
          return;
        }
        const change = start(transaction, clock.now(), to);
        if (change !== undefined) await steps.change(tenantId, transaction, change, { at, actor });
      }),
    );
  }

  async function send(row: OutboxRow, context: RelayContext): Promise<void> {
    const { tenantId } = row;
    const batchId = String(row.payload["batchId"]);
    const tenant = store.forTenant(tenantId);
    // Whoever joins at this moment meets a conflict, and then another batch.
    await tenant.setBatchState(batchId, "OPEN", "CLOSED");
    crashPoint("remittance.batch.closed");
    const batch = await tenant.findBatch(batchId);
    if (batch === undefined) throw new Error(`batch ${batchId} is not there`);
    const { installationId } = batch;
    const all = await partWith(tenantId, batch, await tenant.listTransactions({ batchId }));
    let requestedAt = clock.now();
    const joined = await holdBack(tenantId, all, context.signal);
    // Who cancels before this has nothing to recall; who cancels after it asks the partner.
    await startAll(tenantId, batch, joined, context.signal);
    crashPoint("remittance.batch.started");
    const members = await tenant.listTransactions({ batchId });
    if (members.some(({ status }) => status === "PAID")) throw new Error(`batch ${batchId} could not start all`);
    let sent = members.filter(isToSend);
    while (sent.length > 0 && !isClearSince(requestedAt, clock.now())) {
      context.signal.throwIfAborted();
      requestedAt = clock.now();
      sent = await holdBack(tenantId, sent, context.signal);
    }
    if (sent.length > 0) {
      const requested = await Promise.all(sent.map((one) => orders.of(tenantId, one)));
      await connector.submitBatch(batchId, requested, { tenantId, installationId, signal: context.signal });
    }
    crashPoint("remittance.batch.sent");
    for (const { transactionId } of sent) {
      const leave = (now: Transaction) => leaveBatch(now, nextPollAt(now, clock.now()));
      await steps.make(tenantId, transactionId, leave, { actor });
      crashPoint("remittance.batch.left");
    }
    await tenant.setBatchState(batchId, "CLOSED", "SENT");
  }

  return send;
}
