import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import { wasReserved, type AgentBalance } from "../domain/agent-balance.js";
import type { AgentLine, AgentLinePlace, NewAgentLine } from "../domain/agent-line.js";
import type { Session } from "./collections.js";

/** `isOpen` while no settlement has taken it. */
export type StoredAgentLine = AgentLine & { isOpen?: true };

interface LineRecords {
  readonly lines: RecordCollection<StoredAgentLine>;
  readonly balances: RecordCollection<AgentBalance>;
}

export function agentLineStore({ lines, balances }: LineRecords) {
  const asLine = ({ isOpen: _isOpen, ...line }: StoredAgentLine): AgentLine => line;

  /** What may be spent goes by the lines of the account itself. */
  async function addToBalance(line: NewAgentLine, session: Session): Promise<void> {
    const { agentId, currency, amountMinor } = line;
    const of = { agentId, currency };
    const freeMinor = wasReserved(line) ? 0n : amountMinor;
    const update = { $inc: { bookedMinor: amountMinor, freeMinor }, $setOnInsert: { floatMinor: 0n } } as never;
    const after = await balances.findOneAndUpdate(of, update, { session, upsert: true, returnDocument: "after" });
    if (amountMinor <= 0n || after === undefined) return;
    await balances.updateOne(of, { $set: { floatMinor: after.bookedMinor } }, { session });
  }

  return {
    /** Throws where one of them is there: what they are of ends once. */
    async insertAgentLines(added: readonly NewAgentLine[], session: Session): Promise<void> {
      if (added.length === 0) return;
      await lines.insertMany(
        added.map((line) => ({ ...line, isOpen: true as const })),
        { session },
      );
      for (const line of added) if (line.account === "ACCOUNT") await addToBalance(line, session);
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
