import type { IdentityConfig } from "../config.js";
import { createKnownPlaces } from "../credentials/known-places.js";
import { createLoginCheck } from "../credentials/login-check.js";
import { createPasswordChecks } from "../credentials/password-checks.js";
import { createPasswordHasher, type Argon2 } from "../credentials/passwords.js";
import { createContactChanges } from "./contact-changes.js";
import { createSecondFactors } from "./second-factors.js";
import { createSentCodes } from "./sent-codes.js";
import { createStepUp } from "./step-up.js";

type Deps = Parameters<typeof createKnownPlaces>[0] &
  Omit<Parameters<typeof createPasswordChecks>[0], "hasher"> &
  Omit<Parameters<typeof createSecondFactors>[0], "hasher"> &
  Omit<Parameters<typeof createLoginCheck>[0], "hasher" | "knownPlaces"> &
  Parameters<typeof createSentCodes>[0] &
  Parameters<typeof createContactChanges>[0];

/** What tells whether somebody is who they say: passwords, places and second factors. */
export async function createIdentification(config: IdentityConfig, argon2: Argon2 | undefined, deps: Deps) {
  const cost = { memoryKib: config.ARGON2_MEMORY_KIB, passes: config.ARGON2_PASSES };
  const hasher = await createPasswordHasher(cost, {
    ...(argon2 !== undefined && { argon2 }),
    ...(config.ARGON2_AT_ONCE !== undefined && { concurrency: config.ARGON2_AT_ONCE }),
  });
  const knownPlaces = createKnownPlaces(deps);
  const checks = createPasswordChecks({ ...deps, hasher });
  const factors = createSecondFactors({ ...deps, hasher });
  return {
    hasher,
    knownPlaces,
    checks,
    factors,
    loginCheck: createLoginCheck({ ...deps, hasher, knownPlaces }),
    stepUp: createStepUp({ checks, factors }),
    sentCodes: createSentCodes(deps),
    contactChanges: createContactChanges(deps),
  };
}
