import type { Role } from "../../../services/kernel/grpc/context.js";

export const staff: readonly Role[] = ["MANAGER", "AGENT", "CASHIER"];
export const all: readonly Role[] = ["MANAGER", "AGENT", "CASHIER", "CUSTOMER"];

/** Who may call an operation: the table that authorises, written down a second time and by hand. */
export interface AccessRow {
  /**
   * "anyone" needs no token; "expired" takes one that may have expired, for its session's sake
   * alone.
   */
  roles: readonly Role[] | "anyone" | "expired";
  /**
   * One of these an API token needs; absent where no API token may call it. The test goes by the
   * edge's own list as long as a row is new.
   */
  scopes?: readonly string[];
  /** What another customer of the same tenant gets who sends the example of the customer. */
  otherCustomer?: { status: number; code?: string };
}
