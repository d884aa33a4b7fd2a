import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import { forwardingFlags, unsetAgent, type AgentConfiguration } from "../domain/agent.js";
import type { CommissionPlan } from "../domain/commission-plan.js";
import type { Session } from "./collections.js";

/** The newest of each plan is marked, so that a list of plans is one look. */
export type StoredPlan = CommissionPlan & { isNewest?: true };

/** `sales` have begun: each writes it, so that none passes a suspension unseen. */
export type StoredAgent = AgentConfiguration & { sales?: number };

export function agentStore({
  plans,
  agents,
}: {
  plans: RecordCollection<StoredPlan>;
  agents: RecordCollection<StoredAgent, "agentId">;
}) {
  const asPlan = ({ isNewest: _isNewest, ...plan }: StoredPlan): CommissionPlan => plan;
  return {
    async newestPlan(planId: string, session?: Session): Promise<CommissionPlan | undefined> {
      const found = await plans.findOne({ planId, isNewest: true }, { session });
      return found && asPlan(found);
    },
    async findPlan(planId: string, version: number): Promise<CommissionPlan | undefined> {
      const found = await plans.findOne({ planId, version });
      return found && asPlan(found);
    },
    /** The newest of each, by id. */
    async listPlans(after: string, limit: number): Promise<CommissionPlan[]> {
      const filter = { isNewest: true as const, ...(after !== "" && { planId: { $gt: after } }) };
      return (await plans.find(filter, { sort: { planId: 1 }, limit })).map(asPlan);
    },
    /** All of one, the newest first, before a version where one is named. */
    async listPlanVersions(planId: string, before: number | undefined, limit: number): Promise<CommissionPlan[]> {
      const filter = { planId, ...(before !== undefined && { version: { $lt: before } }) };
      return (await plans.find(filter, { sort: { version: -1 }, limit })).map(asPlan);
    },
    /** In place of the version before as the newest. */
    async insertPlan(plan: CommissionPlan, session: Session): Promise<void> {
      const { planId } = plan;
      await plans.updateMany({ planId, isNewest: true }, { $unset: { isNewest: "" } }, { session });
      await plans.insertOne({ ...plan, isNewest: true }, { session });
    },

    findAgent: (agentId: string, session?: Session): Promise<AgentConfiguration | undefined> =>
      agents.findOne({ _id: agentId }, { session }),
    /**
     * As it is in the transaction of a sale, which conflicts with a change of it that is not
     * committed yet: what is suspended by then is seen, also where nothing was set of them before.
     */
    agentAtSale(agentId: string, session: Session): Promise<AgentConfiguration | undefined> {
      const { agentId: _id, ...unset } = unsetAgent(agentId);
      const update = { $inc: { sales: 1 }, $setOnInsert: unset };
      return agents.findOneAndUpdate({ _id }, update, { session, upsert: true, returnDocument: "after" });
    },
    /** Others than one who have an account in a currency and are not suspended, by id. */
    listReceivers(currency: string, but: string, after: string, limit: number): Promise<AgentConfiguration[]> {
      const filter = {
        _id: { $ne: but, ...(after !== "" && { $gt: after }) },
        mode: "ACCOUNT",
        status: "ACTIVE",
        "terms.currency": currency,
      };
      return agents.find(filter as never, { sort: { _id: 1 }, limit });
    },
    suspendedAmong: async (agentIds: readonly string[]): Promise<ReadonlySet<string>> =>
      new Set((await agents.find({ _id: { $in: [...agentIds] }, status: "SUSPENDED" })).map(({ agentId }) => agentId)),
    /** Those of whom anything is set, or who are suspended. */
    listAgents(after: string, limit: number): Promise<AgentConfiguration[]> {
      const shown = { $or: [{ isUnset: { $exists: false } }, { status: "SUSPENDED" }] };
      const filter = { ...shown, ...(after !== "" && { _id: { $gt: after } }) };
      return agents.find(filter as never, { sort: { _id: 1 }, limit });
    },
    /** True when it was as it is said to have been, and is this from now on. */
    async putAgent(agent: AgentConfiguration, session: Session): Promise<boolean> {
      const { agentId, ...rest } = agent;
      if (agent.version === 1 && (await agents.findOne({ _id: agentId }, { session })) === undefined) {
        await agents.insertOne(agent, { session });
        return true;
      }
      const before = { _id: agentId, version: agent.version - 1 };
      // What is not said any more is the organisation's again.
      const gone = ([...forwardingFlags, "isUnset"] as const).filter((flag) => rest[flag] === undefined);
      const unset = gone.length > 0 && { $unset: Object.fromEntries(gone.map((flag) => [flag, true])) };
      return (await agents.updateOne(before, { $set: rest, ...unset } as never, { session })).matchedCount === 1;
    },
  };
}
