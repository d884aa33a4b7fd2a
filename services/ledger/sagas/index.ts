import { createManualJournalSaga, type ManualJournalSagaDeps } from "./manual-journal.js";
import { createSettlementSaga, type SettlementSagaDeps } from "./settlement.js";
import { createLineGathering } from "./settlement-lines.js";

export type Sagas = ReturnType<typeof createSagas>;

/** What rows go on with. */
export const createSagas = (deps: SettlementSagaDeps & ManualJournalSagaDeps) => ({
  settlements: { ...createSettlementSaga(deps), ...createLineGathering(deps) },
  manualJournals: createManualJournalSaga(deps),
});
