import { complianceNotifications, walletNotifications } from "../../../services/remittance/jobs/notifications.js";
import { releaseTogether } from "../../../services/remittance/sagas/outbox-rows.js";
import { createPayoutBatches } from "../../../services/remittance/sagas/payout-batches.js";
import { createPayoutOrders } from "../../../services/remittance/sagas/payout-orders.js";
import { createLedgerAccounts } from "../../../services/remittance/clients/ledger-accounts.js";
import { createPayoutPosting } from "../../../services/remittance/sagas/payout-posting.js";
import { createPayoutSaga } from "../../../services/remittance/sagas/payout.js";
import { createPayoutSteps, type By } from "../../../services/remittance/sagas/payout-steps.js";
import { blockHandlers } from "../../../services/remittance/handlers/blocks.js";
import type { ReleaseOutcome } from "../../../services/remittance/domain/block.js";
import { createPayoutHolds } from "../../../services/remittance/clients/payout-holds.js";
import { isOverdue, notPaidInTime, payableForMs } from "../../../services/remittance/domain/payment-window.js";
import type { Call } from "../../../services/kernel/grpc/context.js";
import { applyAmendment, wantedNames } from "../../../services/remittance/domain/amendment.js";
import { cancel } from "../../../services/remittance/domain/cancellation.js";
import { hint } from "../../../services/remittance/domain/accepted-payout-polling.js";
import type { PartnerPayout, Step } from "../../../services/remittance/domain/payout.js";
import { claim, markPaid, release, type ClaimRequest } from "../../../services/remittance/domain/payment-claim.js";
import { createWalletDelivery } from "../../../services/remittance/sagas/wallet-delivery.js";
import type { Session } from "../../../services/remittance/store/index.js";
import type { Change, Transaction } from "../../../services/remittance/domain/transaction.js";
import { createEventPublisher, type PublisherDeps } from "../../../services/platform/events/publisher.js";
import { createCustomerMoves } from "../../../services/platform/neighbours/customer-moves.js";
import type { Outbox as RealOutbox, RelayContext, RowHandler } from "../../../services/kernel/outbox/index.js";
import { Refusal } from "../../../services/kernel/refusal.js";
import { silentLog } from "../../support/index.js";
import { snapshotOf, type Database, type Outbox, type Row } from "./database.js";
import type { Ledger } from "./ledger.js";
import type { Partner } from "./partner.js";
import type { Process, Schedule } from "./schedule.js";
import { createStore } from "./store.js";
import { rowKinds } from "../../../services/remittance/row-kinds.js";

export interface ReplicaDeps {
  schedule: Schedule;
  database: Database;
  outbox: Outbox;
  partner: Partner;
  ledger: Ledger;
  compliance: Parameters<typeof complianceNotifications>[0] &
    Parameters<typeof createCustomerMoves>[0]["compliance"] &
    Parameters<typeof createPayoutHolds>[0]["compliance"];
  wallet: Parameters<typeof walletNotifications>[0];
  events: NonNullable<PublisherDeps["events"]>;
  now: () => number;
}

export type Replica = ReturnType<typeof createReplica>;

const tenantId = "tenant";
const worthAnotherTry = ["UNAVAILABLE", "DEADLINE_EXCEEDED", "LEASE_LOST"];

/**
 * One process of remittance: the real saga, steps, batches, posting and notifications, on the
 * world's database and network.
 */
export function createReplica(deps: ReplicaDeps, process: Process) {
  const { database, outbox, now } = deps;
  const clock = { now: () => new Date(now()) };
  const store = createStore(deps, process);
  const rows = {
    add: async (row: never, session: Session) => outbox.add(row, session),
    addAll: async (added: readonly never[], session: Session) => added.forEach((row) => outbox.add(row, session)),
    cancel: async (_tenant: string, ref: never, session: Session) => outbox.close("CANCELLED", ref, session),
    finish: async (_tenant: string, ref: never, session: Session) => outbox.close("DONE", ref, session),
    wake: () => undefined,
    wakeSoon: () => undefined,
  } as unknown as RealOutbox;
  const steps = createPayoutSteps({ store, outbox: rows, clock });
  const connector = deps.partner.connectorOf(process);
  // What an order says of its parties has tests of its own.
  const contract = 1 as const;
  const partners = {
    takerOf: async () => ({ contract }),
    takerAt: async () => ({ contract }),
    stillTakes: async () => true,
  };
  const freeze = async () => ({});
  const ledger = deps.ledger.clientOf(process);
  const posting = createPayoutPosting(
    ledger,
    createLedgerAccounts(ledger, async () => "partner"),
  );
  const holds = createPayoutHolds({ compliance: deps.compliance });
  const orders = createPayoutOrders(store);
  const batches = createPayoutBatches({
    store,
    holds,
    outbox: rows,
    steps,
    connector,
    partners,
    orders,
    freeze,
    clock,
    closeAfterMs: 5_000,
    maxCount: 2,
  });
  const saga = createPayoutSaga({
    store,
    steps,
    batches,
    connector,
    partners,
    orders,
    freeze,
    posting,
    holds,
    walletDelivery: createWalletDelivery({ posting, moves: createCustomerMoves({ compliance: deps.compliance }) }),
    readers: { ensure: async () => undefined },
    clock,
  });
  const blocks = blockHandlers({ store, clock, realClock: clock, creation: { payableForMs }, steps });
  const asCompliance = {
    tenantId,
    caller: "compliance",
    interactionId: "i-block",
    signal: new AbortController().signal,
  } as unknown as Call;
  const handlers: Record<string, RowHandler> = {
    ...complianceNotifications(deps.compliance, {
      transaction: store.transaction,
      addAll: rows.addAll,
      wake: rows.wake,
    }),
    ...walletNotifications(deps.wallet, store),
    // Who lists are asked about is compliance's affair.
    [rowKinds.tellNames]: async () => undefined,
    [rowKinds.drivePayout]: saga.drive,
    [rowKinds.sendBatch]: batches.send,
    ...createEventPublisher({ events: deps.events }),
  };

  /** As the relay does: takes the row, runs its handler, records what became of it. */
  async function run({ id }: Row, token: string): Promise<void> {
    const row = database.get<Row>(`row:${id}`)!;
    let isClosed = false;
    const complete: RelayContext["complete"] = async (session) => {
      outbox.complete(id, token, session);
      isClosed = true;
    };
    const signal = new AbortController().signal;
    const context: RelayContext = { signal, attempt: row.attempts, log: silentLog, complete };
    try {
      await handlers[row.kind]!(row, context);
    } catch (error) {
      await deps.schedule.step(process);
      giveBack(id, token, error as Error);
      return;
    }
    if (isClosed) return;
    await deps.schedule.step(process);
    if (database.get<Row>(`row:${id}`)?.token === token) outbox.complete(id, token);
  }

  function giveBack(id: string, token: string, error: Error): void {
    const row = database.get<Row>(`row:${id}`)!;
    if (row.state !== "DUE" || row.token !== token) return;
    const isDefinite = error instanceof Refusal && !worthAnotherTry.includes(error.code);
    const state = isDefinite || row.attempts > 60 ? "PARKED" : "DUE";
    const dueAt = now() + Math.min(15_000, 250 * 2 ** Math.min(row.attempts, 8));
    outbox.put({ ...row, state, dueAt, token: "", leasedUntil: 0, lastError: error.message });
  }

  /**
   * One transaction of the store that decides on the transaction and writes the step, as the
   * handlers of its rpcs do.
   */
  function write(
    id: string,
    by: By,
    decide: (now: Transaction, session: Session) => Step | undefined,
    readBack: () => Promise<true | undefined>,
  ): Promise<true> {
    return store.transaction<true>(async (session) => {
      const before = (await store.forTenant(tenantId).findTransaction(id, session)) as Transaction;
      const step = decide(before, session);
      if (step !== undefined) await steps.write(tenantId, before, step, by, session);
      return true;
    }, readBack);
  }

  async function change(id: string, actor: string, decide: (now: Transaction) => Change | undefined): Promise<void> {
    for (;;) {
      const before = (await store.forTenant(tenantId).findTransaction(id)) as Transaction;
      const step = decide(before);
      if (step === undefined) return;
      if (await store.forTenant(tenantId).change(before, step, { at: clock.now(), actor })) return;
    }
  }

  return {
    process,
    run,
    claim: (id: string, ask: ClaimRequest) =>
      change(id, "wallet", (transaction) => claim(transaction, ask, clock.now())),
    release: (id: string, paymentId: string) => change(id, "wallet", (one) => release(one, paymentId, "refused")),

    markPaid: (id: string, paymentId: string) =>
      write(
        id,
        { actor: "wallet", interactionId: "i-1" },
        (transaction) => {
          const step = markPaid(transaction, paymentId, clock.now(), "i-1");
          const drive = step?.stopped === undefined ? ({ at: clock.now() } as const) : "NONE";
          return step && { change: step, drive, events: ["RESERVATION_CONFIRMED"] };
        },
        async () => ((await store.forTenant(tenantId).findTransaction(id))?.paidAt === undefined ? undefined : true),
      ),

    cancel: (id: string, key: string) =>
      write(
        id,
        { actor: "sender", interactionId: key },
        (transaction, session) => {
          database.set(`answer:${key}`, true, snapshotOf(session));
          return cancel(transaction, "cancelled by the sender", clock.now());
        },
        async () => database.get<true>(`answer:${key}`),
      ),

    /** As the handler does: what is wanted, the lists, and then the names; refused is over. */
    async amend(id: string, accountHolderName: string): Promise<void> {
      const key = `amend ${accountHolderName}`;
      const found = (await store.forTenant(tenantId).findTransaction(id)) as Transaction;
      const now = clock.now();
      const terms = { amendmentId: key, status: "ASKED", reason: "", askedBy: "u1", askedAt: now } as const;
      try {
        const amendment = { ...terms, ...wantedNames(found, { accountHolderName }) };
        await deps.schedule.step(process);
        await write(
          id,
          { actor: "sender", interactionId: key },
          (transaction, session) => {
            const step = applyAmendment(transaction, amendment, clock.now());
            database.set(`answer:${key}`, true, snapshotOf(session));
            return step;
          },
          async () => database.get<true>(`answer:${key}`),
        );
      } catch (error) {
        if (!(error instanceof Refusal) || (error.code !== "STATE_CONFLICT" && error.code !== "INVALID_INPUT"))
          throw error;
      }
    },

    callback: (id: string, callbackId: string, status: PartnerPayout["status"]) =>
      write(
        id,
        { actor: "payout partner" },
        (transaction, session) => {
          if (database.get(`callback:${callbackId}`, snapshotOf(session)) !== undefined) return undefined;
          database.set(`callback:${callbackId}`, true, snapshotOf(session));
          return hint(transaction, status, clock.now());
        },
        async () => undefined,
      ),

    /** The rpcs of compliance, the real ones. */
    block: (id: string, blockId: string) =>
      blocks.blockTransactions({ blockId, customerId: "", recipientCode: "", transactionIds: [id] }, asCompliance),
    releaseBlock: (blockId: string, outcome: ReleaseOutcome) =>
      blocks.releaseBlockedTransactions({ blockId, outcome }, asCompliance),

    resume: () => blocks.resumeHeldPayouts({ customerId: "c1" }, asCompliance),

    /** What the statement says of a payout that came back. */
    async readReturn(id: string): Promise<void> {
      await steps.make(tenantId, id, (one) => hint(one, "RETURNED", clock.now()), { actor: "payout partner" });
    },

    expire: (id: string) =>
      store.transaction(
        async (session) => {
          const tenant = store.forTenant(tenantId);
          const before = (await tenant.findTransaction(id, session)) as Transaction;
          if (!isOverdue(before, clock.now())) return true;
          const by = { at: clock.now(), actor: "remittance" };
          const [after] = (await tenant.changeAll([before], notPaidInTime, by, session)) as [Transaction];
          const cause = { tenantId, interactionId: "expiry", actor: "remittance" };
          await rows.add(releaseTogether(cause, id, [{ transactionId: id, version: after.version }]) as never, session);
          return true;
        },
        async () => undefined,
      ),
  };
}
