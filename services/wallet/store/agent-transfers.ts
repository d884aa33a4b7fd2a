import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import type { AgentTransfer } from "../domain/agent-transfer.js";
import type { Session } from "./collections.js";

/** `people` are those who may read it. */
export type StoredAgentTransfer = AgentTransfer & { people: readonly string[] };

export function agentTransferStore(transfers: RecordCollection<StoredAgentTransfer, "transferId">) {
  return {
    insertAgentTransfer: (transfer: AgentTransfer, session: Session): Promise<void> =>
      transfers.insertOne({ ...transfer, people: [transfer.giverId, transfer.receiverId] }, { session }),
    findAgentTransfer: (transferId: string): Promise<AgentTransfer | undefined> =>
      transfers.findOne({ _id: transferId }),
    /** Of one agent, given or received, or of all; the newest first. */
    listAgentTransfers(
      fit: { agentId?: string; openOnly: boolean },
      before: string,
      limit: number,
    ): Promise<AgentTransfer[]> {
      const { agentId, openOnly } = fit;
      const filter = {
        ...(agentId !== undefined && { people: agentId }),
        ...(openOnly && { status: "OFFERED" as const }),
        ...(before !== "" && { _id: { $lt: before } }),
      };
      return transfers.find(filter as never, { sort: { _id: -1 }, limit });
    },
    /** True when this call moved it on. */
    async moveAgentTransfer(
      transferId: string,
      from: AgentTransfer["status"],
      change: Partial<AgentTransfer>,
      session: Session,
    ): Promise<boolean> {
      const moved = await transfers.updateOne({ _id: transferId, status: from }, { $set: change }, { session });
      return moved.matchedCount === 1;
    },
  };
}
