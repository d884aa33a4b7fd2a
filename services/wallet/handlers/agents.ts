import {
  PutAgentConfigurationRequest,
  ReactivateAgentRequest,
  SuspendAgentRequest,
  SuspendAgentResponse,
  type AgentServiceDefinition,
} from "../../../proto/gen/wallet/v1/agents.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { passing, Refusal } from "../../kernel/refusal.js";
import { reasonFromWire } from "../../kernel/text/reason.js";
import { idFromWire, textFromWire } from "../../kernel/text/wire-text.js";
import {
  assertConfiguration,
  assertShown,
  configurationChanges,
  unsetAgent,
  type AgentConfiguration,
} from "../domain/agent.js";
import { agentDayAccount } from "../domain/agent-sale.js";
import { assertNotUsed } from "../domain/agent-balance.js";
import { agentToWire, configurationFromWire } from "../wire/agents.js";
import { askedOfAgents, statusChange } from "./agent-outcomes.js";
import { assertAgent, assertPlans, ownAgent, pageSizeOf } from "./agent-requests.js";
import type { WalletDeps } from "./deps.js";
import { approvalKeyOf } from "../../platform/approvals/request-id.js";

/** How agents sell: set by two managers, suspended by one. */
export function agentHandlers(deps: WalletDeps) {
  const { store, approvals, runOnce, clock } = deps;

  /** What sales of the business day take of each limit of a day, by currency. */
  async function usedToday({ agentId, terms }: AgentConfiguration, call: Call): Promise<ReadonlyMap<string, bigint>> {
    const limited = terms.filter(({ perDayMinor }) => perDayMinor !== undefined);
    if (limited.length === 0) return new Map();
    const day = (await deps.businessClock.forTenant(call.tenantId, call.interactionId)).today().toString();
    const wallet = store.forTenant(call.tenantId);
    const used = limited.map(async ({ currency }) => {
      return [currency, await wallet.spentOn(agentDayAccount(agentId, currency), day)] as const;
    });
    return new Map(await Promise.all(used));
  }

  return {
    async putAgentConfiguration(request, call) {
      const key = textFromWire(request.idempotencyKey, "idempotencyKey", { maximum: 255 });
      const written = configurationFromWire(request);
      assertConfiguration(written);
      const reason = reasonFromWire(request.reason);
      const { agentId, terms } = written;
      await assertAgent(deps, agentId, call);
      await assertPlans(deps, terms, call);
      const wallet = store.forTenant(call.tenantId);
      assertNotUsed(await wallet.agentBalances(agentId), written);
      const held = await wallet.findAgent(agentId);
      const approval = await approvals.ask(call, {
        idempotencyKey: approvalKeyOf("agent-configuration", key, call),
        kind: "AGENT_CHANGE",
        subject: `agent:${agentId}`,
        concernedUserId: agentId,
        summary: `How the agent ${agentId} sells`,
        reason,
        payload: askedOfAgents(
          "CONFIGURATION",
          PutAgentConfigurationRequest,
          { ...request, idempotencyKey: "", reason: "" },
          held?.version ?? 0,
        ),
        changes: configurationChanges(held, written),
      });
      return { approvalId: approval.approvalId, approvalStatus: approval.status };
    },

    async suspendAgent(request, call) {
      const reason = reasonFromWire(request.reason);
      const agentId = idFromWire(request.agentId, "agentId");
      return runOnce<SuspendAgentRequest, SuspendAgentResponse>({
        operation: "wallet.v1.SuspendAgent",
        request,
        requestType: SuspendAgentRequest,
        response: SuspendAgentResponse,
        call,
        prepare: async () => {
          if ((await store.forTenant(call.tenantId).findAgent(agentId)) === undefined) {
            await assertAgent(deps, agentId, call, { mayBeDisabled: true });
          }
        },
        work: async (session) => {
          const wallet = store.forTenant(call.tenantId);
          const held = (await wallet.findAgent(agentId, session)) ?? unsetAgent(agentId);
          if (held.status === "SUSPENDED") throw new Refusal("STATE_CONFLICT", "the agent is suspended");
          const suspended = {
            ...held,
            version: held.version + 1,
            status: "SUSPENDED" as const,
            reason,
            changedBy: requireUser(call).userId,
            changedAt: clock.now(),
          };
          if (!(await wallet.putAgent(suspended, session))) throw passing("STATE_CONFLICT", "it is changed right now");
          return { agent: agentToWire(suspended) };
        },
      });
    },

    async reactivateAgent(request, call) {
      const key = textFromWire(request.idempotencyKey, "idempotencyKey", { maximum: 255 });
      const reason = reasonFromWire(request.reason);
      const agentId = idFromWire(request.agentId, "agentId");
      const held = assertShown(await store.forTenant(call.tenantId).findAgent(agentId));
      if (held.status !== "SUSPENDED") throw new Refusal("STATE_CONFLICT", "the agent is not suspended");
      const approval = await approvals.ask(call, {
        idempotencyKey: approvalKeyOf("agent-reactivation", key, call),
        kind: "AGENT_CHANGE",
        subject: `agent:${agentId}`,
        concernedUserId: agentId,
        summary: `The agent ${agentId} sells again`,
        reason,
        payload: askedOfAgents(
          "REACTIVATION",
          ReactivateAgentRequest,
          { ...request, idempotencyKey: "", reason: "" },
          held.version,
        ),
        changes: [statusChange("SUSPENDED", "ACTIVE")],
      });
      return { approvalId: approval.approvalId, approvalStatus: approval.status };
    },

    async getAgentConfiguration(request, call) {
      const agentId = ownAgent(request.agentId, call);
      const agent = assertShown(await store.forTenant(call.tenantId).findAgent(agentId));
      return { agent: agentToWire(agent, await usedToday(agent, call)) };
    },

    async listAgentConfigurations(request, call) {
      const size = pageSizeOf(request);
      const all = await store.forTenant(call.tenantId).listAgents(request.cursor, size + 1);
      const agents = all.slice(0, size);
      return {
        agents: agents.map((one) => agentToWire(one)),
        nextCursor: all.length > size ? (agents.at(-1)?.agentId ?? "") : "",
      };
    },
  } satisfies Partial<Handlers<AgentServiceDefinition>>;
}
