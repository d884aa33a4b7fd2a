import { randomUUID } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import {
  ChangeOrganisationPreferenceRequest,
  ChangeOrganisationPreferenceResponse,
  type IdentityServiceDefinition,
} from "../../../proto/gen/identity/v1/identity.js";
import type { Ceilings } from "../../shared/amount-ceiling.js";
import type { Clock } from "../../shared/clocks/clock.js";
import { actorOf } from "../../shared/grpc/context.js";
import type { Handlers } from "../../shared/grpc/server.js";
import type { RunOnce } from "../../shared/idempotency/index.js";
import type { Outbox } from "../../shared/outbox/index.js";
import { Refusal } from "../../shared/refusal.js";
import { createFaults } from "../../shared/faults.js";
import { changedFields, changedGuards, patchedPreference } from "../domain/preference-changes.js";
import { checkKey, pageOf } from "../domain/requests.js";
import { addNoticesToManagers } from "../jobs/notices.js";
import type { IdentityStore } from "../store/index.js";
import { patchFromWire, tenantToWire } from "../wire/tenants.js";
import { reasonFromWire } from "../../shared/reason.js";

type PreferenceRpcs = "changeOrganisationPreference" | "listPreferenceChanges";

export function preferenceHandlers(deps: {
  store: IdentityStore;
  runOnce: RunOnce;
  outbox: Outbox;
  clock: Clock;
  ceilings: Ceilings;
  /** Ends when nobody goes by what was before. */
  untilKnown: () => Promise<void>;
}): Pick<Handlers<IdentityServiceDefinition>, PreferenceRpcs> {
  const { store, runOnce, outbox, clock, ceilings, untilKnown } = deps;
  return {
    async changeOrganisationPreference(request, call) {
      const { tenantId, interactionId } = call;
      const actor = actorOf(call);
      const faults = createFaults();
      checkKey(request.idempotencyKey, faults);
      const patch = faults.of(() => patchFromWire(request.change));
      const reason = faults.of(() => reasonFromWire(request.reason));
      faults.refuseIfAny();
      const ofTenant = store.forTenant(tenantId);
      const answer = await runOnce({
        call,
        operation: "changeOrganisationPreference",
        request,
        requestType: ChangeOrganisationPreferenceRequest,
        response: ChangeOrganisationPreferenceResponse,
        work: async (session) => {
          const before = await ofTenant.findTenant(session);
          if (before === null) throw new Refusal("TENANT_NOT_FOUND", "there is no such tenant");
          const preference = patchedPreference(before.preference, patch!, ceilings);
          const fields = changedFields(before.preference, preference);
          if (fields.length === 0) return { tenant: tenantToWire(before) };
          const at = clock.now();
          const after = await ofTenant.putPreference(preference, at, randomUUID(), session);
          const change = { _id: uuidv7(), at, actor, reason: reason!, fields, interactionId };
          await ofTenant.insertPreferenceChange(change, session);
          const about = changedGuards(fields);
          if (about !== "") {
            const notice = { notice: "GUARDS_CHANGED" as const, about };
            await addNoticesToManagers({ ofTenant, outbox }, { tenantId, interactionId, actor }, notice, session);
          }
          return { tenant: tenantToWire(after!) };
        },
      });
      outbox.wake();
      // A replay waits too, and so does what changed nothing: another may have just made this
      // change.
      await untilKnown();
      return answer;
    },

    async listPreferenceChanges(request, call) {
      const { after, limit } = pageOf(request);
      const found = await store.forTenant(call.tenantId).listPreferenceChanges({ after, limit: limit + 1 });
      const page = found.slice(0, limit);
      const changes = page.map(({ _id, tenantId: _tenant, ...rest }) => ({ ...rest, changeId: _id }));
      return { changes, nextPageToken: found.length > limit ? page.at(-1)!._id : "" };
    },
  };
}
