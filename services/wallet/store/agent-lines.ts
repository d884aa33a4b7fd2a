import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import type { AgentLine, AgentLinePlace, NewAgentLine } from "../domain/agent-line.js";
import type { Session } from "./collections.js";

/** `isOpen` while no settlement has taken it. */
export type StoredAgentLine = AgentLine & { isOpen?: true };

export function agentLineStore(lines: RecordCollection<StoredAgentLine>) {
  const asLine = ({ isOpen: _isOpen, ...line }: StoredAgentLine): AgentLine => line;
  return {
    /** Throws where one of them is there: what they are of ends once. */
    async insertAgentLines(added: readonly NewAgentLine[], session: Session): Promise<void> {
      if (added.length === 0) return;
      await lines.insertMany(
        added.map((line) => ({ ...line, isOpen: true as const })),
        { session },
      );
    },
    /** Of an agent and currency, the newest first, behind a place where one is named. */
    async listAgentLines(
      { agentId, currency }: { agentId: string; currency: string },
      before: AgentLinePlace | undefined,
      limit: number,
    ): Promise<AgentLine[]> {
      const behind = before && {
        $or: [{ at: { $lt: before.at } }, { at: before.at, lineId: { $lt: before.lineId } }],
      };
      const filter = { agentId, currency, ...behind };
      return (await lines.find(filter as never, { sort: { at: -1, lineId: -1 }, limit })).map(asLine);
    },
  };
}
