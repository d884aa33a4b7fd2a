import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import { wasReserved, type AgentBalance } from "../domain/agent-balance.js";
import type { AgentAndCurrency } from "../domain/agent-accounts.js";
import type { AgentLine, AgentLinePlace, NewAgentLine } from "../domain/agent-line.js";
import type { Session } from "./collections.js";

/** `isOpen` while no settlement has taken it. */
export type StoredAgentLine = AgentLine & { isOpen?: true };

/** Its place among those that are open. */
export type OpenLine = Pick<AgentLine, "lineId" | "businessDay">;

interface LineRecords {
  readonly lines: RecordCollection<StoredAgentLine>;
  readonly balances: RecordCollection<AgentBalance>;
}

export function agentLineStore({ lines, balances }: LineRecords) {
  const asLine = ({ isOpen: _isOpen, ...line }: StoredAgentLine): AgentLine => line;

  /**
   * What may be spent goes by the lines of the account itself. Lines that come together are one
   * movement: what passes through to the bank was never there to spend.
   */
  async function addToBalance(
    of: AgentAndCurrency,
    together: readonly NewAgentLine[],
    session: Session,
  ): Promise<void> {
    const sum = (some: readonly NewAgentLine[]) => some.reduce((minor, { amountMinor }) => minor + amountMinor, 0n);
    const bookedMinor = sum(together);
    const freeMinor = sum(together.filter((line) => !wasReserved(line)));
    const update = { $inc: { bookedMinor, freeMinor }, $setOnInsert: { floatMinor: 0n } } as never;
    const after = await balances.findOneAndUpdate(of, update, { session, upsert: true, returnDocument: "after" });
    if (bookedMinor <= 0n || after === undefined) return;
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
      const ofAccounts = added.filter(({ account }) => account === "ACCOUNT");
      for (const together of Map.groupBy(ofAccounts, (line) => `${line.agentId}:${line.currency}`).values()) {
        const { agentId, currency } = together[0]!;
        await addToBalance({ agentId, currency }, together, session);
      }
    },
    /**
     * Of an agent and currency, so many that no settlement has and that are of days before one.
     * From behind a place: what is taken is skipped slowly, as what is deleted is.
     */
    openAgentLines(
      { agentId, currency, to }: { agentId: string; currency: string; to: string },
      after: OpenLine | undefined,
      limit: number,
      session: Session,
    ): Promise<OpenLine[]> {
      const behind = after && [
        { businessDay: after.businessDay, lineId: { $gt: after.lineId } },
        { businessDay: { $gt: after.businessDay, $lt: to } },
      ];
      const filter = { agentId, currency, isOpen: true, ...(behind ? { $or: behind } : { businessDay: { $lt: to } }) };
      const along = { hint: "open_of_agent", sort: { businessDay: 1, lineId: 1 } } as const;
      const options = { ...along, limit, session, projection: { lineId: 1, businessDay: 1 } };
      return lines.find(filter as never, options);
    },
    /** Throws where one of them is not open. */
    async takeAgentLines(lineIds: readonly string[], settlementId: string, session: Session): Promise<void> {
      const open = { lineId: { $in: [...lineIds] }, isOpen: true as const };
      const change = { $set: { settlementId }, $unset: { isOpen: true as const } };
      const { modifiedCount } = await lines.updateMany(open, change, { session });
      if (modifiedCount !== lineIds.length) throw new Error(`settlement ${settlementId} takes lines that are taken`);
    },
    /** Opens so many again that it has; false where it has none. */
    async releaseAgentLines(settlementId: string, limit: number, session: Session): Promise<boolean> {
      const taken = await lines.find(
        { settlementId },
        { hint: "of_settlement", limit, session, projection: { lineId: 1 } },
      );
      if (taken.length === 0) return false;
      const its = { lineId: { $in: taken.map(({ lineId }) => lineId) }, settlementId };
      await lines.updateMany(its, { $set: { isOpen: true as const }, $unset: { settlementId: true } } as never, {
        session,
      });
      return true;
    },
    /** In the order of the statement. */
    streamSettledLines: (settlementId: string): AsyncIterable<AgentLine> =>
      lines.stream({ settlementId }, { sort: { at: 1, lineId: 1 }, hint: "of_settlement" }),
    /** The same, behind a place where one is named. */
    settledLines(settlementId: string, after: AgentLinePlace | undefined, limit: number): Promise<AgentLine[]> {
      const behind = after && { $or: [{ at: { $gt: after.at } }, { at: after.at, lineId: { $gt: after.lineId } }] };
      return lines.find({ settlementId, ...behind } as never, { sort: { at: 1, lineId: 1 }, limit });
    },
    /** The first day with a line that no settlement has; undefined where there is none. */
    async firstOpenDay({ agentId, currency }: AgentAndCurrency, session: Session): Promise<string | undefined> {
      const along = { hint: "open_of_agent", sort: { businessDay: 1, lineId: 1 } } as const;
      return (await lines.find({ agentId, currency, isOpen: true }, { ...along, limit: 1, session }))[0]?.businessDay;
    },
    /** Of those that are named, the ones that it has. */
    settledLinesOf: (settlementId: string, lineIds: readonly string[], session: Session): Promise<AgentLine[]> =>
      lines.find({ settlementId, lineId: { $in: [...lineIds] } }, { session }),
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
