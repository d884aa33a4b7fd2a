import { all, type AccessRow } from "./access-row.js";

export const complianceAccess = {
  listOrganisationCompliancePolicy: { roles: all, scopes: ["compliance:read"], otherCustomer: { status: 200 } },
  verifyContact: { roles: ["AGENT"], scopes: ["customers:verify", "kyc:perform"] },
  listCompliancePolicyVersions: { roles: ["MANAGER"], scopes: ["compliance:read"] },
  readCompliancePolicyVersion: { roles: ["MANAGER"], scopes: ["compliance:read"] },
  saveCompliancePolicyDraft: { roles: ["MANAGER"] },
  readCompliancePolicyDraft: { roles: ["MANAGER"], scopes: ["compliance:read"] },
  publishCompliancePolicyDraft: { roles: ["MANAGER"] },
  tryCompliancePolicyDraft: { roles: ["MANAGER"], scopes: ["compliance:read"] },
  readCustomerCompliance: {
    roles: ["MANAGER", "AGENT", "CUSTOMER"],
    scopes: ["compliance:read"],
    otherCustomer: { status: 403, code: "FORBIDDEN" },
  },
  listRiskScores: { roles: ["MANAGER", "AGENT"], scopes: ["compliance:read"] },
  preTransactionChecklist: { roles: all, scopes: ["compliance:read"], otherCustomer: { status: 200 } },
  initiateComplianceAction: {
    roles: ["AGENT", "CUSTOMER"],
    scopes: ["kyc:perform", "profile:update"],
    otherCustomer: { status: 200 },
  },
  confirmEmail: { roles: "anyone" },
  confirmPhone: { roles: ["CUSTOMER"] },
  uploadDocumentPart: {
    roles: ["AGENT", "CUSTOMER"],
    scopes: ["kyc:perform", "profile:update"],
    otherCustomer: { status: 200 },
  },
  submitDocument: {
    roles: ["AGENT", "CUSTOMER"],
    scopes: ["kyc:perform", "profile:update"],
    otherCustomer: { status: 404, code: "NOT_FOUND" },
  },
  listDocuments: { roles: ["MANAGER", "AGENT", "CUSTOMER"], scopes: ["compliance:read"] },
  readDocument: { roles: ["MANAGER", "AGENT"], scopes: ["kyc:perform", "compliance:read"] },
  reviewDocument: { roles: ["MANAGER", "AGENT"] },
  listComplianceReviews: { roles: ["MANAGER"], scopes: ["compliance:read"] },
  decideComplianceReview: { roles: ["MANAGER"] },
  requestComplianceOverride: { roles: ["MANAGER", "AGENT"] },
  listComplianceOverrides: { roles: ["MANAGER"], scopes: ["compliance:read"] },
  listComplianceAudit: { roles: ["MANAGER"], scopes: ["compliance:read"] },
} satisfies Record<string, AccessRow>;
