import { formatMoney, type Money } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import type { AgentConfiguration, WrittenConfiguration } from "./agent.js";
import type { AgentAndCurrency } from "./agent-accounts.js";
import type { NewAgentLine } from "./agent-line.js";

/** What an agent's account has to spend in one currency. Minor units. */
export interface AgentBalance extends AgentAndCurrency {
  /** What its lines come to: what the ledger has, once nothing moves. */
  readonly bookedMinor: bigint;
  /**
   * Less what has begun to leave; below zero, so much of the credit line is used. What may be spent
   * goes by this.
   */
  readonly freeMinor: bigint;
  /** Booked when money last came in. */
  readonly floatMinor: bigint;
  /** The alarm was told, and it has not been above it since. */
  readonly isLow?: true;
  /** How many alarms were told. */
  readonly told?: number;
}

export const noBalance = (of: AgentAndCurrency): AgentBalance => ({
  ...of,
  bookedMinor: 0n,
  freeMinor: 0n,
  floatMinor: 0n,
});

/** What of the credit line is used. */
export const usedMinorOf = ({ freeMinor }: Pick<AgentBalance, "freeMinor">): bigint =>
  freeMinor < 0n ? -freeMinor : 0n;

type Lined = Pick<AgentConfiguration, "mode" | "terms">;

/** How far below zero the account may come; nothing where the agent sells out of a till. */
export function creditLineMinorOf(agent: Lined | undefined, currency: string): bigint {
  if (agent?.mode !== "ACCOUNT") return 0n;
  return agent.terms.find((terms) => terms.currency === currency)?.creditLineMinor ?? 0n;
}

/** AGENT_LIMIT with the agent's own figures. */
export function beyondAccount(availableMinor: bigint, asked: Money): Refusal {
  const { currency } = asked;
  const text = (minor: bigint) => formatMoney({ minor, currency });
  return new Refusal("AGENT_LIMIT", `the account has ${text(availableMinor)} ${currency} left`, {
    figures: { available: text(availableMinor), asked: text(asked.minor), currency },
  });
}

/** The ledger's word in those of the agent, with the same figures. */
export function asAgentLimit(refusal: Refusal): Refusal {
  if (refusal.code !== "INSUFFICIENT_FUNDS") return refusal;
  return new Refusal("AGENT_LIMIT", "the account has not so much left", refusal.details);
}

/** The first currency of which more is used than the line would be. */
export function usedBeyond(balances: readonly AgentBalance[], written: Lined): Money | undefined {
  const found = balances.find((one) => usedMinorOf(one) > creditLineMinorOf(written, one.currency));
  return found && { minor: usedMinorOf(found), currency: found.currency };
}

/** Refuses STATE_CONFLICT naming what is used. */
export function assertNotUsed(balances: readonly AgentBalance[], written: WrittenConfiguration): void {
  const used = usedBeyond(balances, written);
  if (used === undefined) return;
  const figures = { used: formatMoney(used), currency: used.currency };
  throw new Refusal("STATE_CONFLICT", `${figures.used} ${figures.currency} of the credit line is used`, { figures });
}

const takenBefore: readonly NewAgentLine["kind"][] = ["SALE", "TRANSFER_OUT", "TOP_UP"];

/** Whether what a line takes was taken from what is free when it began. */
export const wasReserved = ({ kind, amountMinor }: NewAgentLine): boolean =>
  amountMinor < 0n && takenBefore.includes(kind);

/**
 * Whether so much of what may be used is used that it is to be told: of what was there when money
 * last came in, and of the credit line. False where no share is set.
 */
export function isLow({ bookedMinor, floatMinor, currency }: AgentBalance, agent: Lined | undefined): boolean {
  const share = agent?.terms.find((terms) => terms.currency === currency)?.alarmShare;
  if (agent?.mode !== "ACCOUNT" || share === undefined) return false;
  const float = floatMinor > 0n ? floatMinor : 0n;
  const mayBeUsed = float + creditLineMinorOf(agent, currency);
  return (float - bookedMinor) * 100n >= BigInt(share) * mayBeUsed;
}
