import type { Connection } from "mongoose";
import { crashPoint } from "../../kernel/process/crash-point.js";
import { passing, Refusal } from "../../kernel/refusal.js";
import type { BusinessTime } from "../../platform/preferences/business-clock.js";
import { dayText, noonIn, type Day } from "../domain/days.js";
import { soleAccount } from "../domain/own-accounts.js";
import { yearEndGroups } from "../domain/year-end.js";
import type { OwnPosting } from "../journal/own-posting.js";
import type { LedgerStore } from "../store/index.js";
import { resultsAt } from "../store/results.js";
import { readSnapshot } from "../store/snapshot.js";

export interface YearEndDeps {
  readonly db: Connection;
  readonly store: Pick<LedgerStore, "forTenant">;
  readonly ownPosting: OwnPosting;
}

interface YearEndCall {
  readonly tenantId: string;
  readonly interactionId: string;
  readonly createdBy: string;
  readonly time: BusinessTime;
  readonly deadline?: Date | undefined;
}

// Rounds are used up by what came in after one, and by years that were opened again.
const maxRounds = 1_000;

/**
 * Moves what a year has earned and spent to retained earnings, on its last day. Each round posts
 * once under its keys, whoever repeats it; the next one moves what has come in since.
 */
export function createYearEnd({ db, store, ownPosting }: YearEndDeps) {
  return async function moveResult(lastDay: Day, call: YearEndCall): Promise<void> {
    const { tenantId, interactionId, createdBy, time, deadline } = call;
    const year = dayText(lastDay).slice(0, 4);
    const effectiveAtMs = noonIn(time.timeZone, lastDay);
    for (let round = 0; round < maxRounds; round++) {
      const results = await readSnapshot(db, (session) => resultsAt(db, tenantId, lastDay, session));
      if (results.length === 0) return;
      const currencies = new Set(results.map(({ account }) => account.currency));
      const kept = [...currencies].map((currency) => soleAccount("retained_earnings", currency, time.now()));
      await store.forTenant(tenantId).ensureAccounts(kept);
      for (const transfers of yearEndGroups(results, { year, round, effectiveAtMs })) {
        const [decided] = await ownPosting.post(tenantId, [{ transfers, createdBy, interactionId }], { deadline });
        crashPoint("ledger.closing.year-moved");
        const refusal = decided?.refused;
        // Another try has posted under this round's keys before more came in.
        if (refusal?.code === "KEY_REUSED") break;
        if (refusal !== undefined) throw new Refusal("STATE_CONFLICT", `the year's result stays: ${refusal.message}`);
      }
    }
    throw passing("STATE_CONFLICT", `more is posted to ${year} than can be moved: try again`);
  };
}
