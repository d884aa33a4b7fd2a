import { z } from "zod";
import type {
  CustomerCompliance as WireCustomer,
  Requirement as WireRequirement,
} from "../../../../proto/gen/compliance/v1/compliance.js";
import { instant } from "./schema.js";
import { absentIfEmpty, enumName, timeText } from "./wire.js";

export const customerStatuses = ["PENDING", "CONFIRMED", "BLOCKED"] as const;
export const decisions = ["PENDING", "APPROVED", "REVIEW", "REJECTED"] as const;
export const requirementStates = ["OUTSTANDING", "FULFILLED", "REJECTED", "EXPIRED"] as const;

/** What a customer must show, as they read it. */
export const Requirement = z
  .object({
    requirementId: z.string(),
    requirement: z.string().meta({ description: "EMAIL, PHONE_NUMBER, IDENTITY_DOCUMENT… or a document." }),
    status: z.enum(requirementStates),
    mandatory: z.boolean(),
    ruleIds: z.array(z.string()),
    cycle: z.number().int().meta({ description: "2 and more are renewals." }),
    inReview: z.boolean(),
    createdAt: instant,
    fulfilledAt: instant.optional(),
    expiresAt: instant.optional(),
    reason: z.string().optional(),
  })
  .meta({ id: "ComplianceRequirement" });

/** Where a customer stands with compliance, as they read it themselves. */
export const CustomerStanding = z
  .object({
    customerId: z.string(),
    status: z.enum(customerStatuses),
    decision: z.enum(decisions),
    policyVersion: z.number().int(),
    requirements: z.array(Requirement),
  })
  .meta({ id: "CustomerStanding" });

export function standingFromWire(customer: WireCustomer): z.output<typeof CustomerStanding> {
  const { customerId, status, decision, policyVersion, requirements } = customer;
  return {
    customerId,
    status: statusOf(status),
    decision: kindOf(decision),
    policyVersion,
    requirements: requirements.map(requirementFromWire),
  };
}

export function requirementFromWire(one: WireRequirement): z.output<typeof Requirement> {
  return {
    requirementId: one.requirementId,
    requirement: one.kind,
    status: stateOf(one.state),
    mandatory: one.mandatory,
    ruleIds: one.ruleIds,
    cycle: one.cycle,
    inReview: one.inReview,
    createdAt: timeText(one.createdAt, "requirement.created_at"),
    fulfilledAt: one.fulfilledAt?.toISOString(),
    expiresAt: one.expiresAt?.toISOString(),
    reason: absentIfEmpty(one.reason),
  };
}

function statusOf(status: string): (typeof customerStatuses)[number] {
  return enumName(status, "CUSTOMER_STATUS_") as (typeof customerStatuses)[number];
}

function kindOf(decision: string): (typeof decisions)[number] {
  return enumName(decision, "DECISION_") as (typeof decisions)[number];
}

function stateOf(state: string): (typeof requirementStates)[number] {
  return enumName(state, "REQUIREMENT_STATE_") as (typeof requirementStates)[number];
}
