import type { Role } from "../../services/shared/grpc/context.js";

const all: readonly Role[] = ["MANAGER", "AGENT", "CASHIER", "CUSTOMER"];

/** Who may call an operation: the table that authorises, written down a second time and by hand. */
export interface AccessRow {
  /** "anyone" needs no token; "expired" takes one that may have expired, for its session's sake alone. */
  roles: readonly Role[] | "anyone" | "expired";
  /** What another customer of the same tenant gets who sends the example of the customer. */
  otherCustomer?: { status: number; code?: string };
}

/** By operationId. An operation that is not here fails the test. */
export const accessTable: Readonly<Record<string, AccessRow>> = {
  login: { roles: "anyone" },
  refresh: { roles: "expired" },
  logout: { roles: all },
  listOrganisationCompliancePolicy: { roles: all, otherCustomer: { status: 200 } },
  fetchOrganisationPreference: { roles: all, otherCustomer: { status: 200 } },
  payFromWallet: { roles: ["CASHIER", "CUSTOMER"], otherCustomer: { status: 403, code: "FORBIDDEN" } },
  listWalletAccounts: { roles: ["CUSTOMER"], otherCustomer: { status: 200 } },
  findAllBeneficiaries: { roles: ["MANAGER", "AGENT", "CUSTOMER"], otherCustomer: { status: 200 } },
  ledgerHistoryByInteractionId: { roles: all, otherCustomer: { status: 200 } },
  createTransaction: { roles: ["CASHIER", "CUSTOMER"], otherCustomer: { status: 403, code: "FORBIDDEN" } },
  readTransaction: { roles: all, otherCustomer: { status: 403, code: "FORBIDDEN" } },
  cancelTransaction: { roles: ["CASHIER", "CUSTOMER"], otherCustomer: { status: 403, code: "FORBIDDEN" } },
  readBusinessClock: { roles: all, otherCustomer: { status: 200 } },
  advanceBusinessDate: { roles: ["MANAGER"] },
};
