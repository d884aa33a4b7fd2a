/** What moved money of an agent. */
export const agentLineKinds = [
  "SALE",
  "PICKUP",
  "COMMISSION",
  "CLAW_BACK",
  "TOP_UP",
  "TRANSFER_IN",
  "TRANSFER_OUT",
  "SETTLED",
] as const;
export type AgentLineKind = (typeof agentLineKinds)[number];

/** Which of an agent's accounts in the ledger. */
export const agentLineAccounts = ["ACCOUNT", "UNSETTLED", "COMMISSION"] as const;
export type AgentLineAccount = (typeof agentLineAccounts)[number];

/**
 * What one movement changed of one of an agent's accounts, kept in the commit that ends the
 * movement once the ledger has it: the lines of an account come to its balance.
 */
export interface AgentLine {
  /** Follows from what moved, such as `sale:<payment>`, so that it is there once. */
  readonly lineId: string;
  /** User id. */
  readonly agentId: string;
  readonly currency: string;
  readonly kind: AgentLineKind;
  readonly account: AgentLineAccount;
  /** Above zero: the organisation owes the agent so much more. */
  readonly amountMinor: bigint;
  readonly transactionId?: string;
  readonly transactionCode?: string;
  /** Business day that the ledger has it on, such as "2026-11-30". */
  readonly businessDay: string;
  readonly at: Date;
  /** That took it. */
  readonly settlementId?: string;
}

/** A line of the moment when it is kept: no settlement has it. */
export type NewAgentLine = Omit<AgentLine, "settlementId">;

/** Where a page of an agent's lines ended. */
export interface AgentLinePlace {
  readonly at: Date;
  readonly lineId: string;
}
