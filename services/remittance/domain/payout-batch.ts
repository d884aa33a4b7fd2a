/** Payouts of one tenant, currency and partner that are handed in to the partner with one call. */
export interface PayoutBatch {
  batchId: string;
  currency: string;
  /** The tenant's own partner that it goes to; the operator's default where absent. */
  installationId?: string;
  state: "OPEN" | "CLOSED" | "SENT";
  count: number;
  closesAt: Date;
  createdAt: Date;
}
