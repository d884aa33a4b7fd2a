import type { CustomerStatus } from "./moves.js";

/**
 * Another decision on a customer than the one by score, asked for by one person and agreed to by
 * another.
 */
export interface Override {
  /** Of the approval that identity keeps. */
  overrideId: string;
  customerId: string;
  status: Exclude<CustomerStatus, "PENDING">;
  reason: string;
  state: "REQUESTED" | "APPROVED" | "REFUSED" | "EXPIRED";
  requestedBy: string;
  requestedAt: Date;
  /** The request's idempotency key. */
  key: string;
  decidedBy?: string;
  decidedAt?: Date;
  decisionReason?: string;
}

/** What goes with the approval and comes back with its outcome. */
export interface OverridePayload {
  customerId: string;
  status: Override["status"];
  key: string;
  country: string;
  /** ISO 8601. */
  registeredAt: string;
}
