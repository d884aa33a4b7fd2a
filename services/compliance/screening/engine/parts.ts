import type { Connection } from "mongoose";
import { createDataKeys } from "../../../kernel/keys/data-keys.js";
import type { Logger } from "../../../kernel/process/log.js";
import { openMasterKey } from "../../../kernel/keys/config.js";
import type { KeyWrapper } from "../../../kernel/keys/key-wrapper.js";
import { awaitMasterKey } from "../../../kernel/keys/wrapped-keys.js";
import { processMetrics } from "../../../kernel/telemetry/metrics.js";
import type { ComplianceConfig } from "../../config.js";
import { shippedThreshold } from "../../lists/domain/matcher/index.js";
import { createScreeningCipher } from "../store/screening-cipher.js";
import { createExemptionStore } from "../store/screening-exemptions.js";
import { createScreeningPolicyStore } from "../store/screening-policies.js";
import { createScreeningPolicyVersions } from "../store/screening-policy-versions.js";
import { createScreeningSubjectStore } from "../store/screening-subjects.js";
import { createScreeningStore } from "../store/screenings.js";

/** What is kept of screening, and the keys that seal it. Waits for the master key. */
export async function openScreening(
  {
    config,
    db,
    log,
    onClose,
  }: { config: ComplianceConfig; db: Connection; log: Logger; onClose(end: () => void): void },
  given?: KeyWrapper,
) {
  const wrapper = given ?? (await openMasterKey(config, log));
  const dataKeys = createDataKeys({ db, wrapper, service: "compliance", purpose: "screening" });
  await awaitMasterKey(dataKeys.openAll, config.BOOT_WAIT_S, log);
  onClose(processMetrics.watchWrappedKeys(dataKeys.wrapped.countBehind));
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
