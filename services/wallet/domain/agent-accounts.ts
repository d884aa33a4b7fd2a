import type { AgentLineAccount } from "./agent-line.js";
import type { OwnAccount } from "./movement.js";
import { ownAccount } from "./payable.js";

/** Whose accounts, and in what. */
export interface AgentAndCurrency {
  /** User id. */
  readonly agentId: string;
  readonly currency: string;
}

const codes = {
  ACCOUNT: { code: "agent_account", name: "Account of the agent" },
  UNSETTLED: { code: "agent_unsettled", name: "Given out and not settled by the agent" },
  COMMISSION: { code: "agent_commission", name: "Commission of the agent" },
} as const;

/** One of an agent's accounts in the ledger; all are liabilities. */
export function agentAccount(of: AgentLineAccount, { agentId, currency }: AgentAndCurrency): OwnAccount {
  const { code, name } = codes[of];
  return { accountId: `${code}:${agentId}:${currency}`, code, currency, name: `${name} ${agentId} ${currency}` };
}

/** What agents' commission costs. */
export const commissionExpense = (currency: string): OwnAccount =>
  ownAccount("commission_expense", currency, "Commission of agents");

/** What another party of a plan's split has earned. */
export function commissionPayable(party: string, currency: string): OwnAccount {
  const code = "commission_payable";
  return { accountId: `${code}:${party}:${currency}`, code, currency, name: `Commission of ${party} ${currency}` };
}
