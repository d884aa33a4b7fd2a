import type { CustomerMoves } from "../../../platform/neighbours/customer-moves.js";
import type { Clock } from "../../../kernel/time/clock.js";
import type { Outbox } from "../../../kernel/outbox/index.js";
import type { Compliance, Identity, Remittance } from "../../clients/neighbours.js";
import type { Posting } from "../../clients/posting.js";
import type { MovementKind } from "../../domain/movement.js";
import type { WalletStore } from "../../store/index.js";
import { agentFloatRules } from "./agent-float.js";
import { agentPayoutRules } from "./agent-payout.js";
import { agentTransferRules } from "./agent-transfer.js";
import { cashRules } from "./cash.js";
import { cashOrderRules } from "./cash-order.js";
import { counterPayableRules } from "./counter-payable.js";
import { creditRules } from "./credit.js";
import { debitRules } from "./debit.js";
import { depositRules } from "./deposit.js";
import { exchangeRules } from "./exchange.js";
import { handOverRules } from "./hand-over.js";
import { holdRules } from "./hold.js";
import { pickupRules } from "./pickup.js";
import { refundRules } from "./refund.js";
import type { RulesOf } from "./rules.js";
import { tillRules } from "./till.js";
import { vaultRules } from "./vault.js";

/** What each kind of movement answers, and what it writes beside itself. */
export function createMovementRules(deps: {
  store: WalletStore;
  compliance: Pick<Compliance, "checkWalletPayment" | "checkCash">;
  remittance: Pick<Remittance, "handOutCash" | "getExchangeRate">;
  identity: Pick<Identity, "getOrganisationPreference">;
  moves: CustomerMoves;
  clock: Clock;
  outbox: Pick<Outbox, "add">;
  posting: Posting;
  crashPoint: (name: string) => void;
}): RulesOf<MovementKind> {
  return {
    ...debitRules,
    ...depositRules(deps.crashPoint),
    ...tillRules(deps.store),
    ...cashRules(deps),
    ...pickupRules(deps),
    ...counterPayableRules(deps),
    ...vaultRules(deps.store),
    ...agentFloatRules(deps),
    ...agentTransferRules(deps),
    ...agentPayoutRules(deps),
    ...handOverRules(deps.store),
    ...cashOrderRules(deps.store, deps.crashPoint),
    ...holdRules(deps),
    ...exchangeRules(deps),
    ...creditRules(deps.store),
    ...refundRules(deps),
  };
}
