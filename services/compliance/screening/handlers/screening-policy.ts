import type { ScreeningServiceDefinition } from "../../../../proto/gen/compliance/v1/screening.js";
import { requireUser, type Call } from "../../../kernel/grpc/context.js";
import type { Handlers } from "../../../kernel/grpc/server.js";
import {
  checkScreeningPolicy,
  contentOf,
  hasContent,
  type ScreeningPolicy,
  type ScreeningPolicyDraft,
} from "../domain/policy.js";
import type { Session } from "../../decisions/store/index.js";
import { rescreenRow } from "../../common/store/outbox-rows.js";
import type { TenantScreeningPolicies } from "../store/screening-policies.js";
import {
  policyInputFromWire,
  screeningDraftToWire,
  unsavedScreeningDraftToWire,
  screeningPolicyToWire,
} from "../wire/screening-policy.js";
import { auditEntry } from "../../common/handlers/audit.js";
import { originOf } from "../../common/handlers/deps.js";
import { publishDraft, saveDraft, type DraftPlace } from "../../common/handlers/drafts.js";
import type { ScreeningDeps } from "./screening-deps.js";

const what = "screening policy";

/** How people are compared with lists: written by one manager, published by another. */
export function screeningPolicyHandlers(deps: ScreeningDeps) {
  const { store, outbox, clock, screeningPolicies, screeningPolicyVersions } = deps;

  function audit(call: Call, action: string, content: object, session: Session) {
    const entry = auditEntry(call, clock, { action, subject: "screening-policy", content });
    return store.forTenant(call.tenantId).insertAudit(entry, session);
  }

  /** The draft as the next version, with what follows: everybody is compared anew. */
  async function publish(draft: ScreeningPolicyDraft, call: Call, session: Session): Promise<ScreeningPolicy> {
    const { userId } = requireUser(call);
    const { revision } = draft;
    const version = draft.basedOn + 1;
    const policy: ScreeningPolicy = {
      ...contentOf(draft),
      version,
      publishedAt: clock.now(),
      publishedBy: userId,
      draftedBy: draft.savedBy,
      revision,
    };
    await screeningPolicies.forTenant(call.tenantId).insert(policy, session);
    await audit(call, "screening-policy.publish", { version, revision }, session);
    await outbox.add(rescreenRow(originOf(call), "policy", version), session);
    return policy;
  }

  return {
    async getScreeningPolicy(_request, call) {
      return { policy: screeningPolicyToWire(await screeningPolicies.forTenant(call.tenantId).current()) };
    },

    async saveScreeningPolicyDraft(request, call) {
      const { userId: savedBy } = requireUser(call);
      const content = checkScreeningPolicy(policyInputFromWire(request));
      const saving = { content, revision: request.revision, savedBy, savedAt: clock.now(), isSame: hasContent };
      const place = placeOf(screeningPolicies.forTenant(call.tenantId));
      const saved = await saveDraft(store, place, saving, ({ revision, basedOn }, session) =>
        audit(call, "screening-policy.draft", { revision, basedOn }, session),
      );
      return { draft: screeningDraftToWire(saved) };
    },

    async getScreeningPolicyDraft(_request, call) {
      const policies = screeningPolicies.forTenant(call.tenantId);
      const draft = await policies.findDraft();
      const shown = draft ? screeningDraftToWire(draft) : unsavedScreeningDraftToWire(await policies.current());
      return { draft: shown };
    },

    async publishScreeningPolicyDraft({ revision }, call) {
      const place = placeOf(screeningPolicies.forTenant(call.tenantId));
      // One person says who is found, and another lets it in: neither
      // alone can have lists look away.
      const policy = await publishDraft(
        store,
        place,
        { revision, by: requireUser(call).userId, what },
        (draft, session) => publish(draft, call, session),
      );
      screeningPolicyVersions.forget(call.tenantId);
      outbox.wake();
      return { policy: screeningPolicyToWire(policy) };
    },
  } satisfies Partial<Handlers<ScreeningServiceDefinition>>;
}

function placeOf(tenant: TenantScreeningPolicies): DraftPlace<ScreeningPolicyDraft, ScreeningPolicy> {
  const findVersion = async (session: Session) => (await tenant.current(session)).version;
  return { ...tenant, findVersion, findInForce: tenant.current };
}
