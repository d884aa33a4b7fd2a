import type { Connection } from "mongoose";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import { blocker, countBlocker, type CountBlockers } from "../../platform/closing/close-blockers.js";
import { dayText, parseDay, type Day } from "../domain/days.js";
import type { ManualJournal } from "../domain/manual-journal.js";
import { openSettlementStatuses, type Settlement } from "../domain/settlement.js";
import { collections } from "./collections.js";
import { createUnrevaluedDays } from "./unrevalued-days.js";

/**
 * Of the ledger itself: what people enter for days until then and is not posted, and days with
 * positions that no revaluation fits.
 */
export function countLedgerBlockers(db: Connection): CountBlockers {
  const settlements = recordCollection<Settlement>(db, collections.settlements);
  const journals = recordCollection<ManualJournal>(db, collections.manualJournals);
  const unrevalued = createUnrevaluedDays(db);
  return async ({ tenantId }, { throughDate }) => [
    await countBlocker(settlements.forTenant(tenantId), "SETTLEMENTS_OPEN", {
      filter: { status: { $in: [...openSettlementStatuses] }, valueDay: { $lte: parseDay(throughDate)! } },
      sort: { _id: 1 },
      at: ({ askedAt }) => askedAt,
    }),
    await countBlocker(journals.forTenant(tenantId), "JOURNALS_OPEN", {
      // One that nobody was asked about is nobody's to decide: a repeat of its request asks.
      filter: {
        valueDate: { $lte: throughDate },
        $or: [{ status: "APPROVED" }, { status: "PROPOSED", approvalId: { $exists: true } }],
      },
      sort: { _id: 1 },
      at: ({ askedAt }) => askedAt,
    }),
    daysMissing(await unrevalued(tenantId, parseDay(throughDate)!)),
  ];
}

function daysMissing(days: readonly Day[]) {
  const [first] = days;
  return first === undefined
    ? undefined
    : blocker("REVALUATION_MISSING", days.length, new Date(`${dayText(first)}T00:00:00Z`));
}
