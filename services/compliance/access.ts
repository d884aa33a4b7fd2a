import type { CaseServiceDefinition } from "../../proto/gen/compliance/v1/cases.js";
import type { ComplianceServiceDefinition } from "../../proto/gen/compliance/v1/compliance.js";
import type { ScreeningServiceDefinition } from "../../proto/gen/compliance/v1/screening.js";
import type { PluginOwnerServiceDefinition } from "../../proto/gen/plugins/v1/owner.js";
import type { Role } from "../kernel/grpc/context.js";
import type { Batched } from "../kernel/grpc/batch-service.js";
import type { Access, RpcAccess } from "../kernel/grpc/server.js";

const by = (...roles: Role[]): RpcAccess => ({ callers: ["gateway"], user: "required", roles });

// The operator's lists are loaded by hand with nobody signed in.
const loaders: RpcAccess = { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER"] };

/** Who may call what. Which customers a role may act for is decided by clients/people.ts. */
export const access: Access<ComplianceServiceDefinition> = {
  putPolicy: { callers: ["operator"] },
  getPolicy: { callers: ["gateway", "operator"], user: "optional" },
  listPolicyVersions: by("MANAGER"),
  savePolicyDraft: by("MANAGER"),
  getPolicyDraft: by("MANAGER"),
  publishPolicyDraft: by("MANAGER"),
  tryPolicyDraft: by("MANAGER"),

  setCustomerStatus: { callers: ["operator"] },
  getCustomerCompliance: by("MANAGER", "AGENT", "CUSTOMER"),
  listRiskScores: by("MANAGER", "AGENT"),
  getChecklist: by("MANAGER", "AGENT", "CASHIER", "CUSTOMER"),

  initiateComplianceAction: by("AGENT", "CUSTOMER"),
  // A link is followed by whoever holds it; a code is typed in by the customer.
  confirmContact: { callers: ["gateway"], user: "optional", roles: ["CUSTOMER"] },
  verifyContact: by("AGENT"),

  notePersonChange: { callers: ["identity"] },
  noteAgentContacts: { callers: ["wallet"] },

  uploadDocumentPart: by("AGENT", "CUSTOMER"),
  submitDocument: by("AGENT", "CUSTOMER"),
  listDocuments: by("MANAGER", "AGENT", "CUSTOMER"),
  readDocument: by("MANAGER", "AGENT"),
  reviewDocument: by("MANAGER", "AGENT"),

  listReviews: by("MANAGER"),
  decideReview: by("MANAGER"),
  requestOverride: by("MANAGER", "AGENT"),
  listOverrides: by("MANAGER"),
  listAuditEntries: by("MANAGER"),

  checkTransaction: { callers: ["remittance"], user: "optional" },
  getTransparencyProfiles: { callers: ["remittance"], user: "optional" },
  checkTransparency: { callers: ["remittance"], user: "optional" },
  reviseTransparency: { callers: ["remittance"], user: "optional" },
  screenAmendment: { callers: ["remittance"], user: "optional" },
  checkWalletPayment: { callers: ["wallet"], user: "optional" },
  checkCash: { callers: ["wallet"], user: "optional" },
  checkMoves: { callers: ["remittance", "wallet", "lending", "investment"], user: "optional" },
  checkPayouts: { callers: ["remittance"], user: "optional" },
  checkCustomerAction: { callers: ["lending", "investment"], user: "optional" },
  confirmReservation: { callers: ["remittance", "wallet"], user: "optional" },
  releaseReservation: { callers: ["remittance", "wallet", "lending", "investment"], user: "optional" },
  releaseReservations: { callers: ["remittance"] },
  giveBackReservation: { callers: ["remittance"], user: "optional" },
  forgetRecipient: { callers: ["remittance"], user: "optional" },
};

// A check that waits for a lock or for identity does not hold up the others of its call.
const patienceMs = 500;

export const batched: Batched<ComplianceServiceDefinition> = {
  checkTransaction: { callers: ["remittance"], maxCalls: 64, patienceMs },
  checkWalletPayment: { callers: ["wallet"], maxCalls: 64, patienceMs },
};

export const pluginOwnerAccess: Access<PluginOwnerServiceDefinition> = {
  testPlugin: by("MANAGER"),
  receiveCallback: { callers: ["gateway"] },
  listUnservedCorridors: by("MANAGER"),
};

/**
 * Screening is for managers alone: nothing of it may reach whom it is about, or who serves them.
 */
export const screeningAccess: Access<ScreeningServiceDefinition> = {
  listScreeningLists: loaders,
  getScreeningList: loaders,
  uploadScreeningListPart: loaders,
  loadScreeningList: loaders,
  approveScreeningList: loaders,

  getScreeningPolicy: by("MANAGER"),
  saveScreeningPolicyDraft: by("MANAGER"),
  getScreeningPolicyDraft: by("MANAGER"),
  tryScreeningPolicyDraft: by("MANAGER"),
  publishScreeningPolicyDraft: by("MANAGER"),

  searchScreeningLists: by("MANAGER"),
  listScreenings: by("MANAGER"),
  getScreening: by("MANAGER"),
  describeHits: by("MANAGER"),
  decideHit: by("MANAGER"),
  decideHits: by("MANAGER"),
  releaseConfirmedHit: by("MANAGER"),

  listScreeningExemptions: by("MANAGER"),
  endScreeningExemption: by("MANAGER"),
};

/** Cases are for managers alone: what they hold may reach nobody whom they are about. */
export const caseAccess: Access<CaseServiceDefinition> = {
  openCase: by("MANAGER"),
  listCases: by("MANAGER"),
  countCases: by("MANAGER"),
  getCase: by("MANAGER"),
  changeCase: by("MANAGER"),
  addCaseNote: by("MANAGER"),
  uploadCaseFilePart: by("MANAGER"),
  attachCaseFile: by("MANAGER"),
  readCaseFile: by("MANAGER"),
  closeCase: by("MANAGER"),
  reopenCase: by("MANAGER"),
  exportCase: by("MANAGER"),
};
