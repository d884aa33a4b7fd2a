import type { Money } from "../../kernel/money.js";
import type { OwnPartner } from "../../platform/banks/own-partner.js";
import { agentAccount } from "./agent-accounts.js";
import type { NewAgentLine } from "./agent-line.js";
import type { OwnAccount } from "./movement.js";
import { bankSettlement, withinLine, type PlannedTransfer } from "./transfers.js";

export const floatDirections = ["TOP_UP", "TAKE_BACK"] as const;
/** Into an agent's account, or out of what is prefunded in it. */
export type FloatDirection = (typeof floatDirections)[number];

/** Money between a bank of the tenant and an agent's account. */
export interface FloatMove {
  readonly agentId: string;
  readonly direction: FloatDirection;
  readonly amount: Money;
  /** The bank's. */
  readonly reference: string;
  readonly at?: OwnPartner;
}

/** What it needs in the ledger. */
export function accountsOfFloat({ agentId, amount: { currency }, at }: FloatMove): OwnAccount[] {
  return [agentAccount("ACCOUNT", { agentId, currency }), bankSettlement(currency, at)];
}

/** Bank → account, or account → bank within what was set aside for it. */
export function transferOfFloat(movementId: string, move: FloatMove, lineMinor: bigint): PlannedTransfer {
  const { direction, amount, reference } = move;
  const [account, bank] = accountsOfFloat(move).map(({ accountId }) => accountId) as [string, string];
  const isIn = direction === "TOP_UP";
  return {
    key: `agent-float:${movementId}`,
    debitAccountId: isIn ? bank : account,
    creditAccountId: isIn ? account : bank,
    amount,
    kind: isIn ? "agent_top_up" : "agent_take_back",
    description: `${isIn ? "Prefunded by an agent" : "Given back to an agent"} ${reference}`,
    ...(!isIn && withinLine(lineMinor)),
  };
}

export function lineOfFloat(
  movementId: string,
  { agentId, direction, amount: { minor, currency } }: FloatMove,
  { day, bookedAt }: { day: string; bookedAt: Date },
): NewAgentLine {
  return {
    lineId: `topup:${movementId}`,
    agentId,
    currency,
    kind: "TOP_UP",
    account: "ACCOUNT",
    amountMinor: direction === "TOP_UP" ? minor : -minor,
    businessDay: day,
    at: bookedAt,
  };
}
