import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import type { AgentSettlement, AgentSettlementStatus } from "../domain/agent-settlement.js";
import type { Session } from "./collections.js";

interface OfAgent {
  readonly agentId: string;
  readonly currency: string;
}

export function agentSettlementStore(settlements: RecordCollection<AgentSettlement, "settlementId">) {
  return {
    insertAgentSettlement: (settlement: AgentSettlement, session: Session): Promise<void> =>
      settlements.insertOne(settlement, { session }),
    findAgentSettlement: (settlementId: string, session?: Session): Promise<AgentSettlement | undefined> =>
      settlements.findOne({ _id: settlementId }, { session }),
    /** Without those that were cancelled. */
    async newestAgentSettlement(
      { agentId, currency }: OfAgent,
      session: Session,
    ): Promise<AgentSettlement | undefined> {
      const filter = { agentId, currency, number: { $exists: true } };
      return (await settlements.find(filter as never, { sort: { number: -1 }, limit: 1, session }))[0];
    },
    agentSettlementOf: ({ agentId, currency }: OfAgent, number: number): Promise<AgentSettlement | undefined> =>
      settlements.findOne({ agentId, currency, number }),
    /** The newest first. */
    listAgentSettlements(
      fit: Partial<OfAgent> & { status?: AgentSettlementStatus },
      before: string,
      limit: number,
    ): Promise<AgentSettlement[]> {
      const filter = { ...fit, ...(before !== "" && { _id: { $lt: before } }) };
      return settlements.find(filter as never, { sort: { _id: -1 }, limit });
    },
    /** As it then is; undefined unless it was as it is said to have been. */
    moveAgentSettlement(
      { settlementId, status, version }: Pick<AgentSettlement, "settlementId" | "status" | "version">,
      change: Partial<AgentSettlement>,
      session: Session,
      gone: readonly (keyof AgentSettlement)[] = [],
    ): Promise<AgentSettlement | undefined> {
      const update = {
        $set: { ...change, version: version + 1 },
        ...(gone.length > 0 && { $unset: Object.fromEntries(gone.map((field) => [field, true])) }),
      };
      const was = { _id: settlementId, status, version };
      return settlements.findOneAndUpdate(was, update as never, { session, returnDocument: "after" });
    },
    /** False unless it is CLOSING and has taken so many. */
    async noteTaken(settlementId: string, before: number, added: number, session: Session): Promise<boolean> {
      const was = { _id: settlementId, status: "CLOSING" as const, taken: before };
      return (await settlements.updateOne(was, { $set: { taken: before + added } }, { session })).matchedCount === 1;
    },
    async noteWaitsFor(
      settlementId: string,
      waiting: Required<Pick<AgentSettlement, "waitsFor" | "counted">>,
    ): Promise<void> {
      await settlements.updateOne({ _id: settlementId, status: "CLOSING" }, { $set: waiting });
    },
    /** All that it had taken is open again. */
    async noteReleased(settlementId: string): Promise<void> {
      await settlements.updateOne({ _id: settlementId, isReleasing: true }, { $unset: { isReleasing: true as const } });
    },
    /** Whether one that was cancelled still has lines. */
    async areLinesReleased({ agentId, currency }: OfAgent, session: Session): Promise<boolean> {
      return (await settlements.find({ agentId, currency, isReleasing: true }, { limit: 1, session })).length === 0;
    },
    /** Those with moved lines that no settlement has taken over, by number. */
    movedOpenOf: ({ agentId, currency }: OfAgent, session: Session): Promise<AgentSettlement[]> =>
      settlements.find({ agentId, currency, isMovedOpen: true }, { sort: { number: 1 }, session }),
    /** Another settlement has all that they moved on by now: what follows is the next one's. */
    async carryMoved(moved: readonly AgentSettlement[], session: Session): Promise<void> {
      for (const { settlementId, movedOn = [] } of moved) {
        const change = { $set: { carriedCount: movedOn.length }, $unset: { isMovedOpen: true as const } };
        await settlements.updateOne({ _id: settlementId }, change, { session });
      }
    },
  };
}
