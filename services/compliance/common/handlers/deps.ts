import type { Approvals } from "../../../platform/approvals/approvals.js";
import type { BusinessClock } from "../../../platform/preferences/business-clock.js";
import type { Clock } from "../../../kernel/time/clock.js";
import { actorOf, type Call } from "../../../kernel/grpc/context.js";
import type { Outbox } from "../../../kernel/outbox/index.js";
import type { Checks } from "../../decisions/checks/index.js";
import type { ContactVerification } from "../../decisions/clients/contact-verification.js";
import type { Customers } from "../../decisions/checks/customers.js";
import type { CaseStore } from "../../cases/store/cases.js";
import type { DocumentStore } from "../../decisions/store/documents.js";
import type { Origin } from "../domain/origin.js";
import type { People } from "../../decisions/clients/people.js";
import type { PolicyVersions } from "../../decisions/store/policy-versions.js";
import type { ScreeningRuns } from "../../screening/engine/runs.js";
import type { Preferences } from "../../decisions/clients/preferences.js";
import type { ComplianceStore } from "../../decisions/store/index.js";
import type { ScreeningCipher } from "../../screening/store/screening-cipher.js";
import type { ScreeningSubjectStore } from "../../screening/store/screening-subjects.js";
import type { ScreeningStore } from "../../screening/store/screenings.js";
import type { CaseContents } from "../../cases/handlers/case-content.js";
import type { Secrets } from "../../decisions/checks/verification-secrets.js";

/** What the rpcs of compliance work with. */
export interface ComplianceDeps {
  store: ComplianceStore;
  documents: DocumentStore;
  policies: PolicyVersions;
  people: People;
  preferences: Preferences;
  customers: Customers;
  checks: Checks;
  screening: ScreeningRuns;
  subjects: ScreeningSubjectStore;
  secrets: Secrets;
  contactVerification: ContactVerification;
  contents: CaseContents;
  cases: CaseStore;
  screenings: ScreeningStore;
  screeningCipher: ScreeningCipher;
  approvals: Approvals;
  outbox: Outbox;
  /** What days and expiry of requirements go by. */
  times: BusinessClock;
  /** Real time: codes, links, what is kept for audit. */
  clock: Clock;
}

export function originOf(call: Call): Origin {
  return { tenantId: call.tenantId, interactionId: call.interactionId, actor: actorOf(call) };
}
