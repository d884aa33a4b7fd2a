import type { PayoutBatch } from "../../../services/remittance/domain/payout-batch.js";
import {
  changed,
  type Change,
  type StatusChange,
  type Transaction,
} from "../../../services/remittance/domain/transaction.js";
import type { BlockSelection } from "../../../services/remittance/store/blocked-transactions.js";
import type { Release } from "../../../services/remittance/store/block-orders.js";
import type { RemittanceStore, Session } from "../../../services/remittance/store/index.js";
import { snapshotOf } from "./database.js";
import type { ReplicaDeps } from "./replica.js";
import type { Process } from "./schedule.js";

interface Order {
  laid: number;
  released?: Release;
}

/**
 * As remittance's store, as far as a transaction's payout goes. Outside a session every access
 * waits for its turn.
 */
export function createStore(
  { schedule, database }: Pick<ReplicaDeps, "schedule" | "database">,
  process: Process,
): RemittanceStore {
  const turn = async (session: unknown) => {
    if (session === undefined) await schedule.step(process);
    return snapshotOf(session);
  };
  const batchKey = (id: string) => `batch:${id}`;
  const tenant = {
    async findTransaction(id: string, session?: unknown) {
      return database.get<Transaction>(`transaction:${id}`, await turn(session));
    },
    async change(before: Transaction, change: Change, by: Pick<StatusChange, "at" | "actor">, session?: unknown) {
      const snapshot = await turn(session);
      const key = `transaction:${before.transactionId}`;
      if (database.get<Transaction>(key, snapshot)?.version !== before.version) return undefined;
      const after = changed(before, change, by);
      database.set(key, after, snapshot);
      return after;
    },
    async changeAll(
      all: readonly Transaction[],
      change: Change,
      by: Pick<StatusChange, "at" | "actor">,
      session: unknown,
    ): Promise<Transaction[]> {
      const snapshot = await turn(session);
      return all.map((before) => {
        const after = changed(before, change, by);
        database.set(`transaction:${before.transactionId}`, after, snapshot);
        return after;
      });
    },
    async listTransactions({ batchId }: { batchId: string }) {
      const all = database.all<Transaction>("transaction:", await turn(undefined));
      return all.filter(({ payout }) => payout?.batchId === batchId);
    },
    async findOpenBatch({ currency }: Pick<PayoutBatch, "currency">, session: unknown) {
      const open = (batch: PayoutBatch) => batch.state === "OPEN" && batch.currency === currency;
      return database.all<PayoutBatch>("batch:", await turn(session)).find(open);
    },
    async findBatch(id: string) {
      return database.get<PayoutBatch>(batchKey(id), await turn(undefined));
    },
    async insertBatch(batch: PayoutBatch, session: unknown) {
      database.set(batchKey(batch.batchId), batch, await turn(session));
    },
    async countIn(id: string, session: unknown) {
      const snapshot = await turn(session);
      const batch = database.get<PayoutBatch>(batchKey(id), snapshot);
      if (batch?.state !== "OPEN") return undefined;
      database.set(batchKey(id), { ...batch, count: batch.count + 1 }, snapshot);
      return batch.count + 1;
    },
    async setBatchState(id: string, before: PayoutBatch["state"], state: PayoutBatch["state"], session?: unknown) {
      const snapshot = await turn(session);
      const batch = database.get<PayoutBatch>(batchKey(id), snapshot);
      if (batch?.state === before) database.set(batchKey(id), { ...batch, state }, snapshot);
    },
  };
  const blocks = {
    async orderBlock(blockId: string) {
      const snapshot = await turn(undefined);
      if (database.get(`block:${blockId}`) === undefined) database.set(`block:${blockId}`, { laid: 0 }, snapshot);
    },
    async mayLay(blockId: string, session: unknown) {
      const snapshot = await turn(session);
      const order = database.get<Order>(`block:${blockId}`, snapshot)!;
      if (order.released !== undefined) return false;
      database.set(`block:${blockId}`, { ...order, laid: order.laid + 1 }, snapshot);
      return true;
    },
    async orderRelease(blockId: string, released: Release) {
      const snapshot = await turn(undefined);
      const { laid, released: before = released } = database.get<Order>(`block:${blockId}`) ?? { laid: 0 };
      database.set(`block:${blockId}`, { laid, released: before }, snapshot);
      return before;
    },
    async idsToBlock({ transactionIds }: BlockSelection) {
      await turn(undefined);
      return [...transactionIds];
    },
    async isBeingCreated() {
      await turn(undefined);
      return false;
    },
    async waitingPayoutsOf() {
      const all = database.all<Transaction>("transaction:", await turn(undefined));
      return all.filter(({ payout }) => payout?.heldAt !== undefined).map(({ transactionId }) => transactionId);
    },
    async listBlocked(blockId: string) {
      const all = database.all<Transaction>("transaction:", await turn(undefined));
      return all.filter(({ block }) => block?.by.some((one) => one.blockId === blockId));
    },
  };
  const store = {
    forTenant: () => ({ ...tenant, ...blocks }),
    transaction: <T>(work: (session: Session) => Promise<T>, readBack: () => Promise<T | undefined>) =>
      database.transaction(process, (snapshot) => work(snapshot as unknown as Session), readBack),
  };
  return store as unknown as RemittanceStore;
}
