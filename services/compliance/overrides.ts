import type { CustomerStatus } from "./decision.js";

/** Another decision on a customer than the one by score, asked for by one person and agreed to by another. */
export interface Override {
  overrideId: string;
  customerId: string;
  status: Exclude<CustomerStatus, "PENDING">;
  reason: string;
  state: "REQUESTED" | "APPROVED" | "REFUSED";
  requestedBy: string;
  requestedAt: Date;
  /** The request's idempotency key. */
  key: string;
  decidedBy?: string;
  decidedAt?: Date;
  decisionReason?: string;
}
