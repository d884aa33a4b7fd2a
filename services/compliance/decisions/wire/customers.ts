import {
  CustomerStatus as WireStatus,
  RequirementState as WireState,
  type CustomerCompliance,
  type Requirement as WireRequirement,
  type RiskScore as WireScore,
} from "../../../../proto/gen/compliance/v1/compliance.js";
import type { WirePartial } from "../../../kernel/grpc/definition.js";
import { invalidInput } from "../../../kernel/refusal.js";
import type { CustomerRecord } from "../domain/customer.js";
import type { CustomerStatus } from "../domain/moves.js";
import type { Requirement } from "../domain/requirements.js";
import type { RiskScore } from "../domain/risk.js";
import { kindToWire } from "./transactions.js";

/** Refuses INVALID_INPUT for a status that is not named. */
export function statusFromWire(status: WireStatus): CustomerStatus {
  switch (status) {
    case WireStatus.CUSTOMER_STATUS_PENDING:
      return "PENDING";
    case WireStatus.CUSTOMER_STATUS_CONFIRMED:
      return "CONFIRMED";
    case WireStatus.CUSTOMER_STATUS_BLOCKED:
      return "BLOCKED";
    default:
      throw invalidInput("status", "must be PENDING, CONFIRMED or BLOCKED");
  }
}

export function statusToWire(status: CustomerStatus): WireStatus {
  return WireStatus[`CUSTOMER_STATUS_${status}`];
}

export function customerToWire(customer: CustomerRecord, forStaff: boolean): WirePartial<CustomerCompliance> {
  const { customerId, status, decision, reason, requirements, risk, policyVersion } = customer;
  return {
    customerId,
    status: statusToWire(status),
    decision: kindToWire(decision),
    requirements: requirements.filter(isDetailRequired).map(requirementToWire),
    policyVersion,
    // Reason and score stay with staff: they would teach a customer how to get around them.
    ...(forStaff && {
      reason,
      ...(risk && { risk: { ...scoreToWire(risk), sequence: risk.sequence, policyVersion } }),
    }),
  };
}

export function scoreToWire({ score, profile, factors, decision }: RiskScore): WirePartial<WireScore> {
  return { score, profile, factors, decision: kindToWire(decision) };
}

/** Whether a rule still asks for it, or it was fulfilled once. */
export function isDetailRequired({ ruleIds, state }: Requirement): boolean {
  return ruleIds.length > 0 || state === "FULFILLED";
}

export function stateToWire(state: Requirement["state"]): WireState {
  return WireState[`REQUIREMENT_STATE_${state}`];
}

export function requirementToWire(one: Requirement): WirePartial<WireRequirement> {
  const { requirementId, kind, state, mandatory, ruleIds, cycle, createdAt, fulfilledAt, expiresAt, reason } = one;
  return {
    requirementId,
    kind,
    state: stateToWire(state),
    mandatory,
    ruleIds,
    cycle,
    createdAt,
    fulfilledAt,
    expiresAt,
    reason,
    inReview: one.documentId !== undefined,
  };
}
