import { agentAccount } from "./agent-accounts.js";
import type { AgentLineAccount, NewAgentLine } from "./agent-line.js";
import { duesOf, type AgentPayment, type AgentSettlement } from "./agent-settlement.js";
import type { OwnAccount } from "./movement.js";
import { bankSettlement, withinLine, type PlannedTransfer } from "./transfers.js";

/** One that is paid, or is being paid. */
export type PaidSettlement = Pick<
  AgentSettlement,
  "settlementId" | "agentId" | "currency" | "statement" | "carried" | "movedOn"
> & {
  readonly payment: AgentPayment;
};

/** What is booked to the agent's account, and what that changes of another of theirs. */
interface Part {
  readonly name: "unsettled" | "commission" | "bank";
  /** Into the account; below zero out of it. */
  readonly minor: bigint;
  readonly other: OwnAccount;
}

/**
 * What was given out and earned comes into the account before the bank's part: what goes out to the
 * agent is of that too. Parts of nothing are left out.
 */
function partsOf(settlement: PaidSettlement): Part[] {
  const { currency, payment } = settlement;
  const { paidOutMinor, commissionMinor } = duesOf(settlement as AgentSettlement);
  const own = (account: AgentLineAccount) => agentAccount(account, settlement);
  const parts: Part[] = [
    { name: "unsettled", minor: paidOutMinor, other: own("UNSETTLED") },
    { name: "commission", minor: commissionMinor, other: own("COMMISSION") },
    { name: "bank", minor: payment.bankMinor, other: bankSettlement(currency, payment.at) },
  ];
  return parts.filter(({ minor }) => minor !== 0n);
}

/** One linked group; empty where nothing is settled. */
export function transfersOfAgentPayment(settlement: PaidSettlement): {
  transfers: PlannedTransfer[];
  ownAccounts: OwnAccount[];
} {
  const { currency, payment, settlementId } = settlement;
  const account = agentAccount("ACCOUNT", settlement);
  const parts = partsOf(settlement);
  const transfers = parts.map(({ name, minor, other }): PlannedTransfer => {
    const [debit, credit] = minor > 0n ? [other, account] : [account, other];
    return {
      key: `agent-settlement:${payment.paymentId}:${name}`,
      debitAccountId: debit.accountId,
      creditAccountId: credit.accountId,
      amount: { minor: minor > 0n ? minor : -minor, currency },
      kind: "agent_settlement",
      description: `Agent settlement ${settlementId}${name === "bank" ? `, ${payment.reference}` : ""}`,
      // Nothing is paid out of a line of credit.
      ...(name === "bank" && minor < 0n && withinLine(0n)),
    };
  });
  return { transfers, ownAccounts: parts.length === 0 ? [] : [account, ...parts.map(({ other }) => other)] };
}

/** The agent's lines of it, which the next settlement has. */
export function linesOfAgentPayment(
  settlement: PaidSettlement,
  { businessDay, at }: { businessDay: string; at: Date },
): NewAgentLine[] {
  const { agentId, currency, settlementId } = settlement;
  const line = (part: string, account: AgentLineAccount, amountMinor: bigint): NewAgentLine => ({
    lineId: `settlement:${settlementId}:${part}`,
    agentId,
    currency,
    kind: "SETTLED",
    account,
    amountMinor,
    businessDay,
    at,
  });
  return partsOf(settlement).flatMap(({ name, minor }) => {
    const into = line(name, "ACCOUNT", minor);
    if (name === "bank") return [into];
    return [into, line(`${name}:out`, name === "unsettled" ? "UNSETTLED" : "COMMISSION", -minor)];
  });
}
