import type { ClientSession, Connection } from "mongoose";
import { createBatcher } from "../batching/batcher.js";
import { runInSharedSession } from "./shared-session.js";
import { inTransaction } from "./transaction.js";

interface Transaction {
  readonly work: (session: ClientSession) => Promise<unknown>;
  readonly readBack: () => Promise<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export type SharedTransactions = ReturnType<typeof createSharedTransactions>;

/**
 * Transactions that several callers share: a commit costs MongoDB a write of its journal, and every
 * step a round trip, whether for one or for fifty (docs/decisions/0009). When one of them fails,
 * each runs again in a transaction of its own: sharing changes what a step costs and nothing else.
 */
export function createSharedTransactions(db: Connection) {
  const batcher = createBatcher<Transaction>({
    maxBatchSize: 64,
    // A second would only split those that wait: a batch's cost hardly grows with its size.
    maxInFlight: 1,
    minBatchSize: 8,
    run: (_batchKey, transactions) => commit(transactions),
  });

  function runSingle({ work, readBack, resolve, reject }: Transaction): Promise<void> {
    return inTransaction(db, work, { readBack }).then(resolve, reject);
  }

  async function commit(transactions: readonly Transaction[]): Promise<void> {
    const [first] = transactions;
    if (transactions.length === 1 && first !== undefined) return runSingle(first);
    let results: unknown[];
    try {
      results = await runBatch(transactions);
    } catch {
      // Each runs alone, so only the one at fault meets its fault.
      await Promise.all(transactions.map(runSingle));
      return;
    }
    for (const [index, { resolve }] of transactions.entries()) resolve(results[index]);
  }

  function runBatch(transactions: readonly Transaction[]): Promise<unknown[]> {
    const works = transactions.map(({ work }) => work);
    return inTransaction<unknown[]>(db, (session) => runInSharedSession(session, works), {
      // A batch commits as one, so its results stand only where every member reads back.
      readBack: async () => {
        const found = await Promise.all(transactions.map(({ readBack }) => readBack()));
        return found.every((one) => one !== undefined) ? found : undefined;
      },
      deadlineMs: 0,
    });
  }

  return {
    /**
     * As inTransaction, shared with others of the same batch key, which stands for works that take
     * the same steps. `work` only writes, a document each time, through guarded collections;
     * whatever it decides on is in the filters of its writes. One that reads in its session is
     * right too, and breaks its batch up. It may run twice, and waits for nobody else.
     */
    run<T>(
      batchKey: string,
      work: (session: ClientSession) => Promise<T>,
      { readBack }: { readBack: () => Promise<T | undefined> },
    ): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        batcher.add(batchKey, { work, readBack, resolve: resolve as (result: unknown) => void, reject });
      });
    },
  };
}
