import type { ServiceName } from "../shared/grpc/context.js";
import type { AccountType } from "./model.js";

export interface ChartRow {
  readonly type: AccountType;
  /** The only service that may debit accounts of this code, and create them. */
  readonly service: ServiceName;
}

const rows: Readonly<Record<string, ChartRow>> = {
  customer_wallet: { type: "LIABILITY", service: "wallet" },
  bank_settlement: { type: "ASSET", service: "wallet" },
  remittance_clearing: { type: "LIABILITY", service: "remittance" },
  fee_income: { type: "INCOME", service: "remittance" },
  tax_payable: { type: "LIABILITY", service: "remittance" },
  exchange_position: { type: "ASSET", service: "remittance" },
  partner_settlement: { type: "LIABILITY", service: "remittance" },
  // What banks on the way kept of payouts that came back: set aside out of the sender's money.
  bank_charges: { type: "LIABILITY", service: "remittance" },
};

/** The row of a code in the chart of accounts; undefined when the chart has no such code. */
export function chartRow(code: string): ChartRow | undefined {
  return Object.hasOwn(rows, code) ? rows[code] : undefined;
}

/** Assets and expenses grow by debits, the other types by credits. */
export function isDebitNormal(type: AccountType): boolean {
  return type === "ASSET" || type === "EXPENSE";
}
