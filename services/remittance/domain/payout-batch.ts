/** Payouts of one tenant and currency that are handed in to the partner with one call. */
export interface PayoutBatch {
  batchId: string;
  currency: string;
  state: "OPEN" | "CLOSED" | "SENT";
  count: number;
  closesAt: Date;
  createdAt: Date;
}
