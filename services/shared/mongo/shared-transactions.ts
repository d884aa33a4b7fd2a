import type { ClientSession, Connection } from "mongoose";
import { createBatcher } from "../batching/batcher.js";
import { runTogether } from "./shared-session.js";
import { inTransaction } from "./transaction.js";

interface Member {
  readonly work: (session: ClientSession) => Promise<unknown>;
  readonly readBack: () => Promise<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export type SharedTransactions = ReturnType<typeof createSharedTransactions>;

/**
 * Transactions that several callers share: a commit costs MongoDB a write of its journal, and every step a round trip, whether for one or for
 * fifty (docs/decisions/0022). Whatever goes wrong among them, each then has its own transaction, as if it had come alone: sharing changes
 * what a step costs and nothing else.
 */
export function createSharedTransactions(db: Connection) {
  const lanes = createBatcher<Member>({
    maxBatchSize: 64,
    // A second would only part those who wait into smaller ones: what a group costs hardly grows with it.
    maxInFlight: 1,
    minBatchSize: 8,
    run: (_lane, members) => commit(members),
  });

  function alone({ work, readBack, resolve, reject }: Member): Promise<void> {
    return inTransaction(db, work, { readBack }).then(resolve, reject);
  }

  async function commit(members: readonly Member[]): Promise<void> {
    const [first] = members;
    if (members.length === 1 && first !== undefined) return alone(first);
    let results: unknown[];
    try {
      results = await together(members);
    } catch {
      // Whoever was the reason shall meet it alone, and the others shall not.
      await Promise.all(members.map(alone));
      return;
    }
    for (const [index, { resolve }] of members.entries()) resolve(results[index]);
  }

  function together(members: readonly Member[]): Promise<unknown[]> {
    const works = members.map(({ work }) => work);
    return inTransaction<unknown[]>(db, (session) => runTogether(session, works), {
      // All of it was committed, or nothing.
      readBack: async () => {
        const found = await Promise.all(members.map(({ readBack }) => readBack()));
        return found.every((one) => one !== undefined) ? found : undefined;
      },
      deadlineMs: 0,
    });
  }

  return {
    /**
     * As inTransaction, shared with others of the same lane: works of a lane take the same steps. `work` only writes, a document each time,
     * through guarded collections; whatever it decides on is in the filters of its writes. One that reads in its session is right too, and
     * makes all of its group go alone. It may be run twice, and waits for nobody else.
     */
    run<T>(
      lane: string,
      work: (session: ClientSession) => Promise<T>,
      { readBack }: { readBack: () => Promise<T | undefined> },
    ): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        lanes.join(lane, { work, readBack, resolve: resolve as (result: unknown) => void, reject });
      });
    },
  };
}
