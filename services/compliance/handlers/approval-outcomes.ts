import { overrideOutcome } from "../decisions/handlers/override-outcome.js";
import { confirmationOutcome, releaseOutcome } from "../screening/handlers/hit-outcomes.js";

type OutcomeDeps = Parameters<typeof overrideOutcome>[0] & Parameters<typeof releaseOutcome>[0];

/** What two people decided, carried out in the transaction that remembers it. */
export const approvalOutcomes = (deps: OutcomeDeps) => ({
  DECISION_OVERRIDE: overrideOutcome(deps),
  SCREENING_CONFIRMATION: confirmationOutcome(deps),
  SCREENING_RELEASE: releaseOutcome(deps),
});
