import type { AgentTransfer as WireTransfer } from "../../../proto/gen/wallet/v1/agent_accounts.js";
import { moneyToWire } from "../../kernel/money.js";
import type { AgentTransfer } from "../domain/agent-transfer.js";

export function agentTransferToWire(transfer: AgentTransfer): WireTransfer {
  const { transferId, giverId, receiverId, amountMinor: minor, currency, status, offeredAt, endedAt } = transfer;
  return { transferId, giverId, receiverId, amount: moneyToWire({ minor, currency }), status, offeredAt, endedAt };
}
