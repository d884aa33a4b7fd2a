import { CommissionPlan as WirePlan, type AgentServiceDefinition } from "../../../proto/gen/wallet/v1/agents.js";
import { requireUser } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { reasonFromWire } from "../../kernel/text/reason.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { assertTerms } from "../domain/commission.js";
import { planChanges } from "../domain/commission-plan.js";
import { planFromWire, planIdFromWire, planToWire } from "../wire/agents.js";
import { askedOfAgents } from "./agent-outcomes.js";
import { pageSizeOf } from "./agent-requests.js";
import type { WalletDeps } from "./deps.js";
import { approvalKeyOf } from "../../platform/approvals/request-id.js";

/** What agents earn, in versions that never change. */
export function commissionPlanHandlers({ store, approvals }: WalletDeps) {
  return {
    async putCommissionPlan(request, call) {
      const key = textFromWire(request.idempotencyKey, "idempotencyKey", { maximum: 255 });
      const plan = planFromWire(request.plan);
      assertTerms(plan);
      const reason = reasonFromWire(request.reason);
      const held = await store.forTenant(call.tenantId).newestPlan(plan.planId);
      if (held !== undefined && held.currency !== plan.currency) {
        throw invalidInput("currency", `must stay ${held.currency}: a plan of another currency is another plan`);
      }
      const approval = await approvals.ask(call, {
        idempotencyKey: approvalKeyOf("commission-plan", key, call),
        kind: "AGENT_CHANGE",
        subject: `commission-plan:${plan.planId}`,
        summary: `Commission by plan ${plan.planId}, ${plan.name}`,
        reason,
        payload: askedOfAgents("PLAN", WirePlan, request.plan!, held?.version ?? 0),
        changes: planChanges(held, plan),
      });
      return { approvalId: approval.approvalId, approvalStatus: approval.status };
    },

    async listCommissionPlans(request, call) {
      const size = pageSizeOf(request);
      const all = await store.forTenant(call.tenantId).listPlans(request.cursor, size + 1);
      const plans = all.slice(0, size);
      return { plans: plans.map(planToWire), nextCursor: all.length > size ? (plans.at(-1)?.planId ?? "") : "" };
    },

    async listCommissionPlanVersions(request, call) {
      const planId = planIdFromWire(request.planId, "planId");
      const wallet = store.forTenant(call.tenantId);
      const { role, userId } = requireUser(call);
      if (role === "AGENT") {
        const agent = await wallet.findAgent(userId);
        const isPaidByIt = agent?.terms.some(({ commissionPlanId }) => commissionPlanId === planId);
        if (isPaidByIt !== true) throw new Refusal("FORBIDDEN", "you are not paid by this plan");
      }
      const size = pageSizeOf(request);
      const all = await wallet.listPlanVersions(planId, versionOf(request.cursor), size + 1);
      if (all.length === 0 && request.cursor === "") throw new Refusal("NOT_FOUND", "no such plan");
      const plans = all.slice(0, size);
      return { plans: plans.map(planToWire), nextCursor: all.length > size ? String(plans.at(-1)?.version) : "" };
    },
  } satisfies Partial<Handlers<AgentServiceDefinition>>;
}

function versionOf(cursor: string): number | undefined {
  if (cursor === "") return undefined;
  if (!/^[1-9]\d{0,8}$/.test(cursor)) throw invalidInput("cursor", "is not one of a page before");
  return Number(cursor);
}
