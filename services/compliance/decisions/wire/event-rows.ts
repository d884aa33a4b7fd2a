import {
  CustomerCompliance as WireCustomer,
  Requirement as WireRequirement,
} from "../../../../proto/gen/compliance/v1/compliance.js";
import { readerOf } from "../../../platform/events/shapes/codec.js";
import {
  CustomerStanding,
  Requirement as RequirementShape,
} from "../../../platform/events/shapes/customer-compliance-shape.js";
import { eventRow } from "../../../platform/events/row.js";
import type { NewRow } from "../../../kernel/outbox/index.js";
import type { CustomerRecord } from "../domain/customer.js";
import type { Origin } from "../../common/domain/origin.js";
import type { Requirement } from "../domain/requirements.js";
import { customerToWire, isDetailRequired, requirementToWire } from "./customers.js";

const statusFromWire = readerOf(CustomerStanding);
const requirementFromWire = readerOf(RequirementShape);

const types = {
  OUTSTANDING: "requirement.outstanding",
  FULFILLED: "requirement.fulfilled",
  EXPIRED: "requirement.expired",
} as const;

/** Tells what a change of a customer means for whoever works with them: status and requirements. */
export function customerEventRows(origin: Origin, before: CustomerRecord, after: CustomerRecord, at: Date): NewRow[] {
  return [...statusRows(origin, before, after, at), ...requirementRows(origin, before, after, at)];
}

/**
 * That somebody is blocked is confidential, and so is every later word on their status: that it was
 * not told before, or is told again, would say that they were.
 */
function statusRows(origin: Origin, before: CustomerRecord, after: CustomerRecord, at: Date): NewRow[] {
  const { customerId, status, version, wasBlocked = false } = after;
  if (status === before.status || status === "PENDING") return [];
  const type = status === "BLOCKED" ? "customer.blocked" : "customer.confirmed";
  const isConfidential = status === "BLOCKED" || wasBlocked;
  const data = statusFromWire(WireCustomer.fromPartial(customerToWire(after, false) as never));
  return [eventRow(origin, { type, subjectId: customerId, version, at, customerId, isConfidential, data })];
}

/** Of what the customer reads themselves; each requirement is a subject of its own. */
function requirementRows(origin: Origin, before: CustomerRecord, after: CustomerRecord, at: Date): NewRow[] {
  const { customerId, version } = after;
  const earlier = new Map(before.requirements.filter(isDetailRequired).map((one) => [one.requirementId, one]));
  return after.requirements.filter(isDetailRequired).flatMap((one) => {
    const last = earlier.get(one.requirementId);
    if (one.state === "REJECTED" || (last !== undefined && isSame(last, one))) return [];
    const data = { ...requirementFromWire(WireRequirement.fromPartial(requirementToWire(one) as never)), customerId };
    const about = { subjectId: `${customerId}:${one.requirementId}`, version, at, customerId };
    return [eventRow(origin, { type: types[one.state], ...about, data })];
  });
}

/** Each renewal is asked for anew; what is fulfilled again says so again. */
function isSame(last: Requirement, now: Requirement): boolean {
  const when = ({ fulfilledAt }: Requirement) => fulfilledAt?.getTime();
  return last.state === now.state && last.cycle === now.cycle && when(last) === when(now);
}
