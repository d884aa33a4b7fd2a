import { z } from "zod";
import * as wire from "../../../../proto/gen/compliance/v1/compliance.js";
import { shape } from "./codec.js";
import { enumOf } from "./leaf-codecs.js";
import { instant } from "./schema.js";
import * as leaf from "./leaves.js";

export const customerStatuses = ["PENDING", "CONFIRMED", "BLOCKED"] as const;
export const decisions = ["PENDING", "APPROVED", "REVIEW", "REJECTED"] as const;

/** What a customer must show, as they read it. */
export const Requirement = shape(
  wire.Requirement,
  z
    .object({
      requirementId: z.string(),
      requirement: leaf.requirement.meta({ description: "EMAIL, PHONE_NUMBER, IDENTITY_DOCUMENT… or a document." }),
      status: enumOf(wire.RequirementState),
      mandatory: z.boolean(),
      ruleIds: z.array(leaf.ruleId),
      cycle: z.number().int().meta({ description: "2 and more are renewals." }),
      inReview: z.boolean(),
      createdAt: instant,
      fulfilledAt: instant.optional(),
      expiresAt: instant.optional(),
      reason: leaf.reason.optional(),
    })
    .meta({ id: "ComplianceRequirement" }),
  { requirement: "kind", status: "state" },
);

/** Where a customer stands with compliance, as they read it themselves. */
export const CustomerStanding = shape(
  wire.CustomerCompliance,
  z
    .object({
      customerId: leaf.customerId,
      status: z.enum(customerStatuses),
      decision: z.enum(decisions),
      policyVersion: z.number().int(),
      requirements: z.array(Requirement),
    })
    .meta({ id: "CustomerStanding" }),
);
