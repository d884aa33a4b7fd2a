import type { CustomerMoves } from "../../platform/neighbours/customer-moves.js";
import { systemClock } from "../../kernel/time/clock.js";
import { createAgentPickups } from "./agent-pickup.js";
import { createAgentSettlements } from "./agent-settlement.js";
import { createCommissions } from "./commission.js";
import { createHeldArrivals } from "./held-arrivals.js";
import { createMovementSaga } from "./movement.js";
import { createMovementRules } from "./movements/index.js";
import { createOpeningSaga } from "./opening.js";
import { createPaymentSaga } from "./payment.js";
import { createTopUpSaga } from "./top-up.js";
import { createWithdrawals } from "./withdrawal.js";

type Deps = Parameters<typeof createPaymentSaga>[0] &
  Parameters<typeof createOpeningSaga>[0] &
  Omit<Parameters<typeof createMovementSaga>[0], "rules"> &
  Parameters<typeof createMovementRules>[0] &
  Parameters<typeof createTopUpSaga>[0] &
  Parameters<typeof createWithdrawals>[0] &
  Parameters<typeof createCommissions>[0] &
  Parameters<typeof createAgentSettlements>[0] &
  Parameters<typeof createAgentPickups>[0] &
  Parameters<typeof createHeldArrivals>[0] & { moves: CustomerMoves };

/** What takes more than one commit. Whatever waits for others goes by real time. */
export function createWalletSagas(deps: Omit<Deps, "heldArrivals">) {
  const heldArrivals = createHeldArrivals({ ...deps, clock: systemClock });
  const all = { ...deps, heldArrivals };
  return {
    heldArrivals,
    payments: createPaymentSaga(all),
    openings: createOpeningSaga(all),
    movements: createMovementSaga({ ...all, rules: createMovementRules(all) }),
    topUps: createTopUpSaga(all),
    commissions: createCommissions(all),
    agentPickups: createAgentPickups(all),
    agentSettlements: createAgentSettlements(all),
    withdrawals: createWithdrawals({ ...all, clock: systemClock }),
  };
}
