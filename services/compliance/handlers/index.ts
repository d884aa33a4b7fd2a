import { CaseServiceDefinition } from "../../../proto/gen/compliance/v1/cases.js";
import type { ComplianceServiceDefinition } from "../../../proto/gen/compliance/v1/compliance.js";
import { ScreeningServiceDefinition } from "../../../proto/gen/compliance/v1/screening.js";
import { PluginOwnerServiceDefinition } from "../../../proto/gen/plugins/v1/owner.js";
import { alsoServe, type Handlers } from "../../kernel/grpc/server.js";
import { caseAccess, pluginOwnerAccess, screeningAccess } from "../access.js";
import { caseExportHandlers } from "../cases/handlers/case-export.js";
import { caseFileHandlers } from "../cases/handlers/case-files.js";
import { caseReadHandlers } from "../cases/handlers/case-reads.js";
import { caseHandlers } from "../cases/handlers/cases.js";
import type { CaseDeps } from "../cases/handlers/deps.js";
import { describedHitHandlers } from "../cases/handlers/described-hits.js";
import type { ComplianceDeps } from "../common/handlers/deps.js";
import { checklistHandlers } from "../decisions/handlers/checklist.js";
import { complianceActionHandlers } from "../decisions/handlers/compliance-actions.js";
import { agentContactHandlers } from "../decisions/handlers/agent-contacts.js";
import { contactHandlers } from "../decisions/handlers/contacts.js";
import { customerHandlers } from "../decisions/handlers/customers.js";
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
import { transparencyHandlers } from "../decisions/handlers/transparency.js";
import { uploadHandlers } from "../decisions/handlers/uploads.js";
import { screeningListHandlers } from "../lists/handlers/screening-lists.js";
import type { HitDeps } from "../screening/handlers/hit-deps.js";
import { exemptionHandlers } from "../screening/handlers/screening-exemptions.js";
import { hitHandlers } from "../screening/handlers/screening-hits.js";
import { screeningPolicyHandlers } from "../screening/handlers/screening-policy.js";
import { screeningReadHandlers } from "../screening/handlers/screening-reads.js";
import { screeningSearchHandlers } from "../screening/handlers/screening-search.js";
import { screeningTrialHandlers } from "../screening/handlers/screening-trial.js";
import { pluginOwnerHandlers } from "./plugin-owner.js";

/** The decisions of compliance. */
export const complianceHandlers = (deps: ComplianceDeps): Handlers<ComplianceServiceDefinition> => ({
  ...policyHandlers(deps),
  ...policyDraftHandlers(deps),
  ...customerHandlers(deps),
  ...complianceActionHandlers(deps),
  ...contactHandlers(deps),
  ...agentContactHandlers(deps),
  ...personHandlers(deps),
  ...uploadHandlers(deps),
  ...documentHandlers(deps),
  ...overrideHandlers(deps),
  ...transactionHandlers(deps),
  ...transparencyHandlers(deps),
  ...moveHandlers(deps),
  ...reservationHandlers(deps),
  ...removedRecipientHandlers(deps),
  ...checklistHandlers(deps),
  ...reviewHandlers(deps),
});

/** Who is compared with lists, what was found and what was decided on it. */
export const serveScreening = (deps: HitDeps) =>
  alsoServe<ScreeningServiceDefinition>({
    definition: ScreeningServiceDefinition,
    access: screeningAccess,
    handlers: {
      ...screeningListHandlers(deps),
      ...screeningPolicyHandlers(deps),
      ...screeningTrialHandlers(deps),
      ...screeningSearchHandlers(deps),
      ...screeningReadHandlers(deps),
      ...describedHitHandlers(deps),
      ...hitHandlers(deps),
      ...exemptionHandlers(deps),
    },
  });

/** What compliance officers work in. */
export const serveCases = (deps: CaseDeps) =>
  alsoServe<CaseServiceDefinition>({
    definition: CaseServiceDefinition,
    access: caseAccess,
    handlers: {
      ...caseHandlers(deps),
      ...caseReadHandlers(deps),
      ...caseFileHandlers(deps),
      ...caseExportHandlers(deps),
    },
  });

/** What has to be done where tenants' partners of compliance are called. */
export const servePluginOwner = (deps: Parameters<typeof pluginOwnerHandlers>[0]) =>
  alsoServe<PluginOwnerServiceDefinition>({
    definition: PluginOwnerServiceDefinition,
    access: pluginOwnerAccess,
    handlers: { ...pluginOwnerHandlers(deps) },
  });
