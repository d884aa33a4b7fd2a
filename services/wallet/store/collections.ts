import type { ClientSession } from "mongoose";

export type Session = ClientSession;

export const collections = {
  accounts: "wallet_accounts",
  payments: "payments",
  movements: "movements",
  bankAccounts: "bank_accounts",
  payables: "payables",
  limits: "wallet_limits",
  spending: "wallet_spending",
  tills: "tills",
  tillLines: "till_lines",
  tillCounts: "till_counts",
  handOvers: "hand_overs",
  branchAssignments: "branch_assignments",
  cashOrders: "cash_orders",
  vaults: "cash_vaults",
  vaultLines: "vault_lines",
  counterPayables: "counter_payables",
  holds: "holds",
  quotes: "exchange_quotes",
  credits: "bank_credits",
  creditReaders: "bank_credit_readers",
  creditCursors: "bank_credit_cursors",
  topUps: "top_ups",
  refunds: "refunds",
  held: "held_arrivals",
  cashLimits: "cash_limits",
  cashIns: "cash_ins",
  customerBlocks: "customer_blocks",
  commissionPlans: "commission_plans",
  agents: "agents",
  agentLines: "agent_lines",
  agentBalances: "agent_balances",
  agentPickups: "agent_pickups_unbooked",
  agentTransfers: "agent_transfers",
  agentSettlements: "agent_settlements",
} as const;

/** Names of the unique indexes, which say what was taken. */
export const uniqueIndexes = {
  accountNumber: "one_per_account_number",
  customerCurrency: "one_open_per_customer_and_currency",
  paymentReference: "one_per_payment_reference",
  bankAccount: "one_per_bank_account",
  till: "one_open_till",
} as const;
