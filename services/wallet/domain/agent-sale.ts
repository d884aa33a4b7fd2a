import type { Money } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import type { AgentConfiguration } from "./agent.js";
import { limitText } from "./limit-text.js";
import type { DayPart } from "./wallet-daily-limit.js";

/** What an agent is about to sell. */
export interface SoldByAgent {
  readonly total: Money;
  /** Such as USA-NGA. */
  readonly corridor: string;
  readonly method: string;
}

/** Refuses AGENT_SUSPENDED; whoever has no configuration is not suspended. */
export function assertActive(agent: AgentConfiguration | undefined): void {
  if (agent?.status === "SUSPENDED") throw new Refusal("AGENT_SUSPENDED", "you are suspended and sell nothing");
}

/**
 * A sale goes out of a till or of the agent's own account, as they are set. Refuses STATE_CONFLICT.
 */
export function refusedByMode(agent: AgentConfiguration | undefined, isAtTill: boolean): Refusal | undefined {
  const mode = agent?.mode ?? "TILL";
  if ((mode === "TILL") === isAtTill) return undefined;
  return new Refusal("STATE_CONFLICT", mode === "TILL" ? "you sell out of a till" : "you sell from your account");
}

/** AGENT_LIMIT where it is beyond what the agent's configuration lets them sell. */
export function refusedToAgent(
  agent: AgentConfiguration | undefined,
  { total, corridor, method }: SoldByAgent,
): Refusal | undefined {
  if (agent === undefined || agent.isUnset === true) return undefined;
  const { corridors, methods, terms } = agent;
  if (corridors.length > 0 && !corridors.includes(corridor)) {
    return new Refusal("AGENT_LIMIT", `you do not sell ${corridor}`, { figures: { corridor } });
  }
  if (methods.length > 0 && !methods.includes(method)) {
    return new Refusal("AGENT_LIMIT", `you do not sell ${method}`, { figures: { method } });
  }
  const { currency, minor } = total;
  const own = terms.find((one) => one.currency === currency);
  if (own === undefined)
    return new Refusal("AGENT_LIMIT", `you do not sell for ${currency}`, { figures: { currency } });
  const { perTransactionMinor: maxMinor } = own;
  if (maxMinor === undefined || minor <= maxMinor) return undefined;
  const limit = limitText(maxMinor, total);
  return new Refusal("AGENT_LIMIT", `you sell at most ${limit} at once`, { figures: { limit, currency } });
}

/** What a sale takes of the agent's business day; undefined where that has no limit. */
export function agentDayPart(
  agent: AgentConfiguration | undefined,
  amount: Money,
  day: string,
): (DayPart & { maxMinor: bigint }) | undefined {
  const maxMinor = agent?.terms.find(({ currency }) => currency === amount.currency)?.perDayMinor;
  if (agent === undefined || maxMinor === undefined) return undefined;
  return { accountId: agentDayAccount(agent.agentId, amount.currency), day, amount, maxMinor };
}

/** Under which what an agent sells on a day is counted. */
export function agentDayAccount(agentId: string, currency: string): string {
  return `agent:${agentId}:${currency}`;
}
