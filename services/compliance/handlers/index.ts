import type { ComplianceServiceDefinition } from "../../../proto/gen/compliance/v1/compliance.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { checklistHandlers } from "./checklist.js";
import { complianceActionHandlers } from "./compliance-actions.js";
import { contactHandlers } from "./contacts.js";
import { customerHandlers } from "./customers.js";
import type { ComplianceDeps } from "./deps.js";
import { documentHandlers } from "./documents.js";
import { moveHandlers } from "./moves.js";
import { overrideHandlers } from "./overrides.js";
import { personHandlers } from "./persons.js";
import { policyDraftHandlers } from "./policy-drafts.js";
import { policyHandlers } from "./policy.js";
import { removedRecipientHandlers } from "./removed-recipients.js";
import { reservationHandlers } from "./reservations.js";
import { reviewHandlers } from "./reviews.js";
import { transactionHandlers } from "./transactions.js";
import { uploadHandlers } from "./uploads.js";

/** The rpcs of compliance. */
export function createComplianceHandlers(deps: ComplianceDeps): Handlers<ComplianceServiceDefinition> {
  return {
    ...policyHandlers(deps),
    ...policyDraftHandlers(deps),
    ...customerHandlers(deps),
    ...complianceActionHandlers(deps),
    ...contactHandlers(deps),
    ...personHandlers(deps),
    ...uploadHandlers(deps),
    ...documentHandlers(deps),
    ...overrideHandlers(deps),
    ...transactionHandlers(deps),
    ...moveHandlers(deps),
    ...reservationHandlers(deps),
    ...removedRecipientHandlers(deps),
    ...checklistHandlers(deps),
    ...reviewHandlers(deps),
  };
}
