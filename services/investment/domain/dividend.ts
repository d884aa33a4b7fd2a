import type { Money } from "../../shared/money.js";

/** An amount shared among the holders of a product. */
export interface Dividend {
  readonly dividendId: string;
  readonly productId: string;
  /** Days from `from` up to, and without, `to`. */
  readonly from: Temporal.PlainDate;
  readonly to: Temporal.PlainDate;
  readonly amount: Money;
  readonly status: "DECLARED" | "PAYING" | "PAID";
  readonly holdings: bigint;
  readonly paidMinor: bigint;
  readonly taxMinor: bigint;
  readonly failedMinor: bigint;
  readonly declaredAt: Date;
  readonly interactionId: string;
  readonly createdBy: string;
}

/** One holding's part of a dividend. */
export interface DividendShare {
  readonly shareId: string;
  readonly dividendId: string;
  readonly holdingId: string;
  readonly customerId: string;
  readonly walletAccountId: string;
  readonly amount: Money;
  readonly taxMinor: bigint;
  readonly status: "DUE" | "PAID" | "FAILED";
  /** How often it was redirected to another wallet: the ledger decides on each try once. */
  readonly attempt?: number;
}
