import type { Opened } from "../../kernel/startup/start-service.js";
import type { Ceilings } from "../../kernel/limits/amount-ceiling.js";
import type { IdentityConfig } from "../config.js";
import { factorResetOutcome } from "./factor-resets.js";
import { createForesee, type OwnOutcomes } from "./foresee.js";
import { startIntroductions } from "./introductions.js";
import { pluginChangeOutcome } from "./plugin-changes.js";
import { preferenceChangeOutcome } from "./preference-changes.js";
import { startIdentityRelay, type IdentityRelayDeps } from "./relay.js";

type Parts = Omit<IdentityRelayDeps, "own"> & { ceilings: Ceilings; factorResetWaitMs: number };

/** Starts what follows from state changes; gives what an approval would do, and why it may not. */
export function startJobs({ log, started }: Opened<IdentityConfig>, parts: Parts, everyMs: number | undefined) {
  const { db, store, neighbours, factorResetWaitMs } = parts;
  const own: OwnOutcomes = {
    FACTOR_RESET: factorResetOutcome({ ...parts, waitMs: factorResetWaitMs }),
    PARTNER_CHANGE: pluginChangeOutcome(parts),
    SETTING_CHANGE: preferenceChangeOutcome(parts),
  };
  started(startIdentityRelay({ ...parts, own }));
  const { compliance } = neighbours;
  if (compliance !== undefined) started(startIntroductions({ store, compliance, log, everyMs }));
  return { foresee: createForesee({ db, outcomes: neighbours.outcomes, own }) };
}
