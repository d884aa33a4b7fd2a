import { AcceptAgentTransferResponse } from "../../../../proto/gen/wallet/v1/agent_accounts.js";
import { passing } from "../../../kernel/refusal.js";
import { assertActive } from "../../domain/agent-sale.js";
import { assertMayReceive, linesOfTransfer } from "../../domain/agent-transfer.js";
import { agentTransferToWire } from "../../wire/agent-transfers.js";
import { noteAgentLines, type AgentLineDeps } from "../agent-lines.js";
import { assertPresent, bookedOf, isDone, type RulesOf } from "./rules.js";

/** What an agent has offered and another accepts: it was set aside when it was offered. */
export function agentTransferRules(deps: AgentLineDeps): RulesOf<"AGENT_TRANSFER"> {
  const { store } = deps;
  return {
    AGENT_TRANSFER: {
      operation: "wallet.v1.AcceptAgentTransfer",
      answer: ({ agentTransfer }, { postedAt: endedAt }) => {
        const transfer = agentTransferToWire({ ...assertPresent(agentTransfer), status: "ACCEPTED", endedAt });
        return AcceptAgentTransferResponse.encode({ transfer }).finish();
      },
      async onBegin(tenantId, { agentTransfer }, session) {
        const wallet = store.forTenant(tenantId);
        const { transferId, giverId, receiverId, currency } = assertPresent(agentTransfer);
        // As a sale does: money of neither moves while they are suspended.
        assertActive(await wallet.agentAtSale(giverId, session));
        const receiver = await wallet.agentAtSale(receiverId, session);
        assertActive(receiver);
        assertMayReceive(receiver, currency);
        if (await wallet.moveAgentTransfer(transferId, "OFFERED", { status: "ACCEPTING" }, session)) return;
        throw passing("STATE_CONFLICT", "it is not offered any more");
      },
      async onEnd(tenantId, { agentTransfer, interactionId, createdBy: actor }, ending, session) {
        const wallet = store.forTenant(tenantId);
        const transfer = assertPresent(agentTransfer);
        const { transferId } = transfer;
        if (!isDone(ending)) {
          await wallet.moveAgentTransfer(transferId, "ACCEPTING", { status: "OFFERED" }, session);
          return;
        }
        const change = { status: "ACCEPTED" as const, endedAt: ending.postedAt };
        await wallet.moveAgentTransfer(transferId, "ACCEPTING", change, session);
        const lines = linesOfTransfer(transfer, bookedOf(ending));
        await noteAgentLines(deps, { tenantId, interactionId, actor }, lines, session);
      },
      // The giver's figures are not the receiver's to read.
      translateRefusal: (refusal) =>
        refusal.code === "INSUFFICIENT_FUNDS" ? passing("STATE_CONFLICT", "the giver's account has changed") : refusal,
    },
  };
}
