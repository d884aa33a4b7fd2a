import { Refusal } from "../../../kernel/refusal.js";
import type { RunOnce } from "../../../kernel/idempotency/index.js";
import type { ScreeningEngine } from "../engine/engine.js";
import type { CaseStore } from "../../cases/store/cases.js";
import type { ScreeningCipher } from "../store/screening-cipher.js";
import type { ExemptionStore } from "../store/screening-exemptions.js";
import type { ScreeningPolicyStore } from "../store/screening-policies.js";
import type { ScreeningPolicyVersions } from "../store/screening-policy-versions.js";
import type { ScreeningSubjectStore } from "../store/screening-subjects.js";
import type { ScreeningStore } from "../store/screenings.js";
import type { ComplianceDeps } from "../../common/handlers/deps.js";
import type { ScreeningListDeps } from "../../lists/handlers/deps.js";

/** What the rpcs of screening work with. */
export interface ScreeningDeps extends Pick<ComplianceDeps, "store" | "outbox" | "clock" | "times"> {
  lists: ScreeningListDeps["lists"];
  screeningPolicies: ScreeningPolicyStore;
  screeningPolicyVersions: ScreeningPolicyVersions;
  screenings: ScreeningStore;
  subjects: ScreeningSubjectStore;
  exemptions: ExemptionStore;
  screeningCipher: ScreeningCipher;
  engine: Pick<ScreeningEngine, "comparisonOf" | "screenBy">;
  cases: CaseStore;
  runOnce: RunOnce;
}

export function noScreening(): Refusal {
  return new Refusal("NOT_FOUND", "no such screening");
}
