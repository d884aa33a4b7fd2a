import type { OutcomeHandler } from "../../platform/approvals/approval-outcomes.js";
import type { ApprovalKind } from "../../platform/approvals/approvals.js";
import type { Outbox } from "../../kernel/outbox/index.js";
import { agentOutcome } from "./agent-outcomes.js";
import { agentFloatOutcome } from "./agent-float-outcome.js";
import { agentSettlementOutcome } from "./agent-settlement-outcome.js";
import { cashInOutcome } from "./cash-in-approval.js";
import { cashOrderOutcome } from "./cash-order-outcome.js";
import { tillClosingOutcome } from "./till-closing-outcome.js";
import { limitOutcome } from "./limit-outcomes.js";
import { refundOutcome } from "./refund-approval.js";
import { vaultOutcome } from "./vault-outcome.js";

type OutcomeDeps = {
  readonly store: Parameters<typeof refundOutcome>[0];
  readonly limits: Parameters<typeof limitOutcome>[1];
  readonly movements: Parameters<typeof refundOutcome>[1];
  readonly clock: Parameters<typeof refundOutcome>[2];
  readonly outbox: Pick<Outbox, "add">;
};

/** What two people decided, carried out in the transaction that remembers it. */
export function approvalOutcomes({
  store,
  limits,
  movements,
  clock,
  outbox,
}: OutcomeDeps): Partial<Record<ApprovalKind, OutcomeHandler>> {
  return {
    LIMIT_CHANGE: limitOutcome(store, limits),
    REFUND: refundOutcome(store, movements, clock),
    CASH_IN: cashInOutcome(store),
    VAULT_MOVEMENT: vaultOutcome(movements, clock),
    CASH_ORDER: cashOrderOutcome(store, movements, clock),
    AGENT_CHANGE: agentOutcome(store, outbox),
    AGENT_FLOAT: agentFloatOutcome(store, movements, clock),
    SETTLEMENT: agentSettlementOutcome(store, outbox),
    TILL_CLOSING: tillClosingOutcome(store, movements, clock),
  };
}
