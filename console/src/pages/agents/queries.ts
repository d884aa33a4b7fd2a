import { api } from "../../lib/api";
import { isStatus, read } from "../../lib/queries";

/** How somebody sells; null where nothing is set, and limits of cash alone hold. */
export function configurationQuery(agentId: string) {
  return read("wallets", "readAgentConfiguration", { agentId }, async (options) => {
    try {
      return await api.agents.readAgentConfiguration(agentId, options);
    } catch (error) {
      if (isStatus(error, 404)) return null;
      throw error;
    }
  });
}

export function accountsQuery(agentId: string) {
  return read(
    "wallets",
    "readAgentAccounts",
    { agentId },
    async (options) => (await api.agents.readAgentAccounts(agentId, options)).accounts,
  );
}

export function plansQuery() {
  return read("wallets", "listCommissionPlans", { all: true }, (options) =>
    api.agents.listCommissionPlans({}, options).toArray({ max: 500 }),
  );
}

/** What a change of agents makes stale. */
export const agentStales = ["wallets", "approvals", "home"] as const;
