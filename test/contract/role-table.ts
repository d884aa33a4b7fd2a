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
  verifyContact: { roles: ["AGENT"] },
  listCompliancePolicyVersions: { roles: ["MANAGER"] },
  readCompliancePolicyVersion: { roles: ["MANAGER"] },
  saveCompliancePolicyDraft: { roles: ["MANAGER"] },
  readCompliancePolicyDraft: { roles: ["MANAGER"] },
  publishCompliancePolicyDraft: { roles: ["MANAGER"] },
  tryCompliancePolicyDraft: { roles: ["MANAGER"] },
  readCustomerCompliance: {
    roles: ["MANAGER", "AGENT", "CUSTOMER"],
    otherCustomer: { status: 403, code: "FORBIDDEN" },
  },
  listRiskScores: { roles: ["MANAGER", "AGENT"] },
  preTransactionChecklist: { roles: all, otherCustomer: { status: 200 } },
  initiateComplianceAction: { roles: ["AGENT", "CUSTOMER"], otherCustomer: { status: 200 } },
  confirmEmail: { roles: "anyone" },
  confirmPhone: { roles: ["CUSTOMER"] },
  uploadDocumentPart: { roles: ["AGENT", "CUSTOMER"], otherCustomer: { status: 200 } },
  submitDocument: { roles: ["AGENT", "CUSTOMER"], otherCustomer: { status: 422, code: "DOCUMENT_INVALID" } },
  listDocuments: { roles: ["MANAGER", "AGENT", "CUSTOMER"] },
  readDocument: { roles: ["MANAGER", "AGENT"] },
  reviewDocument: { roles: ["MANAGER", "AGENT"] },
  listComplianceReviews: { roles: ["MANAGER"] },
  decideComplianceReview: { roles: ["MANAGER"] },
  requestComplianceOverride: { roles: ["MANAGER", "AGENT"] },
  listComplianceOverrides: { roles: ["MANAGER"] },
  decideComplianceOverride: { roles: ["MANAGER"] },
  listComplianceAudit: { roles: ["MANAGER"] },
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
