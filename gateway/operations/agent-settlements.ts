import { z } from "zod";
import * as leaf from "../../services/platform/events/shapes/leaves.js";
import { AgentLine, AgentSettlement } from "../../services/platform/events/shapes/agent-settlement-shape.js";
import { operation } from "../operation.js";
import { cursorQuery, currencyCode, dateIn, idIn, maybe, moneyTextOrNumberIn, reasonIn, text } from "../schema.js";
import { agentsBase, asked } from "./agents.js";

export const settlementsBase = `${agentsBase}/settlements`;

const manager = "manager@demo.example";
export const settlementPath = z.object({ settlementId: idIn });
const noSettlement = { as: manager, params: { settlementId: "no-such-settlement" }, answers: 404 } as const;
/** Read by managers and by the agent whose it is. */
export const ofBoth = { tag: "Agents", access: ["AGENT", "MANAGER"], scopes: ["reports:read"] } as const;
const keyed = { headers: { idempotencyKey: "required" } } as const;
const byManager = { tag: "Agents", access: ["MANAGER"], peopleOnly: "judgement", ...keyed } as const;
const paged = { size: { field: "pageSize", absent: "20" } } as const;

const openAgentSettlement = operation({
  ...byManager,
  method: "post",
  path: settlementsBase,
  summary: "Open what an agent and the organisation settle for business days; no two have a day in common",
  body: z
    .object({
      agentId: idIn.meta({ description: "User id." }),
      currency: currencyCode,
      from: dateIn,
      to: dateIn.meta({ description: "The first day that is not in it." }),
    })
    .meta({ id: "AgentSettlementRequest" }),
  answer: AgentSettlement,
  message: "Settlement opened",
  example: {
    as: manager,
    headers: { "x-idempotency-key": "agent-settlement-2026-11" },
    body: { agentId: "no-such-agent", currency: "USD", from: "2026-11-01", to: "2026-12-01" },
    answers: 404,
  },
  rpc: "agentSettlements.openAgentSettlement",
});

const listAgentSettlements = operation({
  ...ofBoth,
  method: "get",
  path: settlementsBase,
  summary: "List settlements of agents, the newest first; agents read their own",
  query: cursorQuery.extend({
    agentId: idIn.optional().meta({ description: "User id." }),
    currency: currencyCode.optional(),
    status: AgentSettlement.shape.status.optional(),
  }),
  answer: z.object({ settlements: z.array(AgentSettlement), nextCursor: leaf.nextCursor.optional() }),
  message: "Settlements of agents",
  example: { as: manager },
  rpc: "agentSettlements.listAgentSettlements",
});

const readAgentSettlement = operation({
  ...ofBoth,
  method: "get",
  path: `${settlementsBase}/:settlementId`,
  summary: "Read a settlement of an agent: what its lines come to, who approved it and what was paid",
  params: settlementPath,
  answer: AgentSettlement,
  message: "Settlement of an agent",
  example: noSettlement,
  rpc: "agentSettlements.getAgentSettlement",
});

const listAgentSettlementLines = operation({
  ...ofBoth,
  method: "get",
  path: `${settlementsBase}/:settlementId/lines`,
  summary: "List the lines of a settlement of an agent, in the order of its statement",
  params: settlementPath,
  query: cursorQuery,
  answer: z.object({ lines: z.array(AgentLine), nextCursor: leaf.nextCursor.optional() }),
  message: "Lines of a settlement of an agent",
  example: noSettlement,
  rpc: "agentSettlements.listAgentSettlementLines",
  fields: paged,
});

const cancelAgentSettlement = operation({
  ...byManager,
  method: "post",
  path: `${settlementsBase}/:settlementId/cancel`,
  summary: "Take a settlement of an agent back that is not closed yet; its days may be settled by another",
  params: settlementPath,
  answer: AgentSettlement,
  message: "Settlement cancelled",
  example: { ...noSettlement, headers: { "x-idempotency-key": "cancel-agent-settlement-1" } },
  rpc: "agentSettlements.cancelAgentSettlement",
});

const closeAgentSettlement = operation({
  ...byManager,
  method: "post",
  path: `${settlementsBase}/:settlementId/close`,
  summary: "Close a settlement of an agent whose days are over: its lines are taken behind the answer",
  params: settlementPath,
  answer: AgentSettlement,
  message: "Settlement is closing",
  example: { ...noSettlement, headers: { "x-idempotency-key": "close-agent-settlement-1" } },
  rpc: "agentSettlements.closeAgentSettlement",
});

const approveAgentSettlement = operation({
  ...asked,
  method: "post",
  path: `${settlementsBase}/:settlementId/approve`,
  summary: "Ask for a closed settlement of an agent to be approved by another manager",
  params: settlementPath,
  body: z.object({ reason: reasonIn }).meta({ id: "ApproveAgentSettlementRequest" }),
  message: "Approval asked for",
  example: {
    ...noSettlement,
    headers: { "x-idempotency-key": "approve-agent-settlement-1" },
    body: { reason: "Compared with the agent" },
  },
  rpc: "agentSettlements.approveAgentSettlement",
});

const payAgentSettlement = operation({
  ...asked,
  method: "post",
  path: `${settlementsBase}/:settlementId/payments`,
  summary:
    "Ask for an approved settlement of an agent to be booked with what moved at the bank, which another manager approves",
  params: settlementPath,
  body: z
    .object({
      bankAmount: moneyTextOrNumberIn.meta({
        description:
          "What came to the bank where the agent owes, or left it where the organisation does: 0 to what is owed.",
      }),
      bank: maybe(idIn).meta({ description: "Needed where the organisation has several." }),
      reference: text(100).meta({ description: "The bank's." }),
      reason: reasonIn,
    })
    .meta({ id: "AgentSettlementPaymentRequest" }),
  message: "Payment asked for",
  example: {
    ...noSettlement,
    headers: { "x-idempotency-key": "pay-agent-settlement-1" },
    body: { bankAmount: "3712.59", reference: "WIRE-77", reason: "It has arrived" },
  },
  rpc: "agentSettlements.payAgentSettlement",
});

const disputeAgentSettlement = operation({
  tag: "Agents",
  access: ["AGENT", "MANAGER"],
  peopleOnly: "judgement",
  ...keyed,
  method: "post",
  path: `${settlementsBase}/:settlementId/disputes`,
  summary: "Say what is wrong with a closed settlement of an agent; agents dispute their own",
  params: settlementPath,
  body: z.object({ reason: reasonIn }).meta({ id: "DisputeAgentSettlementRequest" }),
  answer: AgentSettlement,
  message: "Settlement disputed",
  example: {
    ...noSettlement,
    headers: { "x-idempotency-key": "dispute-agent-settlement-1" },
    body: { reason: "One sale is not mine" },
  },
  rpc: "agentSettlements.disputeAgentSettlement",
});

const endAgentSettlementDispute = operation({
  ...byManager,
  method: "post",
  path: `${settlementsBase}/:settlementId/disputes/end`,
  summary: "End a dispute: the settlement is as it was, or CLOSED without lines that the next one settles",
  params: settlementPath,
  body: z
    .object({
      reason: reasonIn,
      lineIds: maybe(z.array(idIn).max(100)).meta({ description: "Lines that the next settlement has." }),
    })
    .meta({ id: "EndAgentSettlementDisputeRequest" }),
  answer: AgentSettlement,
  message: "Dispute ended",
  example: {
    ...noSettlement,
    headers: { "x-idempotency-key": "end-agent-settlement-dispute-1" },
    body: { reason: "Another agent's, to be settled once it is known whose" },
  },
  rpc: "agentSettlements.endAgentSettlementDispute",
});

/** In the order in which the documentation shows them. */
export const agentSettlementRoutes = {
  openAgentSettlement,
  listAgentSettlements,
  readAgentSettlement,
  listAgentSettlementLines,
  cancelAgentSettlement,
  closeAgentSettlement,
  approveAgentSettlement,
  payAgentSettlement,
  disputeAgentSettlement,
  endAgentSettlementDispute,
};
