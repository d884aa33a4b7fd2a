import type { Role } from "../../services/shared/grpc/context.js";

const staff: readonly Role[] = ["MANAGER", "AGENT", "CASHIER"];
const all: readonly Role[] = ["MANAGER", "AGENT", "CASHIER", "CUSTOMER"];

/** Who may call an operation: the table that authorises, written down a second time and by hand. */
export interface AccessRow {
  /** "anyone" needs no token; "expired" takes one that may have expired, for its session's sake alone. */
  roles: readonly Role[] | "anyone" | "expired";
  /** One of these an API token needs; absent where no API token may call it. The test goes by the edge's own list as long as a row is new. */
  scopes?: readonly string[];
  /** What another customer of the same tenant gets who sends the example of the customer. */
  otherCustomer?: { status: number; code?: string };
}

/** By operationId. An operation that is not here fails the test. */
export const accessTable: Readonly<Record<string, AccessRow>> = {
  login: { roles: "anyone" },
  refresh: { roles: "expired" },
  logout: { roles: all },
  listOrganisationCompliancePolicy: { roles: all, scopes: ["compliance:read"], otherCustomer: { status: 200 } },
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
  submitDocument: { roles: ["AGENT", "CUSTOMER"], otherCustomer: { status: 404, code: "NOT_FOUND" } },
  listDocuments: { roles: ["MANAGER", "AGENT", "CUSTOMER"] },
  readDocument: { roles: ["MANAGER", "AGENT"] },
  reviewDocument: { roles: ["MANAGER", "AGENT"] },
  listComplianceReviews: { roles: ["MANAGER"] },
  decideComplianceReview: { roles: ["MANAGER"] },
  requestComplianceOverride: { roles: ["MANAGER", "AGENT"] },
  listComplianceOverrides: { roles: ["MANAGER"] },
  listComplianceAudit: { roles: ["MANAGER"] },
  fetchOrganisationPreference: { roles: all, scopes: ["organisation:read"], otherCustomer: { status: 200 } },
  changeOrganisationPreference: { roles: ["MANAGER"], scopes: ["settings:write"] },
  listPreferenceChanges: { roles: ["MANAGER"], scopes: ["settings:write"] },
  payFromWallet: {
    roles: ["CASHIER", "CUSTOMER"],
    scopes: ["payments:make", "payments:process"],
    otherCustomer: { status: 403, code: "FORBIDDEN" },
  },
  listWalletAccounts: { roles: ["CUSTOMER"], scopes: ["accounts:read"], otherCustomer: { status: 200 } },
  openWalletAccount: { roles: ["CUSTOMER"] },
  readWalletAccount: {
    roles: ["CUSTOMER", "CASHIER", "MANAGER"],
    scopes: ["accounts:read"],
    otherCustomer: { status: 403, code: "FORBIDDEN" },
  },
  setWalletAccountFrozen: { roles: ["MANAGER"] },
  closeWalletAccount: { roles: ["CUSTOMER", "MANAGER"], otherCustomer: { status: 403, code: "FORBIDDEN" } },
  addBankAccount: { roles: ["CUSTOMER"], otherCustomer: { status: 200 } },
  listBankAccounts: { roles: ["CUSTOMER", "MANAGER"], scopes: ["accounts:read"], otherCustomer: { status: 200 } },
  removeBankAccount: { roles: ["CUSTOMER"] },
  requestPayment: {
    roles: ["CUSTOMER"],
    scopes: ["payments:request"],
    otherCustomer: { status: 403, code: "FORBIDDEN" },
  },
  issuePayable: { roles: ["CASHIER", "MANAGER"], scopes: ["payments:request", "payments:process"] },
  requestWithdrawal: { roles: ["CUSTOMER"], otherCustomer: { status: 404, code: "NOT_FOUND" } },
  // A request that names no payer is open to everybody.
  readPayable: {
    roles: ["CUSTOMER", "CASHIER", "MANAGER"],
    scopes: ["payments:request", "payments:make", "payments:process"],
    otherCustomer: { status: 200 },
  },
  listPayables: {
    roles: ["CUSTOMER", "CASHIER", "MANAGER"],
    scopes: ["payments:request", "payments:make", "payments:process"],
    otherCustomer: { status: 200 },
  },
  cancelPayable: { roles: ["CUSTOMER", "CASHIER", "MANAGER"] },
  setWalletLimit: { roles: ["MANAGER"] },
  listWalletLimits: { roles: ["MANAGER"] },
  findAllBeneficiaries: {
    roles: ["MANAGER", "AGENT", "CUSTOMER"],
    scopes: ["beneficiaries:manage", "beneficiaries:read"],
    otherCustomer: { status: 200 },
  },
  ledgerHistoryByInteractionId: { roles: all, scopes: ["ledger:read"], otherCustomer: { status: 200 } },
  createTransaction: {
    roles: ["CASHIER", "CUSTOMER"],
    scopes: ["transactions:create"],
    otherCustomer: { status: 403, code: "FORBIDDEN" },
  },
  readTransaction: {
    roles: all,
    scopes: ["transactions:read", "transactions:read:own"],
    otherCustomer: { status: 403, code: "FORBIDDEN" },
  },
  cancelTransaction: { roles: ["CASHIER", "CUSTOMER"], otherCustomer: { status: 403, code: "FORBIDDEN" } },
  readBusinessClock: { roles: all, scopes: ["organisation:read"], otherCustomer: { status: 200 } },
  advanceBusinessDate: { roles: ["MANAGER"], scopes: ["settings:write"] },
  changePassword: { roles: all },
  requestPasswordReset: { roles: "anyone" },
  resetPassword: { roles: "anyone" },
  listSessions: { roles: all },
  endSession: { roles: all },
  readSecondFactors: { roles: all, otherCustomer: { status: 200 } },
  chooseSecondFactors: { roles: all },
  enrolTotp: { roles: all },
  enrolTotpBeforeLogin: { roles: "anyone" },
  confirmTotp: { roles: all },
  removeTotp: { roles: all },
  setPin: { roles: all },
  requestPaymentCode: { roles: all },
  resetSecondFactors: { roles: ["MANAGER"] },
  registerCustomer: { roles: staff, scopes: ["users:write", "customers:verify"] },
  registerOneself: { roles: "anyone" },
  readProfile: { roles: all, scopes: ["profile:read"], otherCustomer: { status: 200 } },
  updateProfile: { roles: all },
  updateUser: { roles: staff },
  listCustomers: { roles: ["MANAGER", "AGENT"], scopes: ["users:read", "customers:read"] },
  readCustomer: { roles: all, scopes: ["users:read", "customers:read", "profile:read"] },
  assignCustomer: { roles: ["MANAGER"], scopes: ["users:write"] },
  createStaffUser: { roles: ["MANAGER"] },
  listStaffUsers: { roles: ["MANAGER"], scopes: ["users:read"] },
  disableUser: { roles: staff, scopes: ["users:write"] },
  enableUser: { roles: staff, scopes: ["users:write"] },
  createApiToken: { roles: all },
  listApiTokens: { roles: all },
  rotateApiToken: { roles: all },
  invalidateApiToken: { roles: all },
  deleteApiToken: { roles: all },
  listApprovals: { roles: ["MANAGER"], scopes: ["approvals:decide"] },
  approveApproval: { roles: ["MANAGER"], scopes: ["approvals:decide"] },
  refuseApproval: { roles: ["MANAGER"], scopes: ["approvals:decide"] },
};
