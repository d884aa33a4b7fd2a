import { ScreeningServiceDefinition } from "../../../proto/gen/compliance/v1/screening.js";
import { alsoServe, type AnyServedService } from "../../kernel/grpc/server.js";
import { screeningAccess } from "./screening-access.js";
import { describedHitHandlers } from "./described-hits.js";
import type { ScreeningDeps } from "./screening-deps.js";
import { exemptionHandlers } from "./screening-exemptions.js";
import { hitHandlers, type HitHandlerDeps } from "./screening-hits.js";
import { screeningListHandlers } from "./screening-lists.js";
import { screeningPolicyHandlers } from "./screening-policy.js";
import { screeningReadHandlers } from "./screening-reads.js";
import { screeningSearchHandlers } from "./screening-search.js";
import { screeningTrialHandlers } from "./screening-trial.js";

/** Who is compared with lists, what was found and what was decided on it, served beside the decisions. */
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
