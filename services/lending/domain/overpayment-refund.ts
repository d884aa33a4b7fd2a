import type { OwnPartner } from "../../platform/banks/own-partner.js";
import type { PayTo } from "./application.js";

/** What was paid on a loan above what was owed, on its way back to the customer. */
export interface OverpaymentRefund {
  /** The approval's, which it follows from. */
  readonly refundId: string;
  readonly accountId: string;
  readonly customerId: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly payTo: PayTo;
  /** As of a disbursement. */
  readonly partner?: OwnPartner;
  /** PAYING while nobody knows whether the money is there. */
  readonly status: "PAYING" | "DONE" | "FAILED";
  readonly failure?: string;
  /** The business day it counts for. */
  readonly on: string;
  readonly approvedBy: string;
  readonly interactionId: string;
  readonly createdAt: Date;
  readonly endedAt?: Date;
}
