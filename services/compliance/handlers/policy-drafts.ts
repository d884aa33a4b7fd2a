import type { ComplianceServiceDefinition } from "../../../proto/gen/compliance/v1/compliance.js";
import { crashPoint } from "../../shared/crash-point.js";
import { actorOf, requireUser, type Call } from "../../shared/grpc/context.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { moneyToWire } from "../../shared/money.js";
import { invalidInput, Refusal } from "../../shared/refusal.js";
import { tryPolicies } from "../checks/trial.js";
import { checkPolicy } from "../domain/policy-check.js";
import { hasContent, type SavedDraft } from "../domain/policy.js";
import type { Session, TenantStore } from "../store/index.js";
import { draftFromWire, policyToWire, savedDraftToWire } from "../wire/policy.js";
import { kindToWire } from "../wire/transactions.js";
import { auditEntry } from "./audit.js";
import type { ComplianceDeps } from "./deps.js";
import { publish } from "./policy-publication.js";

type Rpcs = "savePolicyDraft" | "getPolicyDraft" | "publishPolicyDraft" | "tryPolicyDraft";

const maxTried = 20_000;

/**
 * The draft of the next policy: written by one person, tried on past transactions, published by
 * another.
 */
export function policyDraftHandlers({
  store,
  clock,
}: Pick<ComplianceDeps, "store" | "clock">): Pick<Handlers<ComplianceServiceDefinition>, Rpcs> {
  return {
    async savePolicyDraft(request, call) {
      const { userId } = requireUser(call);
      const content = checkPolicy(draftFromWire(request));
      const tenant = store.forTenant(call.tenantId);
      const isSaved = (draft: SavedDraft | undefined) =>
        draft !== undefined && draft.savedBy === userId && hasContent(draft, content) ? draft : undefined;
      const saved = await store.transaction(
        async (session) => {
          const before = await tenant.findDraft(session);
          const same = isSaved(before);
          if (same !== undefined) return same;
          if ((before?.revision ?? 0) !== request.revision) throw movedOn(before?.revision ?? 0);
          const revision = request.revision + 1;
          const basedOn = await tenant.findPolicyVersion(session);
          const draft: SavedDraft = { ...content, revision, basedOn, savedAt: clock.now(), savedBy: userId };
          await tenant.putDraft(draft, session);
          const decided = { action: "policy.draft", subject: "policy", content: { revision, basedOn } };
          await tenant.insertAudit(auditEntry(call, clock, decided), session);
          return draft;
        },
        async () => isSaved(await tenant.findDraft()),
      );
      crashPoint("compliance.draft.saved");
      return { draft: savedDraftToWire(saved) };
    },

    async getPolicyDraft(_request, call) {
      const draft = await store.forTenant(call.tenantId).findDraft();
      if (draft === undefined) throw noDraft();
      return { draft: savedDraftToWire(draft) };
    },

    async publishPolicyDraft({ revision }, call) {
      const tenant = store.forTenant(call.tenantId);
      const policy = await store.transaction(
        async (session) => {
          const before = await tenant.findPolicyByRevision(revision, session);
          if (before !== undefined) return before;
          const draft = await draftToPublish(tenant, revision, call, session);
          return publish(tenant, draft, draft, call, clock, session);
        },
        () => tenant.findPolicyByRevision(revision),
      );
      crashPoint("compliance.policy.published");
      return { policy: policyToWire(policy) };
    },

    async tryPolicyDraft({ from, to }, call) {
      if (from === undefined) throw invalidInput("from", "is required");
      if (to === undefined || to <= from) throw invalidInput("to", "must be after from");
      const tenant = store.forTenant(call.tenantId);
      const [live, draft] = [await tenant.findPolicy(), await tenant.findDraft()];
      if (draft === undefined) throw noDraft();
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
        differences: trial.differences.map(({ kept, live: byLive, draft: byDraft }) => ({
          transactionId: kept.transactionId,
          customerId: kept.inputs.facts.customerId,
          amount: moneyToWire(kept.inputs.facts.amount),
          decidedAt: kept.decidedAt,
          live: kindToWire(byLive.decision),
          draft: kindToWire(byDraft.decision),
          liveRules: byLive.matchedRules,
          draftRules: byDraft.matchedRules,
        })),
      };
    },
  };
}

async function draftToPublish(tenant: TenantStore, revision: number, call: Call, session: Session) {
  const draft = await tenant.findDraft(session);
  if (draft === undefined) throw noDraft();
  if (draft.revision !== revision) throw movedOn(draft.revision);
  // By maker-checker one person changes limits and rules, and another lets them in.
  if (draft.savedBy === actorOf(call)) {
    throw new Refusal("FORBIDDEN", "somebody else than its author must publish this draft");
  }
  const current = await tenant.findPolicyVersion(session);
  if (draft.basedOn !== current) {
    throw new Refusal("STATE_CONFLICT", `the draft was begun on version ${draft.basedOn}, and ${current} holds now`);
  }
  return draft;
}

function noDraft(): Refusal {
  return new Refusal("NOT_FOUND", "there is no draft of the policy");
}

function movedOn(revision: number): Refusal {
  return new Refusal("STATE_CONFLICT", `the draft is at revision ${revision}: read it again`);
}
