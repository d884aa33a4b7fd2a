import { z } from "zod";
import { CustomerStatus, type Override as WireOverride } from "../../proto/gen/compliance/v1/compliance.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { route, type Route } from "../route.js";
import { decimalText, instant } from "../schema.js";
import { absentIfEmpty, enumName, filled, moneyText, timeText } from "../wire.js";
import { v6 } from "./base.js";
import { cursorQuery, idIn, nextCursorOf, pageOf, reasonIn } from "./cursor-pages.js";
import { HitSummary, hitSummaryFromWire, nameOut, nameStates } from "./case-content-shapes.js";
import { decisions } from "../../services/platform/events/shapes/customer-compliance-shape.js";

const base = `${v6}/compliance`;
const reviewReasons = [
  "SCREENING_HIT",
  "SCREENING_UNAVAILABLE",
  "PARTIES_UNKNOWN",
  "RULE",
  "NO_POLICY",
  "DOCUMENTS",
  "CUSTOMER_NOT_CONFIRMED",
  "FORCED",
] as const;
const overrideStates = ["REQUESTED", "APPROVED", "REFUSED", "EXPIRED"] as const;
const overridden = ["CONFIRMED", "BLOCKED"] as const;

/** Ours */
const listComplianceReviews = route({
  method: "get",
  path: `${base}/reviews`,
  operationId: "listComplianceReviews",
  tag: "Compliance",
  summary: "List transactions that wait for a person or for documents, oldest first",
  access: ["MANAGER"],
  scopes: ["compliance:read"],
  query: cursorQuery,
  answer: z.object({
    reviews: z.array(
      z
        .object({
          transactionId: z.string(),
          customerId: z.string(),
          amount: decimalText,
          currency: z.string(),
          originCountry: z.string(),
          receivingCountry: z.string(),
          operation: z.string().meta({ description: "REMITTANCE, WALLET_PAYMENT, LOAN_APPLICATION or INVESTMENT" }),
          decision: z.enum(decisions),
          matchedRules: z.array(z.string()),
          outstandingRequirements: z.array(z.string()),
          policyVersion: z.number().int(),
          decidedAt: instant,
          reason: z.enum(reviewReasons).meta({ description: "Why it waits; for officers, and told to nobody else." }),
          screeningIds: z.array(z.string()).meta({ description: "Of SCREENING_HIT: what has to be decided first." }),
          caseId: z.string().optional().meta({ description: "Absent for the moment until it has joined one." }),
          caseAssignee: z.string().optional().meta({ description: "Who works the case; absent where nobody does." }),
          customerName: nameOut,
          customerNameState: z.enum(nameStates),
          recipient: z.string().optional().meta({ description: "The recipient's code, or the customer who is paid." }),
          recipientName: nameOut,
          hits: z.array(HitSummary).meta({ description: "The five that matter most, undecided ones first." }),
        })
        .meta({ id: "ComplianceReview" }),
    ),
    nextCursor: z.string().optional(),
  }),
  message: "Reviews",
  example: { as: "manager@demo.example" },
  run: async ({ query, call, clients }) => {
    const answer = await clients.compliance.listReviews(pageOf(query), outgoing(call));
    return {
      reviews: answer.reviews.map(({ amount, decision, decidedAt, ...rest }) => ({
        ...rest,
        reason: rest.reason as (typeof reviewReasons)[number],
        caseId: absentIfEmpty(rest.caseId),
        caseAssignee: absentIfEmpty(rest.caseAssignee),
        customerName: absentIfEmpty(rest.customerName),
        customerNameState: rest.customerNameState as (typeof nameStates)[number],
        recipient: absentIfEmpty(rest.recipient),
        recipientName: absentIfEmpty(rest.recipientName),
        hits: rest.hits.map(hitSummaryFromWire),
        amount: moneyText(amount, "review.amount"),
        currency: filled(amount, "review.amount").currency,
        decision: enumName(decision, "DECISION_") as (typeof decisions)[number],
        decidedAt: timeText(decidedAt, "review.decided_at"),
      })),
      ...nextCursorOf(answer),
    };
  },
});

/** Ours */
const decideComplianceReview = route({
  method: "post",
  path: `${base}/reviews/:transactionId/decision`,
  operationId: "decideComplianceReview",
  tag: "Compliance",
  summary: "Let a transaction in review go on, or refuse it",
  access: ["MANAGER"],
  peopleOnly: "judgement",
  params: z.object({ transactionId: idIn }),
  body: z.object({ approve: z.boolean(), reason: reasonIn }).meta({ id: "DecideComplianceReviewRequest" }),
  answer: z.object({ transactionId: z.string(), decision: z.enum(decisions) }).meta({ id: "ReviewDecision" }),
  message: "Review decided",
  example: {
    as: "manager@demo.example",
    params: { transactionId: "the-transaction" },
    body: { approve: true, reason: "Known customer, invoice seen" },
    answers: 404,
  },
  run: async ({ params, body, call, clients }) => {
    const { decision } = await clients.compliance.decideReview({ ...params, ...body }, outgoing(call));
    const kind = enumName(decision, "DECISION_") as (typeof decisions)[number];
    return { transactionId: params.transactionId, decision: kind };
  },
});

const Override = z
  .object({
    overrideId: z.string().meta({ description: "Of the approval by which another MANAGER agrees or refuses." }),
    customerId: z.string(),
    customerStatus: z.enum(overridden),
    reason: z.string(),
    status: z.enum(overrideStates),
    requestedBy: z.string(),
    requestedAt: instant,
    decidedBy: z.string().optional(),
    decidedAt: instant.optional(),
    decisionReason: z.string().optional(),
  })
  .meta({ id: "ComplianceOverride" });

/** Ours, by maker-checker: decided where all approvals are. */
const requestComplianceOverride = route({
  method: "post",
  path: `${base}/overrides/request`,
  operationId: "requestComplianceOverride",
  tag: "Compliance",
  summary: "Ask for another decision on a customer than the one by score; another manager must agree",
  access: ["MANAGER", "AGENT"],
  peopleOnly: "judgement",
  headers: { idempotencyKey: "required" },
  body: z
    .object({ customerId: idIn, customerStatus: z.enum(overridden), reason: reasonIn })
    .meta({ id: "RequestComplianceOverrideRequest" }),
  answer: Override,
  message: "Override asked for",
  renames: { idempotencyKey: "headers.x-idempotency-key", status: "customerStatus" },
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "override-2026-0042" },
    body: { customerId: "the-customer", customerStatus: "CONFIRMED", reason: "Known in person for years" },
    from: { "body.customerId": "login user.customer_id" },
  },
  run: async ({ body, headers, call, clients }) => {
    const { customerId, customerStatus, reason } = body;
    const status = CustomerStatus[`CUSTOMER_STATUS_${customerStatus}`];
    const idempotencyKey = headers["x-idempotency-key"] ?? "";
    const request = { idempotencyKey, customerId, status, reason };
    const { override } = await clients.compliance.requestOverride(request, outgoing(call));
    return overrideFromWire(filled(override, "override"));
  },
});

/** Ours */
const listComplianceOverrides = route({
  method: "get",
  path: `${base}/overrides`,
  operationId: "listComplianceOverrides",
  tag: "Compliance",
  summary: "List overrides of decisions, newest first",
  access: ["MANAGER"],
  scopes: ["compliance:read"],
  query: cursorQuery,
  answer: z.object({ overrides: z.array(Override), nextCursor: z.string().optional() }),
  message: "Overrides",
  example: { as: "manager@demo.example" },
  run: async ({ query, call, clients }) => {
    const answer = await clients.compliance.listOverrides(pageOf(query), outgoing(call));
    return { overrides: answer.overrides.map(overrideFromWire), ...nextCursorOf(answer) };
  },
});

/** Ours: another manager than who asked. */
/** Ours */
const listComplianceAudit = route({
  method: "get",
  path: `${base}/audit`,
  operationId: "listComplianceAudit",
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
  answer: z.object({
    entries: z.array(
      z
        .object({
          entryId: z.string(),
          at: instant,
          actor: z.string(),
          role: z.string().optional(),
          action: z.string(),
          subject: z.string(),
          subjects: z.array(z.string()).meta({ description: "All that it is about; each of them finds it." }),
          reason: z.string().optional(),
          content: z.string().meta({ description: "JSON text: what was decided." }),
          interactionId: z.string(),
        })
        .meta({ id: "ComplianceAuditEntry" }),
    ),
    nextCursor: z.string().optional(),
  }),
  message: "Audit trail",
  example: { as: "manager@demo.example" },
  run: async ({ query, call, clients }) => {
    const request = { ...pageOf(query), subject: query.subject ?? "" };
    const answer = await clients.compliance.listAuditEntries(request, outgoing(call));
    return {
      entries: answer.entries.map(({ at, role, reason, ...rest }) => ({
        ...rest,
        at: timeText(at, "entry.at"),
        role: absentIfEmpty(role),
        reason: absentIfEmpty(reason),
      })),
      ...nextCursorOf(answer),
    };
  },
});

function overrideFromWire(override: WireOverride): z.output<typeof Override> {
  const { overrideId, customerId, reason, requestedBy, requestedAt, decidedBy, decidedAt, decisionReason } = override;
  return {
    overrideId,
    customerId,
    customerStatus: enumName(override.status, "CUSTOMER_STATUS_") as (typeof overridden)[number],
    reason,
    status: enumName(override.state, "OVERRIDE_STATE_") as (typeof overrideStates)[number],
    requestedBy,
    requestedAt: timeText(requestedAt, "override.requested_at"),
    decidedBy: absentIfEmpty(decidedBy),
    decidedAt: decidedAt?.toISOString(),
    decisionReason: absentIfEmpty(decisionReason),
  };
}

export const complianceReviewRoutes: readonly Route[] = [
  listComplianceReviews,
  decideComplianceReview,
  requestComplianceOverride,
  listComplianceOverrides,
  listComplianceAudit,
];
