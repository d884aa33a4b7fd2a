import type { KeyWrapper } from "../../../kernel/keys/key-wrapper.js";
import { openDataKeys } from "../../../kernel/startup/open-data-keys.js";
import type { Opened } from "../../../kernel/startup/start-service.js";
import type { ComplianceConfig } from "../../config.js";
import { shippedThreshold } from "../../lists/domain/matcher/index.js";
import { createScreeningCipher } from "../store/screening-cipher.js";
import { createExemptionStore } from "../store/screening-exemptions.js";
import { createScreeningPolicyStore } from "../store/screening-policies.js";
import { createScreeningPolicyVersions } from "../store/screening-policy-versions.js";
import { createScreeningSubjectStore } from "../store/screening-subjects.js";
import { createScreeningStore } from "../store/screenings.js";

/** What is kept of screening, and the keys that seal it. Waits for the master key. */
export async function openScreening(opened: Opened<ComplianceConfig>, given?: KeyWrapper) {
  const { db } = opened;
  const dataKeys = await openDataKeys(opened, "screening", given);
  const screeningCipher = createScreeningCipher(db, dataKeys);
  const screeningPolicies = createScreeningPolicyStore(db, { threshold: shippedThreshold });
  return {
    dataKeys,
    screeningCipher,
    screenings: createScreeningStore(db, screeningCipher),
    subjects: createScreeningSubjectStore(db, screeningCipher),
    exemptions: createExemptionStore(db, screeningCipher),
    screeningPolicies,
    screeningPolicyVersions: createScreeningPolicyVersions(screeningPolicies),
  };
}
