import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { readerOf } from "../codec.js";
import { operation } from "../operation.js";
import { route, v6 } from "../route.js";
import {
  ComplianceAuditEntry,
  ComplianceOverride,
  ComplianceReview,
  Decided,
  overridden,
  ReviewDecision,
} from "../shapes/compliance.js";
import { cursorQuery, idIn, reasonIn } from "../schema.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const base = `${v6}/compliance`;
const decidedFromWire = readerOf(Decided);

const listComplianceReviews = operation({
  method: "get",
  path: `${base}/reviews`,
  tag: "Compliance",
  summary: "List transactions that wait for a person or for documents, oldest first",
  access: ["MANAGER"],
  scopes: ["compliance:read"],
  query: cursorQuery,
  answer: z.object({ reviews: z.array(ComplianceReview), nextCursor: leaf.nextCursor.optional() }),
  message: "Reviews",
  example: { as: "manager@demo.example" },
  rpc: "compliance.listReviews",
});

const decideComplianceReview = route({
  method: "post",
  path: `${base}/reviews/:transactionId/decision`,
  tag: "Compliance",
  summary: "Let a transaction in review go on, or refuse it",
  access: ["MANAGER"],
  peopleOnly: "judgement",
  params: z.object({ transactionId: idIn }),
  body: z.object({ approve: z.boolean(), reason: reasonIn }).meta({ id: "DecideComplianceReviewRequest" }),
  answer: ReviewDecision,
  message: "Review decided",
  example: {
    as: "manager@demo.example",
    params: { transactionId: "the-transaction" },
    body: { approve: true, reason: "Known customer, invoice seen" },
    answers: 404,
  },
  run: async ({ params, body, call, clients }) => {
    const answer = await clients.compliance.decideReview({ ...params, ...body }, outgoing(call));
    return { transactionId: params.transactionId, ...decidedFromWire(answer) };
  },
});

/** Ours, by maker-checker: decided where all approvals are. */
const requestComplianceOverride = operation({
  method: "post",
  path: `${base}/overrides/request`,
  tag: "Compliance",
  summary: "Ask for another decision on a customer than the one by score; another manager must agree",
  access: ["MANAGER", "AGENT"],
  peopleOnly: "judgement",
  headers: { idempotencyKey: "required" },
  body: z
    .object({ customerId: idIn, customerStatus: overridden, reason: reasonIn })
    .meta({ id: "RequestComplianceOverrideRequest" }),
  answer: ComplianceOverride,
  message: "Override asked for",
  renames: { status: "customerStatus" },
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "override-2026-0042" },
    body: { customerId: "the-customer", customerStatus: "CONFIRMED", reason: "Known in person for years" },
    from: { "body.customerId": "login user.customer_id" },
  },
  rpc: "compliance.requestOverride",
  fields: { customerStatus: "status" },
});

const listComplianceOverrides = operation({
  method: "get",
  path: `${base}/overrides`,
  tag: "Compliance",
  summary: "List overrides of decisions, newest first",
  access: ["MANAGER"],
  scopes: ["compliance:read"],
  query: cursorQuery,
  answer: z.object({ overrides: z.array(ComplianceOverride), nextCursor: leaf.nextCursor.optional() }),
  message: "Overrides",
  example: { as: "manager@demo.example" },
  rpc: "compliance.listOverrides",
});

const listComplianceAudit = operation({
  method: "get",
  path: `${base}/audit`,
  tag: "Compliance",
  summary: "List what people decided, newest first",
  access: ["MANAGER"],
  scopes: ["compliance:read"],
  query: cursorQuery.extend({
    subject: z.string().max(256).optional().meta({
      description:
        "What it is about: customer:ID, recipient:customerId/code, staff:ID, transaction:ID, screening:ID, exemption:ID, case:ID, screening-list:SOURCE or its ID, policy, screening-policy.",
    }),
  }),
  answer: z.object({ entries: z.array(ComplianceAuditEntry), nextCursor: leaf.nextCursor.optional() }),
  message: "Audit trail",
  example: { as: "manager@demo.example" },
  rpc: "compliance.listAuditEntries",
});

export const complianceReviewRoutes = {
  listComplianceReviews,
  decideComplianceReview,
  requestComplianceOverride,
  listComplianceOverrides,
  listComplianceAudit,
};
