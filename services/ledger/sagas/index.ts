import { createSettlementSaga, type SettlementSagaDeps } from "./settlement.js";
import { createLineGathering } from "./settlement-lines.js";

export type Settlements = ReturnType<typeof createSettlements>;

/** What rows go on with of settlements. */
export const createSettlements = (deps: SettlementSagaDeps) => ({
  ...createSettlementSaga(deps),
  ...createLineGathering(deps),
});
