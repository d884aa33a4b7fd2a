import { Refusal } from "../../kernel/refusal.js";
import { agentAccount } from "./agent-accounts.js";
import type { NewAgentLine } from "./agent-line.js";
import { hasAccountIn, type AgentConfiguration } from "./agent.js";
import type { OwnAccount } from "./movement.js";
import { withinLine, type PlannedTransfer } from "./transfers.js";

/** Money of one agent that is set aside for another: the giver's until it is accepted. */
export interface AgentTransfer {
  readonly transferId: string;
  /** User id, as all of them. */
  readonly giverId: string;
  readonly receiverId: string;
  readonly currency: string;
  readonly amountMinor: bigint;
  readonly status: "OFFERED" | "ACCEPTING" | "ACCEPTED" | "DECLINED" | "WITHDRAWN";
  readonly offeredAt: Date;
  readonly endedAt?: Date;
  /** Who took it back or declined it; a manager may. */
  readonly endedBy?: string;
}

/** The giver's account, and the receiver's. */
export function accountsOfTransfer({ giverId, receiverId, currency }: AgentTransfer): [OwnAccount, OwnAccount] {
  const of = (agentId: string) => agentAccount("ACCOUNT", { agentId, currency });
  return [of(giverId), of(receiverId)];
}

/** Within what was set aside of the giver's: `lineMinor` is theirs. */
export function transferOfAgents(transfer: AgentTransfer, movementId: string, lineMinor: bigint): PlannedTransfer {
  const [from, to] = accountsOfTransfer(transfer);
  const { amountMinor: minor, currency } = transfer;
  return {
    // Of the movement: one that the ledger refused does not decide about the next.
    key: `agent-transfer:${movementId}`,
    debitAccountId: from.accountId,
    creditAccountId: to.accountId,
    amount: { minor, currency },
    kind: "agent_transfer",
    description: "From one agent to another",
    ...withinLine(lineMinor),
  };
}

export function linesOfTransfer(
  { transferId, giverId, receiverId, currency, amountMinor }: AgentTransfer,
  { day: businessDay, bookedAt: at }: { day: string; bookedAt: Date },
): NewAgentLine[] {
  const shared = { currency, account: "ACCOUNT", businessDay, at } as const;
  return [
    {
      ...shared,
      lineId: `transfer:${transferId}:out`,
      agentId: giverId,
      kind: "TRANSFER_OUT",
      amountMinor: -amountMinor,
    },
    { ...shared, lineId: `transfer:${transferId}:in`, agentId: receiverId, kind: "TRANSFER_IN", amountMinor },
  ];
}

/** Refuses NOT_FOUND where they have no account that money can be given to. */
export function assertMayReceive(agent: AgentConfiguration | undefined, currency: string): void {
  if (agent?.status === "ACTIVE" && hasAccountIn(agent, currency)) return;
  throw new Refusal("NOT_FOUND", `the receiver has no account in ${currency}`);
}
