import { Refusal } from "../../kernel/refusal.js";
import { worksIn, type AgentConfiguration } from "./agent.js";
import { agentAccount, type AgentAndCurrency } from "./agent-accounts.js";
import type { NewAgentLine } from "./agent-line.js";
import { counterPayableAccount, type CounterPayable } from "./counter-payable.js";
import type { OwnAccount } from "./movement.js";
import type { PlannedTransfer } from "./transfers.js";

/** What an agent gave out of their own notes: owed to them until it is settled. */
export interface AgentPayout extends AgentAndCurrency {
  readonly amountMinor: bigint;
  readonly transactionId: string;
  readonly transactionCode: string;
  /** Of a pickup: the business day on which it was asked for, such as "2026-11-30". */
  readonly askedOn?: string;
}

/** One that remittance has not booked yet, as far as the wallet knows. */
export interface UnbookedPickup extends AgentAndCurrency {
  readonly movementId: string;
  readonly transactionCode: string;
  readonly businessDay: string;
}

/** Credited by it, here or by remittance, which makes none. */
export const accountOfPayout = ({ agentId, currency }: AgentAndCurrency): OwnAccount =>
  agentAccount("UNSETTLED", { agentId, currency });

/** The liability → what the agent is owed. */
export function transferOfAgentPayable(payable: CounterPayable, agentId: string, movementId: string): PlannedTransfer {
  const { payableId, amountMinor: minor, currency, transactionCode } = payable;
  return {
    key: `counter-payable:${movementId}`,
    debitAccountId: counterPayableAccount(currency).accountId,
    creditAccountId: accountOfPayout({ agentId, currency }).accountId,
    amount: { minor, currency },
    kind: "counter_payable",
    description: `Paid back in cash ${transactionCode} ${payableId}`,
  };
}

export function lineOfPayout(
  movementId: string,
  { agentId, currency, amountMinor, transactionId, transactionCode }: AgentPayout,
  { day: businessDay, bookedAt: at }: { day: string; bookedAt: Date },
): NewAgentLine {
  const of = { agentId, currency, amountMinor, transactionId, transactionCode };
  return { ...of, lineId: `pickup:${movementId}`, kind: "PICKUP", account: "UNSETTLED", businessDay, at };
}

/** AGENT_LIMIT for a currency that they do not work in: nobody would settle it. */
export function refusedInCurrency(agent: AgentConfiguration, currency: string): Refusal | undefined {
  if (worksIn(agent, currency)) return undefined;
  return new Refusal("AGENT_LIMIT", `you do not work in ${currency}`, { figures: { currency } });
}
