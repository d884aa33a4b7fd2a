import { v7 as uuidv7 } from "uuid";
import {
  ChangeOrganisationPreferenceRequest,
  ChangeOrganisationPreferenceResponse,
  type IdentityServiceDefinition,
} from "../../../proto/gen/identity/v1/identity.js";
import { actorOf } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { Refusal } from "../../kernel/refusal.js";
import { createFaults } from "../../kernel/text/faults.js";
import type { ApprovalRecord } from "../domain/approvals.js";
import { ownApproval } from "../domain/own-approvals.js";
import { patchedPreference, preferenceChanges } from "../domain/preference-changes.js";
import { weakensGuards } from "../domain/preference-guards.js";
import { checkKey, pageOf } from "../domain/requests.js";
import type { Preference, TenantRecord } from "../domain/tenants.js";
import { approvalExpiryRow } from "../jobs/approvals.js";
import { organisationSubject, payloadOf, putPreference } from "../jobs/preference-changes.js";
import { patchFromWire, tenantToWire } from "../wire/tenants.js";
import { approvalRequestRows } from "../wire/event-rows.js";
import { fieldsOf, summaryOf } from "../../platform/approvals/approval-changes.js";
import { reasonFromWire } from "../../kernel/text/reason.js";
import type { HandlerDeps } from "./deps.js";

export function preferenceHandlers(deps: HandlerDeps) {
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
          if (before === undefined) throw new Refusal("TENANT_NOT_FOUND", "there is no such tenant");
          const preference = patchedPreference(before.preference, patch!, ceilings);
          const now = clock.now();
          if (!weakensGuards(before.preference, preference, ceilings)) {
            const by = { actor, reason: reason!, interactionId };
            const after = await putPreference({ ofTenant, outbox }, { before, preference, by, now }, session);
            return { tenant: tenantToWire(after), approvalId: "", approvalStatus: "" };
          }
          const approval = approvalOf(before, preference, { request, actor, reason: reason!, now });
          await ofTenant.insertApproval(approval, session);
          const origin = { tenantId, interactionId, actor };
          await outbox.addAll([approvalExpiryRow(origin, approval), ...approvalRequestRows(origin, approval)], session);
          return { tenant: tenantToWire(before), approvalId: approval.approvalId, approvalStatus: approval.status };
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
      const changes = page.map(({ approvedBy = "", ...rest }) => ({ ...rest, approvedBy }));
      return { changes, nextPageToken: found.length > limit ? page.at(-1)!.changeId : "" };
    },
  } satisfies Partial<Handlers<IdentityServiceDefinition>>;
}

/** The whole change waits, also what of it guards nothing: it was asked for with one reason. */
function approvalOf(
  { tenantId, preference: before }: TenantRecord,
  after: Preference,
  requested: { request: ChangeOrganisationPreferenceRequest; actor: string; reason: string; now: Date },
): ApprovalRecord {
  const { request, actor, reason, now } = requested;
  const changes = preferenceChanges(before, after);
  return ownApproval({
    approvalId: uuidv7(),
    kind: "SETTING_CHANGE",
    subject: organisationSubject(tenantId),
    summary: summaryOf("Change settings of the organisation:", fieldsOf(changes)),
    changes,
    payloadJson: payloadOf(request.change!),
    askedBy: actor,
    askedBecause: reason,
    askedAt: now,
  });
}
