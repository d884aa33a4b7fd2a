import type { ClientSession, Connection } from "mongoose";
import type { Day } from "../domain/days.js";
import type { CodeSums, CodeTotals, createAccountStore } from "./accounts.js";
import { readLongSnapshot } from "./snapshot.js";
import type { SumsStore } from "./sums.js";

interface Stores {
  readonly accounts: ReturnType<typeof createAccountStore>;
  readonly sums: SumsStore;
}

const daysAtOnce = 1_000;

/** Totals of one tenant at the end of an effective date. */
export function createTrialBalance(db: Connection, { accounts, sums }: Stores) {
  /** What accounts moved on later days, each under its code and currency. */
  async function* laterSums(day: Day, session: ClientSession): AsyncIterable<CodeSums> {
    yield* await accounts.openTotalsAfter(day, session);
    for await (const batch of sums.allDaysAfter(day, daysAtOnce, session)) {
      const ids = [...new Set(batch.map(({ accountId }) => accountId))];
      const found = await accounts.findAccounts(ids, session);
      const infoOf = new Map(found.map(({ info }) => [info.accountId, info]));
      for (const { accountId, debitsMinor, creditsMinor } of batch) {
        const info = infoOf.get(accountId);
        if (info !== undefined) yield { code: info.code, currency: info.currency, debitsMinor, creditsMinor };
      }
    }
  }

  return {
    /**
     * What is posted less what is effective on later days, all as of one moment; memory is that of
     * the lines. Days after the date are few where it is recent. Throws SnapshotEnded where they
     * are too many to be read at one moment.
     */
    totalsAtDate: (day: Day): Promise<CodeTotals[]> =>
      readLongSnapshot(db, async (session) => {
        const now = await accounts.totals(undefined, session);
        const lines = new Map(now.map((line) => [`${line.code}/${line.currency}`, line]));
        for await (const { code, currency, debitsMinor, creditsMinor } of laterSums(day, session)) {
          const id = `${code}/${currency}`;
          const line = lines.get(id);
          if (line === undefined) continue;
          lines.set(id, {
            ...line,
            debitsMinor: line.debitsMinor - debitsMinor,
            creditsMinor: line.creditsMinor - creditsMinor,
          });
        }
        return [...lines.values()];
      }),
  };
}
