import type { ComplianceServiceDefinition } from "../../../proto/gen/compliance/v1/compliance.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { checklistHandlers } from "../decisions/handlers/checklist.js";
import { complianceActionHandlers } from "../decisions/handlers/compliance-actions.js";
import { contactHandlers } from "../decisions/handlers/contacts.js";
import { customerHandlers } from "../decisions/handlers/customers.js";
import type { ComplianceDeps } from "../common/handlers/deps.js";
import { documentHandlers } from "../decisions/handlers/documents.js";
import { moveHandlers } from "../decisions/handlers/moves.js";
import { overrideHandlers } from "../decisions/handlers/overrides.js";
import { personHandlers } from "../decisions/handlers/persons.js";
import { policyDraftHandlers } from "../decisions/handlers/policy-drafts.js";
import { policyHandlers } from "../decisions/handlers/policy.js";
import { removedRecipientHandlers } from "../decisions/handlers/removed-recipients.js";
import { reservationHandlers } from "../decisions/handlers/reservations.js";
import { reviewHandlers } from "../decisions/handlers/reviews.js";
import { transactionHandlers } from "../decisions/handlers/transactions.js";
import { uploadHandlers } from "../decisions/handlers/uploads.js";

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
