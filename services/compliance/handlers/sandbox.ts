import { createSender } from "../../platform/partners/sender.js";
import { createForcedOutcomes } from "../../platform/sandbox/forced-outcome-store.js";
import { createPartnerOutcomes, serveOutcomes } from "../../platform/sandbox/sandbox-outcomes.js";
import { endpointsOf, type ComplianceConfig } from "../config.js";

/** What a sandbox is told to decide, and its verifier of contacts to answer. */
export function sandboxService(store: Parameters<typeof createForcedOutcomes>[0], config: ComplianceConfig) {
  const { sandbox } = endpointsOf(config, "CONTACT_VERIFICATION");
  const verifier = createPartnerOutcomes(createSender({ accessOf: () => sandbox }), ["CONTACT_VERIFICATION"]);
  return serveOutcomes(createForcedOutcomes(store, ["COMPLIANCE_DECISION"]), verifier);
}
