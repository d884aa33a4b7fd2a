import type { ComplianceServiceDefinition } from "../../../../proto/gen/compliance/v1/compliance.js";
import { crashPoint } from "../../../kernel/process/crash-point.js";
import { actorOf, requireUser } from "../../../kernel/grpc/context.js";
import type { Handlers } from "../../../kernel/grpc/server.js";
import { moneyToWire } from "../../../kernel/money.js";
import { invalidInput } from "../../../kernel/refusal.js";
import { tryPolicies } from "../checks/trial.js";
import { checkPolicy } from "../domain/policy-check.js";
import { defaultRiskModel } from "../domain/risk-model.js";
import { hasContent, type Policy, type SavedDraft } from "../domain/policy.js";
import type { Session, TenantStore } from "../store/index.js";
import { draftFromWire, policyToWire, savedDraftToWire, unsavedDraftToWire } from "../wire/policy.js";
import { kindToWire } from "../wire/transactions.js";
import { auditEntry } from "../../common/handlers/audit.js";
import type { ComplianceDeps } from "../../common/handlers/deps.js";
import { noDraft, publishDraft, saveDraft, type DraftPlace } from "../../common/handlers/drafts.js";
import { publish } from "./policy-publication.js";

const maxTried = 20_000;
const what = "policy";
/** What the first draft begins from. */
const emptyPolicy = {
  knowYourCustomerRules: [],
  transactionRules: [],
  dailyLimits: [],
  riskModel: defaultRiskModel,
};

/**
 * The draft of the next policy: written by one person, tried on past transactions, published by
 * another.
 */
export function policyDraftHandlers({ store, clock, outbox }: ComplianceDeps) {
  return {
    async savePolicyDraft(request, call) {
      const { userId: savedBy } = requireUser(call);
      const content = checkPolicy(draftFromWire(request));
      const tenant = store.forTenant(call.tenantId);
      const saving = { content, revision: request.revision, savedBy, savedAt: clock.now(), isSame: hasContent };
      const saved = await saveDraft(store, placeOf(tenant), saving, ({ revision, basedOn }, session) => {
        const decided = { action: "policy.draft", subject: "policy", content: { revision, basedOn } };
        return tenant.insertAudit(auditEntry(call, clock, decided), session);
      });
      crashPoint("compliance.draft.saved");
      return { draft: savedDraftToWire(saved) };
    },

    async getPolicyDraft(_request, call) {
      const tenant = store.forTenant(call.tenantId);
      const draft = await tenant.findDraft();
      if (draft !== undefined) return { draft: savedDraftToWire(draft) };
      const policy = await tenant.findPolicy();
      return { draft: unsavedDraftToWire(policy ?? emptyPolicy, policy?.version ?? 0) };
    },

    async publishPolicyDraft({ revision }, call) {
      const tenant = store.forTenant(call.tenantId);
      const policy = await publishDraft(
        store,
        placeOf(tenant),
        { revision, by: actorOf(call), what },
        (draft, session) => publish({ outbox, clock }, tenant, draft, draft, call, session),
      );
      crashPoint("compliance.policy.published");
      outbox.wake();
      return { policy: policyToWire(policy) };
    },

    async tryPolicyDraft({ from, to }, call) {
      if (from === undefined) throw invalidInput("from", "is required");
      if (to === undefined || to <= from) throw invalidInput("to", "must be after from");
      const tenant = store.forTenant(call.tenantId);
      const [live, draft] = [await tenant.findPolicy(), await tenant.findDraft()];
      if (draft === undefined) throw noDraft(what);
      const asPolicy = { ...draft, version: 0, publishedAt: draft.savedAt, publishedBy: "", draftedBy: draft.savedBy };
      const before = (day: string) => Temporal.PlainDate.from(day).subtract({ days: 1 }).toString();
      const trial = await tryPolicies(
        live,
        asPolicy,
        tenant.streamDecisions(from, to, maxTried),
        (customerId, first, day) => tenant.listDays(customerId, first, before(day)),
      );
      return {
        liveVersion: live?.version ?? 0,
        draftRevision: draft.revision,
        transactions: trial.transactions,
        truncated: trial.transactions === maxTried,
        counts: trial.counts.map((count) => ({
          ...count,
          live: kindToWire(count.live),
          draft: kindToWire(count.draft),
        })),
        members: Array.from(trial.members, ([member, count]) => ({ member, ...count })),
        differences: trial.differences.map(({ recorded, live: byLive, draft: byDraft }) => ({
          transactionId: recorded.transactionId,
          customerId: recorded.inputs.facts.customerId,
          amount: moneyToWire(recorded.inputs.facts.amount),
          decidedAt: recorded.decidedAt,
          live: kindToWire(byLive.decision),
          draft: kindToWire(byDraft.decision),
          liveRules: byLive.matchedRules,
          draftRules: byDraft.matchedRules,
        })),
      };
    },
  } satisfies Partial<Handlers<ComplianceServiceDefinition>>;
}

function placeOf(tenant: TenantStore): DraftPlace<SavedDraft, Policy> {
  const { findPolicyVersion: findVersion, findPolicyByRevision: findByRevision } = tenant;
  const { findDraft, findDraftRevision, putDraft, endDraft } = tenant;
  const findInForce = async (session: Session) => (await tenant.findPolicy(session)) ?? emptyPolicy;
  return { findDraft, findDraftRevision, putDraft, endDraft, findVersion, findInForce, findByRevision };
}
