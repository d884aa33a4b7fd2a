import { z } from "zod";
import type {
  CustomerCompliance as WireCustomer,
  RiskScore as WireScore,
} from "../../proto/gen/compliance/v1/compliance.js";
import {
  customerStatuses,
  CustomerStanding,
  decisions,
  kindOf,
  requirementStates,
  standingFromWire,
  stateOf,
  statusOf,
} from "../../services/platform/events/shapes/customer-compliance-shape.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { moneyToWire, parseMoney } from "../../services/kernel/money.js";
import { route } from "../route.js";
import { countryIn, currencyCode, instant, maybe, text } from "../schema.js";
import { absentIfEmpty, filled } from "../wire.js";
import { everyRole, v6 } from "./base.js";
import { cursorQuery, idIn, nextCursorOf, pageOf } from "./cursor-pages.js";
import { Amount, amountFromWire } from "./compliance-shapes.js";

export const base = `${v6}/compliance`;
const customerPath = z.object({ customerId: idIn });
const ownCustomer = { "params.customerId": "login user.customer_id" };

const RiskScore = z
  .object({
    sequence: z.number().int(),
    score: z.number().int().meta({ minimum: 0, maximum: 100 }),
    profile: z.enum(["LOW", "MEDIUM", "HIGH"]),
    decision: z.enum(decisions),
    policyVersion: z.number().int(),
    cause: z.string().optional(),
    at: instant.optional(),
    factors: z.array(
      z.object({
        name: z.string(),
        weight: z.number().int().meta({ description: "Percent." }),
        value: z.number().int().meta({ minimum: 0, maximum: 100 }),
        points: z.number().int().meta({ description: "weight × value: hundredths of a point of the score." }),
        explanation: z.string(),
      }),
    ),
  })
  .meta({ id: "RiskScore" });

const CustomerCompliance = CustomerStanding.extend({
  reason: z.string().optional(),
  risk: RiskScore.optional().meta({ description: "For staff only." }),
}).meta({ id: "CustomerCompliance" });

/** Ours */
export const readCustomerCompliance = route({
  method: "get",
  path: `${base}/customers/:customerId`,
  operationId: "readCustomerCompliance",
  tag: "Compliance",
  summary: "Read a customer's status, requirements and, for staff, risk",
  access: ["MANAGER", "AGENT", "CUSTOMER"],
  scopes: ["compliance:read"],
  params: customerPath,
  answer: CustomerCompliance,
  message: "Customer compliance",
  example: { as: "amina@demo.example", params: { customerId: "the-customer" }, from: ownCustomer },
  run: async ({ params, call, clients }) => {
    const { customer } = await clients.compliance.getCustomerCompliance(params, outgoing(call));
    return customerFromWire(filled(customer, "customer"));
  },
});

/** Ours */
export const listRiskScores = route({
  method: "get",
  path: `${base}/customers/:customerId/risk-scores`,
  operationId: "listRiskScores",
  tag: "Compliance",
  summary: "List how a customer's risk score came about, newest first",
  access: ["MANAGER", "AGENT"],
  scopes: ["compliance:read"],
  params: customerPath,
  query: cursorQuery,
  answer: z.object({ scores: z.array(RiskScore), nextCursor: z.string().optional() }),
  message: "Risk scores",
  example: { as: "manager@demo.example", params: { customerId: "the-customer" }, from: ownCustomer },
  run: async ({ params, query, call, clients }) => {
    const answer = await clients.compliance.listRiskScores({ ...params, ...pageOf(query) }, outgoing(call));
    return { scores: answer.scores.map(scoreFromWire), ...nextCursorOf(answer) };
  },
});

/** Ours: §4.2 speaks of it. */
export const preTransactionChecklist = route({
  method: "post",
  path: `${base}/pre-transaction-checklist`,
  operationId: "preTransactionChecklist",
  tag: "Compliance",
  summary: "See what is missing before a customer could send this amount this way; decides and reserves nothing",
  access: everyRole,
  scopes: ["compliance:read"],
  body: z
    .object({
      customerId: maybe(idIn).meta({ description: "A customer is themself." }),
      amount: z.string().regex(/^(0|[1-9]\d{0,18})(\.\d{1,4})?$/, "must be a decimal such as 25.00"),
      currency: currencyCode,
      originCountry: countryIn,
      receivingCountry: countryIn,
      receivingCurrency: maybe(currencyCode),
      remittancePurpose: maybe(text(256, 0)),
      sourceOfFunds: maybe(text(256, 0)),
      recipientCode: maybe(text(128, 0)),
    })
    .meta({ id: "PreTransactionChecklistRequest" }),
  answer: z
    .object({
      decision: z.enum(decisions),
      reasonCode: z.string().optional(),
      message: z.string().optional(),
      status: z.enum(customerStatuses),
      items: z.array(
        z.object({
          requirement: z.string(),
          status: z.enum(requirementStates),
          inReview: z.boolean(),
          origin: z.string().meta({ description: "KYC or TRANSACTION." }),
        }),
      ),
      leftToday: Amount.optional().meta({ description: "What the daily limit leaves, where there is one." }),
    })
    .meta({ id: "PreTransactionChecklist" }),
  message: "Pre-transaction checklist",
  example: {
    as: "amina@demo.example",
    body: { amount: "12000.00", currency: "USD", originCountry: "USA", receivingCountry: "NGA" },
  },
  run: async ({ body, call, clients }) => {
    const answer = await clients.compliance.getChecklist(
      {
        customerId: body.customerId ?? "",
        amount: moneyToWire(parseMoney(body.amount, body.currency, "amount")),
        originCountry: body.originCountry,
        receivingCountry: body.receivingCountry,
        receivingCurrency: body.receivingCurrency ?? "",
        remittancePurpose: body.remittancePurpose ?? "",
        sourceOfFunds: body.sourceOfFunds ?? "",
        recipientCode: body.recipientCode ?? "",
      },
      outgoing(call),
    );
    return {
      decision: kindOf(answer.decision),
      reasonCode: absentIfEmpty(answer.reasonCode),
      message: absentIfEmpty(answer.message),
      status: statusOf(answer.status),
      items: answer.items.map(({ requirement, state, inReview, origin }) => ({
        requirement,
        status: stateOf(state),
        inReview,
        origin,
      })),
      leftToday: amountFromWire(answer.leftToday),
    };
  },
});

/** Ours: §4.4 speaks of it. */
export const initiateComplianceAction = route({
  method: "post",
  path: `${base}/initiate-compliance-action`,
  operationId: "initiateComplianceAction",
  tag: "Compliance",
  summary: "Send the e-mail link and the phone code that are outstanding, unless the agent configuration forwards them",
  access: ["AGENT", "CUSTOMER"],
  scopes: ["kyc:perform", "profile:update"],
  body: z.object({ customerId: maybe(idIn) }).meta({ id: "InitiateComplianceActionRequest" }),
  answer: z
    .object({
      actions: z.array(
        z.object({
          requirementId: z.string(),
          requirement: z.string(),
          action: z.string().meta({
            description: "LINK_SENT, CODE_SENT, EXTERNAL_VERIFICATION, SUBMIT_DOCUMENT, IN_REVIEW or NO_CONTACT.",
          }),
          expiresAt: instant.optional(),
        }),
      ),
    })
    .meta({ id: "ComplianceActions" }),
  message: "Compliance action initiated",
  example: { as: "amina@demo.example", body: {} },
  run: async ({ body, call, clients }) => {
    const request = { customerId: body.customerId ?? "" };
    const { actions } = await clients.compliance.initiateComplianceAction(request, outgoing(call));
    return {
      actions: actions.map(({ requirementId, requirement, action, expiresAt }) => ({
        requirementId,
        requirement,
        action,
        expiresAt: expiresAt?.toISOString(),
      })),
    };
  },
});

function customerFromWire(customer: WireCustomer): z.output<typeof CustomerCompliance> {
  const { reason, risk } = customer;
  return { ...standingFromWire(customer), reason: absentIfEmpty(reason), risk: risk && scoreFromWire(risk) };
}

function scoreFromWire(risk: WireScore): z.output<typeof RiskScore> {
  const { sequence, score, profile, decision, policyVersion, cause, at, factors } = risk;
  return {
    sequence,
    score,
    profile: profile as "LOW" | "MEDIUM" | "HIGH",
    decision: kindOf(decision),
    policyVersion,
    cause: absentIfEmpty(cause),
    at: at?.toISOString(),
    factors: factors.map(({ name, weight, value, points, explanation }) => ({
      name,
      weight,
      value,
      points,
      explanation,
    })),
  };
}
