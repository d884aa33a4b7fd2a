import { isDeepStrictEqual } from "node:util";
import type { ForcedOutcome, OutcomeKeeper } from "../../shared/sandbox-outcomes.js";
import type { ForcedDecision, KeptForced } from "../domain/forced-decision.js";
import type { ComplianceStore } from "../store/index.js";

/** Forced decisions as a sandbox's outcomes; kept here, since nobody else decides. */
export function createDecisionOutcomes(store: ComplianceStore, now: () => Date): OutcomeKeeper {
  return {
    kinds: ["COMPLIANCE_DECISION"],
    async force({ id, outcome, subject = "", times = 0, reason = "" }, { tenantId }) {
      const tenant = store.forTenant(tenantId);
      const asked = { outcomeId: id, decision: outcome as ForcedDecision, subject, reason, times };
      return store.transaction(
        async (session) => {
          const known = await tenant.findForced(id, session);
          if (known !== null) {
            const { left: _left, createdAt: _at, ...told } = known;
            return isDeepStrictEqual(told, asked) ? "known" : "other";
          }
          await tenant.insertForced({ ...asked, left: times === 0 ? -1 : times, createdAt: now() }, session);
          return "new";
        },
        async () => ((await tenant.findForced(id)) === null ? undefined : "new"),
      );
    },
    list: async ({ tenantId }) => (await store.forTenant(tenantId).listForced()).map(outcomeOf),
    clear: (id, { tenantId }) => store.forTenant(tenantId).endForced(id),
  };
}

function outcomeOf({ outcomeId, decision, subject, reason, left }: KeptForced): ForcedOutcome {
  return {
    id: outcomeId,
    of: "COMPLIANCE_DECISION",
    outcome: decision,
    ...(subject !== "" && { subject }),
    ...(reason !== "" && { reason }),
    ...(left > 0 && { times: Number(left) }),
  };
}
