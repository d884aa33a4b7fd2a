import { ScreeningServiceDefinition } from "../../../proto/gen/compliance/v1/screening.js";
import { alsoServe, type AnyServedService } from "../../kernel/grpc/server.js";
import { screeningAccess } from "../screening/handlers/screening-access.js";
import { describedHitHandlers } from "../cases/handlers/described-hits.js";
import type { ScreeningDeps } from "../screening/handlers/screening-deps.js";
import { exemptionHandlers } from "../screening/handlers/screening-exemptions.js";
import { hitHandlers, type HitHandlerDeps } from "../screening/handlers/screening-hits.js";
import { screeningListHandlers } from "../lists/handlers/screening-lists.js";
import { screeningPolicyHandlers } from "../screening/handlers/screening-policy.js";
import { screeningReadHandlers } from "../screening/handlers/screening-reads.js";
import { screeningSearchHandlers } from "../screening/handlers/screening-search.js";
import { screeningTrialHandlers } from "../screening/handlers/screening-trial.js";

/**
 * Who is compared with lists, what was found and what was decided on
 * it, served beside the decisions.
 */
export function serveScreening(deps: ScreeningDeps & HitHandlerDeps): AnyServedService {
  return alsoServe({
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
}
