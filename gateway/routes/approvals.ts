import { z } from "zod";
import type { Approval as WireApproval } from "../../proto/gen/identity/v1/approvals.js";
import { outgoing } from "../../services/shared/grpc/client.js";
import { route } from "../route.js";
import { decimalText, instant, text } from "../schema.js";
import { absentIfEmpty, filled, moneyText, timeText } from "../wire.js";
import { v6 } from "./base.js";

const base = `${v6}/admin/approvals`;
const statuses = ["PENDING", "APPROVED", "REFUSED", "EXPIRED"] as const;

const Approval = z
  .object({
    id: z.string(),
    kind: z.string(),
    subject: z.string(),
    summary: z.string(),
    amount: decimalText.optional(),
    currency: z.string().optional(),
    status: z.enum(statuses),
    askedBy: z.string(),
    askedBecause: z.string(),
    askedAt: instant,
    expiresAt: instant,
    decidedBy: z.string().optional(),
    decidedBecause: z.string().optional(),
    decidedAt: instant.optional(),
  })
  .meta({ id: "Approval" });

export const listApprovals = route({
  method: "get",
  path: base,
  operationId: "listApprovals",
  tag: "Approvals",
  summary: "List what waits for a second person, or was decided",
  access: ["MANAGER"],
  query: z.object({ status: z.enum(statuses).optional(), cursor: text(64).optional() }),
  answer: z.object({ approvals: z.array(Approval), cursor: z.string().optional() }),
  message: "Approvals",
  example: { as: "manager@demo.example" },
  run: async ({ query, call, clients }) => {
    const request = { status: query.status ?? "", pageToken: query.cursor ?? "", pageSize: 100 };
    const { approvals, nextPageToken } = await clients.identity.listApprovals(request, outgoing(call));
    return { approvals: approvals.map(fromWire), cursor: absentIfEmpty(nextPageToken) };
  },
});

function decision(verb: "approve" | "refuse", message: string) {
  return route({
    method: "post",
    path: `${base}/:approvalId/${verb}`,
    operationId: `${verb}Approval`,
    tag: "Approvals",
    summary: `${verb === "approve" ? "Approve" : "Refuse"} what somebody else asked for`,
    access: ["MANAGER"],
    params: z.object({ approvalId: text(64) }),
    body: z.object({ reason: text(100) }).meta({ id: `Approval${verb === "approve" ? "Consent" : "Refusal"}` }),
    answer: Approval,
    message,
    example: {
      as: "manager@demo.example",
      params: { approvalId: "0199d0c2-0000-7000-8000-000000000001" },
      body: { reason: "checked against the bank's statement" },
      answers: 404,
    },
    run: async ({ params, body, call, clients }) => {
      const request = { ...params, ...body, approve: verb === "approve" };
      return fromWire(filled((await clients.identity.resolveApproval(request, outgoing(call))).approval, "approval"));
    },
  });
}

export const approveApproval = decision("approve", "Approved");
export const refuseApproval = decision("refuse", "Refused");

function fromWire(approval: WireApproval): z.output<typeof Approval> {
  const { approvalId, kind, subject, summary, amount, status, askedBy, askedBecause, decidedAt } = approval;
  return {
    id: approvalId,
    kind,
    subject,
    summary,
    ...(amount && { amount: moneyText(amount, "approval.amount"), currency: amount.currency }),
    status: status as z.output<typeof Approval>["status"],
    askedBy,
    askedBecause,
    askedAt: timeText(approval.askedAt, "approval.asked_at"),
    expiresAt: timeText(approval.expiresAt, "approval.expires_at"),
    decidedBy: absentIfEmpty(approval.decidedBy),
    decidedBecause: absentIfEmpty(approval.decidedBecause),
    ...(decidedAt && { decidedAt: decidedAt.toISOString() }),
  };
}
