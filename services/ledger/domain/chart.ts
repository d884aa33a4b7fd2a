import type { AccountType } from "./model.js";

/** Services that post, each from accounts of its own codes. */
export const accountOwners = ["wallet", "remittance", "lending", "investment"] as const;
/** The ledger itself posts what people settle, write and close: see `mayDebit`. */
export const posters = [...accountOwners, "ledger"] as const;
export type Poster = (typeof posters)[number];

export interface ChartRow {
  readonly type: AccountType;
  /** The only service that creates accounts of this code, and debits them beside the ledger. */
  readonly service: Poster;
  readonly description: string;
  /** Of customers and their loans: nobody but its service takes from them. */
  readonly isCustomers?: true;
  /** Its service keeps a line of each posting: nobody else posts to it. */
  readonly hasLines?: true;
  /**
   * Its accounts, one per currency, stand between the two sides of its service's exchanges; a
   * service has one such code at most.
   */
  readonly isPosition?: true;
}

const rows: Readonly<Record<string, ChartRow>> = {
  customer_wallet: {
    type: "LIABILITY",
    service: "wallet",
    description: "What customers hold in wallets",
    isCustomers: true,
  },
  bank_settlement: { type: "ASSET", service: "wallet", description: "Money at banks, where deposits come in" },
  merchant_settlement: { type: "LIABILITY", service: "wallet", description: "Owed to billers and merchants" },
  withdrawal_clearing: {
    type: "LIABILITY",
    service: "wallet",
    description: "Taken from wallets and not yet paid out by the bank",
  },
  wallet_fee_income: { type: "INCOME", service: "wallet", description: "Fees on payments from wallets" },
  wallet_tax_payable: { type: "LIABILITY", service: "wallet", description: "Taxes on fees of payments from wallets" },
  card_settlement: { type: "ASSET", service: "wallet", description: "Captured from cards and not yet at the bank" },
  suspense: { type: "LIABILITY", service: "wallet", description: "Arrived at the bank and nobody knows for whom yet" },
  wallet_held: {
    type: "LIABILITY",
    service: "wallet",
    description: "Always empty: pending transfers to it keep what arrived for customers who may not have it yet",
    isCustomers: true,
  },
  cash_in_transit: { type: "ASSET", service: "wallet", description: "Cash sent by vaults and received by none yet" },
  cash_vault: { type: "ASSET", service: "wallet", description: "Cash that no till holds" },
  cash_till: { type: "ASSET", service: "wallet", description: "Cash in the till of a cashier" },
  counter_payable: {
    type: "LIABILITY",
    service: "wallet",
    description: "Owed in cash to senders of transfers that were sold at a counter and came back",
  },
  agent_account: {
    type: "LIABILITY",
    service: "wallet",
    description: "What agents have to sell with; below zero what they owe within their line of credit",
    hasLines: true,
  },
  agent_unsettled: {
    type: "LIABILITY",
    service: "wallet",
    description: "Given out by agents of their own notes and not settled yet",
    hasLines: true,
  },
  agent_commission: {
    type: "LIABILITY",
    service: "wallet",
    description: "Earned by agents and not settled yet",
    hasLines: true,
  },
  commission_payable: { type: "LIABILITY", service: "wallet", description: "Parts of commission that are not agents'" },
  commission_expense: { type: "EXPENSE", service: "wallet", description: "What agents' sales cost in commission" },
  cash_difference: { type: "EXPENSE", service: "wallet", description: "What tills were counted short, less what over" },
  wallet_exchange_position: {
    type: "ASSET",
    service: "wallet",
    description: "What exchanges between customers' own wallets left in each currency",
    isPosition: true,
  },
  remittance_clearing: {
    type: "LIABILITY",
    service: "remittance",
    description: "Paid for remittances and not paid out yet",
  },
  fee_income: { type: "INCOME", service: "remittance", description: "Fees earned" },
  tax_payable: { type: "LIABILITY", service: "remittance", description: "Taxes kept for the state" },
  exchange_position: {
    type: "ASSET",
    service: "remittance",
    description: "What exchanges left in each currency",
    isPosition: true,
  },
  partner_settlement: { type: "LIABILITY", service: "remittance", description: "Owed to payout partners" },
  bank_charges: {
    type: "LIABILITY",
    service: "remittance",
    description: "What banks on the way kept of payouts that came back: set aside out of the sender's money",
  },
  refund_expense: { type: "EXPENSE", service: "remittance", description: "Given back beyond what came back" },
  customer_investments: {
    type: "LIABILITY",
    service: "investment",
    description: "What customers have invested",
    isCustomers: true,
  },
  investment_interest_payable: {
    type: "LIABILITY",
    service: "investment",
    description: "Interest on investments that is counted and not paid",
    isCustomers: true,
  },
  investment_interest_expense: { type: "EXPENSE", service: "investment", description: "Interest on investments" },
  investment_dividend_expense: { type: "EXPENSE", service: "investment", description: "Dividends on investments" },
  withholding_tax_payable: {
    type: "LIABILITY",
    service: "investment",
    description: "Tax withheld from interest and dividends, kept for the state",
  },
  investment_penalty_income: {
    type: "INCOME",
    service: "investment",
    description: "What customers lost by redeeming before maturity",
  },
  loan_principal: {
    type: "ASSET",
    service: "lending",
    description: "Lent and not paid back yet, an account per loan",
    isCustomers: true,
  },
  loan_interest_receivable: {
    type: "ASSET",
    service: "lending",
    description: "Interest earned and not paid yet",
    isCustomers: true,
  },
  loan_fee_receivable: {
    type: "ASSET",
    service: "lending",
    description: "Fees due with instalments and not paid yet",
    isCustomers: true,
  },
  loan_penalty_receivable: {
    type: "ASSET",
    service: "lending",
    description: "Penalties charged and not paid yet",
    isCustomers: true,
  },
  loan_interest_income: { type: "INCOME", service: "lending", description: "Interest earned on loans" },
  loan_fee_income: { type: "INCOME", service: "lending", description: "Fees earned on loans" },
  loan_penalty_income: { type: "INCOME", service: "lending", description: "Penalties earned on loans" },
  loan_recovery_income: { type: "INCOME", service: "lending", description: "Came in on loans that were written off" },
  loan_write_offs: { type: "EXPENSE", service: "lending", description: "Given up on loans" },
  loan_suspense: {
    type: "LIABILITY",
    service: "lending",
    description: "Arrived at the bank for loans and matched nothing",
  },
  loan_overpayments: {
    type: "LIABILITY",
    service: "lending",
    description: "Paid on loans above what was owed",
    isCustomers: true,
  },
  loan_clearing: {
    type: "LIABILITY",
    service: "lending",
    description: "Taken from wallets for loans that are being paid off",
    isCustomers: true,
  },
  lending_bank_settlement: { type: "ASSET", service: "lending", description: "Money at banks of the lending business" },
  lending_card_settlement: { type: "ASSET", service: "lending", description: "Owed by the card acquirer" },
  lending_opening_balances: {
    type: "EQUITY",
    service: "lending",
    description: "Loans taken over from a system before",
  },
  own_bank: { type: "ASSET", service: "ledger", description: "The organisation's own accounts at banks" },
  own_funds: { type: "EQUITY", service: "ledger", description: "What its owners have put in" },
  retained_earnings: { type: "EQUITY", service: "ledger", description: "Results of years that are closed" },
  fx_result: { type: "INCOME", service: "ledger", description: "Won on exchange positions, less what was lost" },
  partner_fees: { type: "EXPENSE", service: "ledger", description: "What payout partners and billers kept" },
  card_fees: { type: "EXPENSE", service: "ledger", description: "What card acquirers kept" },
  bank_fees: { type: "EXPENSE", service: "ledger", description: "What banks kept of settlements" },
  operating_expense: { type: "EXPENSE", service: "ledger", description: "Other costs of the organisation" },
};

/** The row of a code in the chart of accounts; undefined when the chart has no such code. */
export function chartRow(code: string): ChartRow | undefined {
  return Object.hasOwn(rows, code) ? rows[code] : undefined;
}

/** Whether nobody but its service posts to accounts of a code: neither journals nor settlements. */
export function isOfServiceAlone(code: string): boolean {
  const row = chartRow(code);
  return row?.isCustomers === true || row?.hasLines === true;
}

/** All rows, by code. */
export function chartCodes(): ({ readonly code: string } & ChartRow)[] {
  return Object.entries(rows)
    .map(([code, row]) => ({ code, ...row }))
    .sort((a, b) => (a.code < b.code ? -1 : 1));
}

/** The code of a service's position accounts; undefined where it does not exchange. */
export function positionCodeOf(service: string): string | undefined {
  return positionCodes().find((code) => rows[code]!.service === service);
}

/** Codes of position accounts of all services. */
export function positionCodes(): string[] {
  return Object.keys(rows).filter((code) => rows[code]!.isPosition);
}

/** Whether accounts of a code stand between the two sides of exchanges. */
export function isPositionCode(code: string): boolean {
  return chartRow(code)?.isPosition === true;
}

/** Assets and expenses grow by debits, the other types by credits. */
export function isDebitNormal(type: AccountType): boolean {
  return type === "ASSET" || type === "EXPENSE";
}
