import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import { noBalance, type AgentBalance } from "../domain/agent-balance.js";
import type { AgentAndCurrency } from "../domain/agent-accounts.js";
import type { Session } from "./collections.js";

/** What agents' accounts have to spend: one document an agent and currency. */
export function agentBalanceStore(balances: RecordCollection<AgentBalance>) {
  const named = ({ agentId, currency }: AgentAndCurrency) => ({ agentId, currency });
  const change = async (of: AgentAndCurrency, freeMinor: bigint, session: Session, from: object = {}) => {
    const update = { $inc: { freeMinor } as never };
    return (await balances.updateOne({ ...named(of), ...from } as never, update, { session })).matchedCount === 1;
  };
  return {
    /** Before the transaction that takes from it: a document made inside could be made twice. */
    async openAgentBalance(of: AgentAndCurrency): Promise<void> {
      const { agentId: _agentId, currency: _currency, ...empty } = noBalance(of);
      await balances.updateOne(named(of), { $setOnInsert: empty as never }, { upsert: true });
    },
    async findAgentBalance(of: AgentAndCurrency, session?: Session): Promise<AgentBalance> {
      return (await balances.findOne(named(of), { session })) ?? noBalance(of);
    },
    /** Of all currencies. */
    agentBalances: (agentId: string, session?: Session): Promise<AgentBalance[]> =>
      balances.find({ agentId }, { sort: { currency: 1 }, session }),
    /** False where it would come further below zero than the line. */
    takeOfAgent: (of: AgentAndCurrency, minor: bigint, lineMinor: bigint, session: Session): Promise<boolean> =>
      change(of, -minor, session, { freeMinor: { $gte: minor - lineMinor } }),
    /** What was taken and did not leave. */
    async giveBackToAgent(of: AgentAndCurrency, minor: bigint, session: Session): Promise<void> {
      await change(of, minor, session);
    },
    /** That its alarm was told, or that it is over. */
    async markLow(of: AgentAndCurrency, isLow: boolean, session: Session): Promise<void> {
      const update = isLow ? { $set: { isLow: true }, $inc: { told: 1 } } : { $unset: { isLow: true } };
      await balances.updateOne(named(of), update as never, { session });
    },
  };
}
