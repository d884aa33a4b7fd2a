import type { ComplianceServiceDefinition } from "../../../proto/gen/compliance/v1/compliance.js";
import type { Role } from "../../shared/grpc/context.js";
import type { Handlers, RpcAccess } from "../../shared/grpc/server.js";
import { contactHandlers } from "./contacts.js";
import { customerHandlers } from "./customers.js";
import type { ComplianceDeps } from "./deps.js";
import { documentHandlers } from "./documents.js";
import { oversightHandlers } from "./overrides.js";
import { personHandlers } from "./persons.js";
import { policyHandlers } from "./policy.js";
import { transactionHandlers } from "./transactions.js";

type Rpc = keyof ComplianceServiceDefinition["methods"];

const by = (...roles: Role[]): RpcAccess => ({ callers: ["gateway"], user: "required", roles });

/** Who may call what; which customers a role may act for is decided in people.ts. */
export const complianceAccess: Record<Rpc, RpcAccess> = {
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
  checkWalletPayment: { callers: ["wallet"], user: "optional" },
  checkBatchedTransactions: { callers: ["remittance"] },
  checkBatchedWalletPayments: { callers: ["wallet"] },
  checkMoves: { callers: ["remittance", "wallet", "lending", "investment"], user: "optional" },
  checkCustomerAction: { callers: ["lending", "investment"], user: "optional" },
  confirmReservation: { callers: ["remittance", "wallet"], user: "optional" },
  releaseReservation: { callers: ["remittance", "wallet", "lending", "investment"], user: "optional" },
  giveBackReservation: { callers: ["remittance"], user: "optional" },
};

/** The rpcs of compliance. */
export function createComplianceHandlers(deps: ComplianceDeps): Handlers<ComplianceServiceDefinition> {
  return {
    ...policyHandlers(deps),
    ...customerHandlers(deps),
    ...contactHandlers(deps),
    ...personHandlers(deps),
    ...documentHandlers(deps),
    ...oversightHandlers(deps),
    ...transactionHandlers(deps),
  };
}
