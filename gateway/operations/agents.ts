import { z } from "zod";
import * as leaf from "../../services/platform/events/shapes/leaves.js";
import { operation } from "../operation.js";
import { approvalAsked, cursorQuery, idIn, isPending, reasonIn } from "../schema.js";
import {
  AgentConfiguration,
  AgentConfigurationIn,
  CommissionPlan,
  CommissionPlanIn,
  planOf,
} from "../shapes/agents.js";

export const agentsBase = "/api/v6/services/admin/agent-management";

export const ofManagers = { tag: "Agents", access: ["MANAGER"] } as const;
export const asked = {
  ...ofManagers,
  peopleOnly: "judgement",
  headers: { idempotencyKey: "required" },
  answer: approvalAsked,
  waits: true,
  isWaiting: isPending,
} as const;
const manager = "manager@demo.example";

const putCommissionPlan = operation({
  ...asked,
  method: "post",
  path: `${agentsBase}/commission-plans`,
  summary: "Ask for a version of what agents earn, which another manager approves; versions never change",
  body: CommissionPlanIn.extend({ reason: reasonIn }).meta({ id: "CommissionPlanRequest" }),
  message: "Commission plan asked for",
  asks: ({ body: { reason, ...plan } }) => ({ plan: planOf(plan), reason }),
  example: {
    as: manager,
    headers: { "x-idempotency-key": "plan-standard-1" },
    body: {
      planId: "STANDARD",
      name: "Standard agents",
      currency: "USD",
      rules: [{ basis: "FEE", bps: 4_000 }],
      reason: "What agents have signed",
    },
    answers: 202,
  },
  rpc: "agents.putCommissionPlan",
});

const listCommissionPlans = operation({
  ...ofManagers,
  method: "get",
  path: `${agentsBase}/commission-plans`,
  scopes: ["settings:write"],
  summary: "List the newest version of each commission plan",
  query: cursorQuery,
  answer: z.object({ plans: z.array(CommissionPlan), nextCursor: leaf.nextCursor.optional() }),
  message: "Commission plans",
  example: { as: manager },
  rpc: "agents.listCommissionPlans",
});

const listCommissionPlanVersions = operation({
  tag: "Agents",
  access: ["AGENT", "MANAGER"],
  method: "get",
  path: `${agentsBase}/commission-plans/:planId/versions`,
  scopes: ["organisation:read"],
  summary: "List all versions of a commission plan, the newest first; agents read the one that they are paid by",
  params: z.object({ planId: idIn }),
  query: cursorQuery,
  answer: z.object({ plans: z.array(CommissionPlan), nextCursor: leaf.nextCursor.optional() }),
  message: "Versions of a commission plan",
  example: { as: manager, params: { planId: "no-such-plan" }, answers: 404 },
  rpc: "agents.listCommissionPlanVersions",
});

export const agentPath = z.object({ agentId: idIn.meta({ description: "User id." }) });
export const noAgent = { as: manager, params: { agentId: "no-such-agent" }, answers: 404 } as const;

const putAgentConfiguration = operation({
  ...asked,
  method: "put",
  path: `${agentsBase}/agents/:agentId`,
  summary: "Ask for how an agent sells to be set, which another manager approves; it holds in place of what was",
  params: agentPath,
  body: AgentConfigurationIn,
  message: "Agent configuration asked for",
  example: {
    ...noAgent,
    headers: { "x-idempotency-key": "agent-1" },
    body: { mode: "TILL", terms: [{ currency: "USD", perTransaction: "1000.00" }], reason: "Signed today" },
  },
  rpc: "agents.putAgentConfiguration",
});

const suspendAgent = operation({
  ...ofManagers,
  method: "post",
  path: `${agentsBase}/agents/:agentId/suspend`,
  peopleOnly: "judgement",
  headers: { idempotencyKey: "required" },
  summary: "Suspend an agent at once: they sell nothing from now on",
  params: agentPath,
  body: z.object({ reason: reasonIn }).meta({ id: "SuspendAgentRequest" }),
  answer: AgentConfiguration,
  message: "Agent suspended",
  example: { ...noAgent, headers: { "x-idempotency-key": "suspend-1" }, body: { reason: "Till is short" } },
  rpc: "agents.suspendAgent",
});

const reactivateAgent = operation({
  ...asked,
  method: "post",
  path: `${agentsBase}/agents/:agentId/reactivate`,
  summary: "Ask for an agent's suspension to be lifted, which another manager approves",
  params: agentPath,
  body: z.object({ reason: reasonIn }).meta({ id: "ReactivateAgentRequest" }),
  message: "Reactivation asked for",
  example: { ...noAgent, headers: { "x-idempotency-key": "reactivate-1" }, body: { reason: "Till was counted" } },
  rpc: "agents.reactivateAgent",
});

const readAgentConfiguration = operation({
  tag: "Agents",
  access: ["AGENT", "MANAGER"],
  method: "get",
  path: `${agentsBase}/agents/:agentId`,
  scopes: ["organisation:read"],
  summary: "Read how an agent sells; agents read their own",
  params: agentPath,
  answer: AgentConfiguration,
  message: "Agent configuration",
  example: noAgent,
  rpc: "agents.getAgentConfiguration",
});

const listAgentConfigurations = operation({
  ...ofManagers,
  method: "get",
  path: `${agentsBase}/agents`,
  scopes: ["settings:write"],
  summary: "List how agents sell",
  query: cursorQuery,
  answer: z.object({ agents: z.array(AgentConfiguration), nextCursor: leaf.nextCursor.optional() }),
  message: "Agent configurations",
  example: { as: manager },
  rpc: "agents.listAgentConfigurations",
});

/** In the order in which the documentation shows them. */
export const agentRoutes = {
  putAgentConfiguration,
  readAgentConfiguration,
  listAgentConfigurations,
  suspendAgent,
  reactivateAgent,
  putCommissionPlan,
  listCommissionPlans,
  listCommissionPlanVersions,
};
